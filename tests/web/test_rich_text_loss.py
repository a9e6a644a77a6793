"""Rich text that the editor can't represent: the warning stays after the loss, and the original can be restored."""

from typing import Any

from playwright.async_api import expect
from support.api import Workspace
from support.browser import Visitors
from web_helpers import button, send_now

HTML = '<p>Prices</p><table><tbody><tr><td>A</td><td>10</td></tr></tbody></table><img src="https://evil.example/x.png">'
FIELDS: list[dict[str, Any]] = [
    {"id": "h", "type": "text", "label": "Headline"},
    {"id": "body", "type": "richText", "label": "Body"},
]


class TestLoss:
    async def test_is_shown_and_can_be_undone(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(fields=FIELDS, layout=None, rules=None, titleField="h")
        created = await workspace.request(form, data={"h": "Prices", "body": HTML})
        page = await visitors.open(f"/reviews/{created['reviewId']}", workspace.owner)
        body = page.locator("[data-field=body]")
        await expect(page.get_by_text("Not shown in “Body”: images")).to_be_visible()
        await button(body, "Edit").click()
        await expect(body.get_by_text("If you edit the text, that content is removed")).to_be_visible()

        await body.get_by_role("textbox").click()
        await page.keyboard.type("x")
        removed = body.get_by_text("Your edit removed content that the editor doesn't support: tables and images")
        await expect(removed).to_be_visible()
        await button(body, "Preview").click()
        await expect(removed).to_be_visible()
        await expect(page.get_by_text("Your edit removed this from “Body”: tables and images")).to_be_visible()
        await button(page, "Approve").click()
        await expect(page.get_by_role("heading", name="Approve anyway?")).to_be_visible()
        await button(page, "Cancel").click()

        await button(body, "Restore original").click()
        await expect(removed).to_have_count(0)
        await expect(body.get_by_role("cell", name="10")).to_be_visible()
        await expect(page.get_by_text("Your edit removed this from “Body”: tables and images")).to_have_count(0)
        await button(page, "Approve").click()
        await send_now(page)
        review = (await workspace.agent.get(f"/reviews/{created['reviewId']}", params={"wait": 20})).json()
        assert review["reviewResult"]["data"]["body"] == HTML
