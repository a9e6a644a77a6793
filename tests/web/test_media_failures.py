"""Images that couldn't be copied: shown at the field with the reason, mentioned at Approve, and retried."""

import re
from typing import Any

from playwright.async_api import expect
from support.api import Workspace, unique
from support.browser import Visitors
from support.receiver import Receiver
from web_helpers import button

FIELDS: list[dict[str, Any]] = [{"id": "h", "type": "text", "label": "Headline"}, {"id": "photo", "type": "image"}]


class TestNotCopied:
    async def test_shows_the_error_and_retries(
        self, workspace: Workspace, visitors: Visitors, receiver: Receiver
    ) -> None:
        form = await workspace.make_form(fields=FIELDS, layout=None, rules=None, titleField="h")
        url = receiver.answer("/" + unique("photo"), [404])
        review = await workspace.request(form, data={"h": "pay 10", "photo": url})
        page = await visitors.open(f"/reviews/{review['reviewId']}", workspace.owner)
        await expect(page.get_by_text("Couldn't save a copy of the image")).to_be_visible()
        await expect(page.get_by_text(re.compile("404"))).to_be_visible()
        await expect(page.get_by_text("1 image couldn't be copied")).to_be_visible()

        await button(page, "Approve").click()
        await expect(page.get_by_role("heading", name="Approve anyway?")).to_be_visible()
        await button(page, "Cancel").click()

        before = len(receiver.at(url.removeprefix(receiver.url)))
        await button(page, "Try again").click()
        await receiver.wait_for(url.removeprefix(receiver.url), before + 1)
        await expect(page.get_by_text(re.compile("404"))).to_be_visible()

        await workspace.decide(review["reviewId"])
        await expect(page.get_by_text("Approved").first).to_be_visible()
        await expect(page.get_by_text("Couldn't save a copy of the image")).to_be_visible()
        await expect(button(page, "Try again")).to_be_visible()
