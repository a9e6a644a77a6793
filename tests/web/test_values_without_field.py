"""Values that no field shows: listed below the fields and counted at Approve, for members and external reviewers."""

import re
from typing import Any

import pytest
from playwright.async_api import expect
from review_type_helpers import at_version, open_editor
from support.api import Workspace
from support.browser import Visitors
from web_helpers import button

FIELDS: list[dict[str, Any]] = [
    {"id": "h", "type": "text", "label": "Headline"},
    {"id": "rows", "type": "table", "label": "Rows", "columns": [{"id": "name", "type": "text"}]},
]
HOSTILE = "<img src=x onerror=window.hacked=1>"
DATA: dict[str, Any] = {
    "h": "pay 10",
    "amount": 1_000_000,
    "note": HOSTILE,
    "rows": [{"name": "a"}, {"name": "b", "sku": {HOSTILE: ["x" * 10_000]}}],
}


async def _form(workspace: Workspace, **members: Any) -> dict[str, Any]:
    return await workspace.make_form(fields=FIELDS, layout=None, rules=None, titleField="h", **members)


class TestAlsoSent:
    async def test_listed_and_counted(self, workspace: Workspace, visitors: Visitors) -> None:
        review = await workspace.request(await _form(workspace), data=DATA)
        page = await visitors.open(f"/reviews/{review['reviewId']}", workspace.owner)
        await expect(page.get_by_text("3 values not shown in any field")).to_be_visible()
        section = page.locator("details", has_text="Also sent")
        await expect(section.get_by_text("1000000")).to_have_count(0)
        await button(page, "View: 3 values not shown in any field").click()
        await expect(section.get_by_role("term")).to_have_text(["amount", "note", re.compile("rows . 2 . sku")])
        await expect(section.get_by_text("1000000")).to_be_visible()
        await expect(section.get_by_text(HOSTILE, exact=True)).to_be_visible()
        assert await page.evaluate("window.hacked") is None

    @pytest.mark.slow
    async def test_external_reviewer(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await _form(workspace)
        review = await workspace.request(
            form, data={"h": "pay 10", "amount": 1_000_000}, extReviewers=["out@example.com"]
        )
        page = await visitors.open(review["extReviewerLinks"][0]["link"])
        await expect(page.get_by_text("1 value not shown in any field")).to_be_visible()
        await page.locator("summary", has_text="Also sent").click()
        await expect(page.get_by_role("definition")).to_have_text("1000000")

    @pytest.mark.slow
    async def test_hidden_without_values(self, workspace: Workspace, visitors: Visitors) -> None:
        hiding = await workspace.request(await _form(workspace, unmapped="hide"), data=DATA)
        whole = await workspace.request(await _form(workspace), data={"h": "pay 10", "rows": [{"name": "a"}]})
        for form in (hiding, whole):
            page = await visitors.open(f"/reviews/{form['reviewId']}", workspace.owner)
            await expect(page.get_by_label("Headline")).to_have_value("pay 10")
            await expect(page.get_by_text("Also sent")).to_have_count(0)
            await expect(page.get_by_text(re.compile("not shown in any field"))).to_have_count(0)

    @pytest.mark.slow
    async def test_many_values_come_in_pages(self, workspace: Workspace, visitors: Visitors) -> None:
        data = {"h": "many", **{f"x{number:04}": number for number in range(120)}}
        review = await workspace.request(await _form(workspace), data=data)
        page = await visitors.open(f"/reviews/{review['reviewId']}", workspace.owner)
        await page.locator("summary", has_text="Also sent").click()
        await expect(page.get_by_role("term")).to_have_count(50)
        await button(page, "Show 50 more").click()
        await button(page, "Show 20 more").click()
        await expect(page.get_by_role("term")).to_have_count(120)

    @pytest.mark.slow
    async def test_setting_of_the_review_type(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await _form(workspace)
        page = await open_editor(visitors, workspace, form, "?tab=behavior")
        await page.get_by_label("When a request includes values without a field").select_option("reject")
        await page.keyboard.press("Control+s")
        # More agents than the fields show.
        await button(page.get_by_role("dialog"), "Publish").click()
        assert (await at_version(workspace, page, form, 2))["unmapped"] == "reject"
