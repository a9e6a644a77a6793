"""Trying out a review type before it's used, and how its pages look and read."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect
from review_type_helpers import WIDE, assert_no_errors, entry, open_editor, preview
from support.api import Workspace
from support.browser import PHONE, Visitors, serious_findings, visitors_of
from support.in_process import Service
from support.second_account import open_second_account
from web_helpers import button, pane

PARTS = ["", "?tab=rules", "?tab=behavior", "?tab=try", "?tab=versions", "?tab=code"]


async def shown(page: Page, part: str) -> None:
    """Wait until the part is completely loaded."""
    waited_for = {
        "": page.locator("[data-entry=field]").first,
        "?tab=rules": page.get_by_role("article").first,
        "?tab=behavior": page.get_by_label("Tool webhook URL"),
        "?tab=try": preview(page).get_by_label("Headline"),
        "?tab=versions": page.get_by_text("Current", exact=True),
        "?tab=code": page.get_by_role("region", name="Code", exact=True),
    }
    await expect(waited_for[part]).to_be_visible()
    await expect(page.get_by_role("status").filter(has_text="Loading")).to_have_count(0)


class TestAgent:
    async def test_curl_example_creates_a_review_like_the_preview(
        self, workspace: Workspace, visitors: Visitors
    ) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form, "?tab=try")
        await expect(preview(page).get_by_label("Headline")).to_be_visible()
        labels = await preview(page).locator("[data-field] [id$=-label]").all_inner_texts()
        pasted = await page.get_by_role("region", name="Request snippet").inner_text()
        env = {**os.environ, "SIGNOFF_API_KEY": workspace.agent.headers["x-api-key"], "no_proxy": "127.0.0.1"}
        process = await asyncio.create_subprocess_exec(
            "sh", "-c", pasted, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        response, trouble = await process.communicate()
        assert process.returncode == 0, trouble
        review_id = json.loads(response)["reviewId"]
        await page.goto(f"/reviews/{review_id}")
        review = pane(page, "Headline")
        await expect(review.get_by_label("Headline")).to_have_value("Headline")
        assert await review.locator("[data-field] [id$=-label]").all_inner_texts() == labels

    @pytest.mark.slow
    async def test_edits_in_the_preview_change_the_result(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form, "?tab=try")
        await preview(page).get_by_label("Headline").fill("Changed here")
        back = page.get_by_role("region", name="Result JSON")
        await expect(back).to_contain_text("Changed here")
        await page.get_by_label("Result format").select_option("event")
        await expect(back).to_contain_text("review.completed")


@pytest.fixture(scope="module")
async def editor(browser: Browser, service: Service) -> AsyncIterator[Page]:
    """One page that visits all parts of the editor."""
    workspace = await open_second_account(service)
    form = await workspace.make_form()
    async with visitors_of(browser, service.url) as visitors:
        yield await open_editor(visitors, workspace, form, **WIDE)


class TestLooks:
    @pytest.mark.parametrize("part", PARTS)
    async def test_editor_is_accessible(self, editor: Page, part: str) -> None:
        await editor.goto(editor.url.partition("?")[0] + part)
        await shown(editor, part)
        if not part:
            await entry(editor, "Score (Number)").click()
        await assert_no_errors(editor)
        assert await serious_findings(editor) == []

    async def test_list_and_gallery_are_accessible(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await visitors.open("/review-types", workspace.owner)
        await expect(page.get_by_role("link", name=re.compile(form["name"]))).to_be_visible()
        assert await serious_findings(page) == []
        await button(page, "Create review type").click()
        await expect(button(page, "Use template")).to_be_visible()
        assert await serious_findings(page) == []

    @pytest.mark.slow
    @pytest.mark.parametrize("part", PARTS)
    async def test_editor_on_a_phone(self, workspace: Workspace, visitors: Visitors, part: str) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form, part, **PHONE)
        await shown(page, part)
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]

    @pytest.mark.slow
    async def test_list_on_a_phone(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await visitors.open("/review-types", workspace.owner, **PHONE)
        await expect(page.get_by_role("link", name=re.compile(form["name"]))).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
