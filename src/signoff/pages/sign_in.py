"""Signing in, and what stands at the web application's addresses until it is there.

Opening the page uses nothing up: mail scanners open links too. The script posts the token when a person says so.
"""

from signoff.accounts.passwords import LONGEST, SHORTEST
from signoff.pages.html import frame

_TOKEN_FORM = f"""
<form data-call="api/v1/auth/link" method="post">
<h1>Welcome to Signoff</h1>
<p>Choose a password for the next time you sign in, or continue without one.</p>
<label for="password">New password <span>optional</span></label>
<input id="password" name="password" type="password" autocomplete="new-password"
 minlength="{SHORTEST}" maxlength="{LONGEST}" aria-describedby="hint">
<p id="hint" class="hint">At least {SHORTEST} characters.</p>
<p role="alert"></p>
<button disabled>Continue</button>
<p class="other"><a href="sign-in">Sign in with e-mail and password instead</a></p>
</form>
"""

_PASSWORD_FORM = f"""
<form data-call="api/v1/auth/login" method="post">
<h1>Sign in to Signoff</h1>
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="{LONGEST}" required>
<p role="alert"></p>
<button disabled>Sign in</button>
</form>
"""

_WELCOME = """
<section id="welcome" hidden>
<h1 tabindex="-1">You are signed in</h1>
<p>as <strong data-fill="email"></strong>, in the workspace <strong data-fill="account"></strong>.</p>
<p id="no-password" hidden>You have no password yet. To sign in again you will need another link,
or a password set with <code>PATCH /auth/me</code>.</p>
<p><a href="api/v1/docs">API reference</a></p>
</section>
<noscript><p>This page needs JavaScript to sign you in. Programs use an API key instead.</p></noscript>
"""


def sign_in_page(*, with_token: bool) -> str:
    form = _TOKEN_FORM if with_token else _PASSWORD_FORM
    body = f'<main class="card">{form}{_WELCOME}</main>'
    return frame("Sign in · Signoff", body, root="", style="page.css", script="sign-in.js")


_BY_MEMBERS = '<a href="../sign-in">Sign in</a>; your browser then sends the session cookie along.'
_BY_OUTSIDERS = "Send the <code>token</code> of your link in the header <code>x-review-token</code>."


def no_inbox_page(*, external: bool) -> str:
    body = f"""
<main class="card">
<h1>There is no page here yet</h1>
<p>The web inbox is not part of this version. Until it is, reviews are read and decided through the API.</p>
<ol>
<li>{_BY_OUTSIDERS if external else _BY_MEMBERS}</li>
<li>Read it with <a href="../api/v1/docs#getReview"><code>GET /reviews/{{reviewId}}</code></a>.</li>
<li>Decide with <a href="../api/v1/docs#submitResponse"><code>POST /reviews/{{reviewId}}/response</code></a>
and <code>{{"response": "approved"}}</code> or <code>"rejected"</code>.</li>
</ol>
<p>The review ID is the last part of this page's path.</p>
</main>
"""
    return frame("No page here yet · Signoff", body, root="../", style="page.css")
