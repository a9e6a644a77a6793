"""Unsaved changes: they survive a reload, aren't left by mistake, belong to one member, and can be undone."""

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import Page, expect
from review_type_helpers import entry, label, open_editor
from support.api import Workspace, assert_ok
from support.browser import Visitors
from web_helpers import button


class TestUnsavedChanges:
    async def test_reload_loses_nothing_and_leaving_asks(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Score (Number)").click()
        await label(page, "Points")
        await expect(entry(page, "Points (Number)")).to_be_visible()
        page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.accept()))
        await page.reload()
        await expect(entry(page, "Points (Number)")).to_be_visible()
        await page.get_by_role("link", name="Insights").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Leave with unsaved changes?")).to_be_visible()
        await button(page, "Discard changes").click()
        await page.wait_for_url(re.compile("/insights"))
        await page.goto(f"/review-types/{form['formId']}")
        await expect(entry(page, "Score (Number)")).to_be_visible()

    @pytest.mark.slow
    async def test_next_user_sees_nothing(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        _, editor = await workspace.make_person("editor")
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Score (Number)").click()
        await label(page, "Points")
        await expect(page.get_by_text("Unsaved changes")).to_be_visible()
        await switch_user(page, editor)
        await expect(entry(page, "Score (Number)")).to_be_visible()
        await entry(page, "Score (Number)").click()
        await page.keyboard.press("Control+v")
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()

    @pytest.mark.slow
    async def test_undo_without_limit(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Headline (Text)").click()
        headlines = page.get_by_role("button", name=re.compile(r"^Headline \(Text\)"))
        for _ in range(12):
            await page.keyboard.press("Control+d")
        await expect(headlines).to_have_count(13)
        for _ in range(12):
            await page.keyboard.press("Control+z")
        await expect(headlines).to_have_count(1)
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()


async def switch_user(page: Page, client: Any) -> None:
    """Someone else signs in, in the same tab."""
    page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.accept()))
    origin = page.url.split("/review-types")[0]
    for cookie in client.cookies.jar:
        await page.context.add_cookies([{"name": cookie.name, "value": str(cookie.value), "url": origin}])
    await page.reload()
    assert (await assert_ok(client.get("/auth/me")))["role"] == "editor"
