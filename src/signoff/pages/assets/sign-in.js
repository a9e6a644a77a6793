"use strict";

const form = document.querySelector("form");
const button = form.querySelector("button");
const message = form.querySelector("[role=alert]");
const token = new URLSearchParams(location.search).get("token");

button.disabled = false;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  explain("");
  try {
    const answer = await fetch(form.dataset.call, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(given()),
    });
    const body = await answer.json();
    if (answer.ok) welcome(body);
    else explain(...reasons(body));
  } catch {
    explain("The service did not answer. Try again in a moment.");
  }
  button.disabled = false;
});

/** What was typed; a password that was left out is not an empty one. */
function given() {
  const typed = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  return token === null ? typed : { token, ...typed };
}

/** The words of a problem document, and the first field that it names. */
function reasons(problem) {
  const faults = problem.errors ?? [];
  const words = faults.map((fault) => `${label(fault.path) ?? fault.path}: ${fault.message}.`);
  return [words.join(" ") || problem.detail, faults[0]?.path];
}

function label(name) {
  return form.elements[name]?.labels[0]?.firstChild.textContent.trim();
}

function explain(words, name) {
  message.textContent = words;
  for (const field of form.querySelectorAll("input")) {
    if (field.name === name) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
  form.elements[name]?.focus();
}

function welcome(me) {
  // The token is used up: it need not stay in the address or the history.
  history.replaceState(null, "", location.pathname);
  document.querySelector("[data-fill=email]").textContent = me.user.email;
  document.querySelector("[data-fill=account]").textContent = me.account.name;
  document.querySelector("#no-password").hidden = me.hasPassword;
  document.querySelector("#welcome").hidden = false;
  document.querySelector("#welcome h1").focus();
  form.hidden = true;
}
