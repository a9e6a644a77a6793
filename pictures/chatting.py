"""A conversation to take pictures of: somebody, an agent, and a review between them."""

from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Page
from support.api import Workspace, ok

ANSWER = """Gladly. Two ways to tell it:

1. **The glaze**: what the new kiln does to the blue.
2. **The customer**: the bakery that ordered forty mugs.

| | length | best on |
|---|---|---|
| The glaze | 120 words | Mastodon |
| The customer | 90 words | LinkedIn |

Which one?"""


async def converse(workspace: Workspace) -> str:
    """The session's address."""
    agents = (await ok(workspace.manager.get("/agents")))["items"]
    newsroom = next(agent["agentId"] for agent in agents if agent["name"] == "Content agent")
    await ok(workspace.manager.patch(f"/agents/{newsroom}", json={"chat": "on"}))
    forms = (await ok(workspace.manager.get("/forms")))["items"]
    social = next(form["formId"] for form in forms if form["name"] == "Social post")
    for name in ("Kiln opening, invitation", "Spring catalogue"):
        await _start(workspace, newsroom, name, "Could you take a first look at this?")
    session_id = await _start(
        workspace, newsroom, "A post about the new blue", "Could you draft a post about the new blue?"
    )
    await _answer(workspace, session_id, text=ANSWER)
    await _write(workspace, session_id, "The customer, please. Friendly, and not too long.")
    data = {
        "headline": "Forty mugs for one bakery",
        "text": "The bakery on Mill Street asked for forty mugs, just as the first batch in the new blue was fired.",
        "channel": ["linkedin"],
        "confidence": 4,
    }
    body = {"formId": social, "data": data, "sessionId": session_id}
    review = await ok(workspace.agent.post("/requestReview", json=body))
    await _answer(workspace, session_id, text="Here is a draft. Please have a look:", reviewId=review["reviewId"])
    return f"/sessions/{session_id}"


async def _start(workspace: Workspace, agent_id: str, name: str, text: str) -> str:
    made = await ok(workspace.owner.post("/sessions", json={"agentId": agent_id, "name": name}))
    await _write(workspace, made["sessionId"], text)
    return made["sessionId"]


async def _write(workspace: Workspace, session_id: str, text: str) -> None:
    await ok(workspace.owner.post(f"/sessions/{session_id}/messages", json={"text": text}))


async def _answer(workspace: Workspace, session_id: str, **members: Any) -> None:
    await ok(workspace.agent.post(f"/sessions/{session_id}/messages", json=members))


def walk_of(name: str) -> Callable[[Page], Awaitable[object]]:
    return wait_for_the_chat if name == "chat-phone" else open_the_review


async def wait_for_the_chat(page: Page) -> None:
    await page.get_by_role("article").get_by_text("Here is a draft.").wait_for()


async def open_the_review(page: Page) -> None:
    await wait_for_the_chat(page)
    await page.get_by_role("button", name="Forty mugs for one bakery").click()
    await page.get_by_role("textbox", name="Headline").wait_for()
