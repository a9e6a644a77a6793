"""A chat between a member and an agent, with a review in it."""

from typing import Any

from playwright.async_api import Page
from support.api import Workspace, assert_ok

REPLY = """Sure. Two ways to tell it:

1. **The glaze**: what the new kiln does to the blue.
2. **The customer**: the bakery that ordered forty mugs.

| | Length | Best on |
|---|---|---|
| The glaze | 120 words | Mastodon |
| The customer | 90 words | LinkedIn |

Which one?"""


async def create_chat(workspace: Workspace) -> str:
    """Return the path of its page."""
    agents = (await assert_ok(workspace.manager.get("/agents")))["items"]
    agent_id = next(agent["agentId"] for agent in agents if agent["name"] == "Content agent")
    await assert_ok(workspace.manager.patch(f"/agents/{agent_id}", json={"chat": "on"}))
    forms = (await assert_ok(workspace.manager.get("/forms")))["items"]
    form_id = next(form["formId"] for form in forms if form["name"] == "Social post")
    for name in ("Kiln opening invitation", "Spring catalog"):
        await _start(workspace, agent_id, name, "Could you take a first look at this?")
    session_id = await _start(
        workspace, agent_id, "A post about the new blue", "Could you draft a post about the new blue?"
    )
    await _reply(workspace, session_id, text=REPLY)
    await _write(workspace, session_id, "The customer, please. Friendly and short.")
    data = {
        "headline": "Forty mugs for one bakery",
        "text": "The bakery on Mill Street asked for forty mugs, just as the first batch in the new blue was fired.",
        "channel": ["linkedin"],
        "confidence": 4,
    }
    body = {"formId": form_id, "data": data, "sessionId": session_id}
    review = await assert_ok(workspace.agent.post("/requestReview", json=body))
    await _reply(workspace, session_id, text="Here's a draft. Can you review it?", reviewId=review["reviewId"])
    return f"/sessions/{session_id}"


async def _start(workspace: Workspace, agent_id: str, name: str, text: str) -> str:
    made = await assert_ok(workspace.owner.post("/sessions", json={"agentId": agent_id, "name": name}))
    await _write(workspace, made["sessionId"], text)
    return made["sessionId"]


async def _write(workspace: Workspace, session_id: str, text: str) -> None:
    await assert_ok(workspace.owner.post(f"/sessions/{session_id}/messages", json={"text": text}))


async def _reply(workspace: Workspace, session_id: str, **members: Any) -> None:
    await assert_ok(workspace.agent.post(f"/sessions/{session_id}/messages", json=members))


async def wait_for_chat(page: Page) -> None:
    await page.get_by_role("article").get_by_text("Here's a draft.").wait_for()


async def open_review(page: Page) -> None:
    await wait_for_chat(page)
    await page.get_by_role("button", name="Forty mugs for one bakery").click()
    await page.get_by_role("textbox", name="Headline").wait_for()
