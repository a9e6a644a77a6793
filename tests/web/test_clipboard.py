"""Copy buttons if the page has no clipboard, as over plain HTTP, and text that people select themselves."""

import pytest
from playwright.async_api import Locator, Page, expect
from review_type_helpers import entry, open_editor
from support.api import Workspace
from support.browser import Visitors
from web_helpers import button, open_review, request_review

PLAIN_HTTP = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"
NO_COMMAND = "Document.prototype.execCommand = () => false"


async def pasted(page: Page) -> str:
    """The clipboard's content, found by pasting it."""
    tab = await page.context.new_page()
    await tab.set_content("<textarea autofocus></textarea>")
    area = tab.locator("textarea")
    await area.focus()
    await tab.keyboard.press("ControlOrMeta+v")
    value = await area.input_value()
    await tab.close()
    return value


async def new_key(page: Page) -> Locator:
    await page.get_by_role("button", name="Create key").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("My program")
    await dialog.get_by_role("button", name="Create key").click()
    await expect(dialog.get_by_label("API key")).to_be_visible()
    return dialog


class TestWithoutClipboard:
    @pytest.mark.slow
    async def test_a_secret_is_copied(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/settings/keys", workspace.owner)
        await page.add_init_script(PLAIN_HTTP)
        await page.reload()
        dialog = await new_key(page)
        key = await dialog.get_by_label("API key").input_value()
        await button(dialog, "Copy").click()
        await expect(button(dialog, "Copied")).to_be_visible()
        assert await pasted(page) == key

    @pytest.mark.slow
    async def test_secret_is_selected_as_a_fallback(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/settings/keys", workspace.owner)
        await page.add_init_script(PLAIN_HTTP)
        await page.add_init_script(NO_COMMAND)
        await page.reload()
        dialog = await new_key(page)
        key = await dialog.get_by_label("API key").input_value()
        await button(dialog, "Copy").click()
        manual = page.get_by_role("dialog", name="Copy this text")
        await expect(manual).to_contain_text("press Ctrl+C")
        await expect(manual.get_by_label("Text to copy")).to_be_focused()
        await page.keyboard.press("ControlOrMeta+c")
        assert await pasted(page) == key
        await page.keyboard.press("Escape")
        await expect(manual).to_have_count(0)
        await expect(dialog.get_by_label("API key")).to_have_value(key)  # the secret is still there

    @pytest.mark.slow
    async def test_a_link_from_a_menu(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "Linked")
        page = await visitors.open("/", workspace.owner)
        await page.add_init_script(PLAIN_HTTP)
        await page.reload()
        pane = await open_review(page, "Linked")
        await button(pane, "More actions").click()
        await page.get_by_role("menuitem", name="Copy link").click()
        await expect(pane.get_by_text("Link copied")).to_be_visible()
        assert (await pasted(page)).endswith(f"/reviews/{review_id}")


@pytest.mark.slow
class TestSelectedText:
    @pytest.mark.parametrize("secure", [True, False], ids=["https", "http"])
    async def test_in_the_editor(self, workspace: Workspace, visitors: Visitors, secure: bool) -> None:
        form = await workspace.make_form(rules=[])
        page = await open_editor(visitors, workspace, form)
        if not secure:
            await page.add_init_script(PLAIN_HTTP)
            await page.reload()
        await entry(page, "Publishing (Group)").click()
        heading = page.get_by_role("heading", level=2).first
        words = (await heading.inner_text()).strip()
        await heading.evaluate("node => getSelection().selectAllChildren(node)")
        await page.keyboard.press("ControlOrMeta+c")
        assert (await pasted(page)).strip() == words
        await expect(page.get_by_text("Publishing copied")).to_have_count(0)
