"""Two people edit one review type: the second sees the first one's changes, and decides knowingly."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from review_type_helpers import at_version, entry, label, open_editor
from support.api import Workspace, assert_ok
from support.browser import Visitors
from web_helpers import button


async def relabel_elsewhere(
    workspace: Workspace, form: dict[str, Any], field_id: str, words: str, version: int = 1
) -> None:
    """Someone else saves first."""
    fields = [{**field, "label": words} if field["id"] == field_id else field for field in form["fields"]]
    await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": fields, "version": version}))


def labels(form: dict[str, Any]) -> dict[str, str]:
    return {field["id"]: field["label"] for field in form["fields"]}


async def clash(
    workspace: Workspace, visitors: Visitors, theirs: str = "score"
) -> tuple[dict[str, Any], Page, Locator]:
    """I call the score “Mine”, someone else has called a field “Theirs”, and I save."""
    form = await workspace.make_form()
    page = await open_editor(visitors, workspace, form)
    await entry(page, "Score (Number)").click()
    await label(page, "Mine")
    await relabel_elsewhere(workspace, form, theirs, "Theirs")
    await page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("Someone else published a newer version")).to_be_visible()
    await expect(dialog.get_by_role("listitem").first).to_be_visible()
    return form, page, dialog


async def choose(page: Page, dialog: Locator, act: str) -> None:
    """Options that lose one side's changes are in a menu."""
    await button(dialog, "More options").click()
    await page.get_by_role("menuitem", name=act).click()


class TestMerge:
    async def test_second_editor_saves_both_changes(self, workspace: Workspace, visitors: Visitors) -> None:
        form, page, dialog = await clash(workspace, visitors, theirs="body")
        await expect(dialog.get_by_text("Mine (Number)")).to_be_visible()
        await expect(dialog.get_by_text("Body (Long text)")).to_be_visible()
        await expect(dialog.get_by_text("Conflict", exact=True)).to_have_count(0)
        await button(dialog, "Merge and publish").click()
        after = labels(await at_version(workspace, page, form, 3))
        assert (after["score"], after["body"]) == ("Mine", "Theirs")

    @pytest.mark.slow
    @pytest.mark.parametrize("side", ["Mine", "Theirs"])
    async def test_conflict_shows_both_versions(self, workspace: Workspace, visitors: Visitors, side: str) -> None:
        form, page, dialog = await clash(workspace, visitors)
        await expect(dialog.get_by_text("Conflict", exact=True)).to_be_visible()
        await dialog.get_by_role("radio", name=side).check()
        await button(dialog, "Merge and publish").click()
        await expect(dialog).to_be_hidden()
        await expect(entry(page, f"{side} (Number)")).to_be_visible()
        assert labels(await assert_ok(workspace.owner.get(f"/forms/{form['formId']}")))["score"] == side


@pytest.mark.slow
class TestChoose:
    async def test_use_theirs(self, workspace: Workspace, visitors: Visitors) -> None:
        form, page, dialog = await clash(workspace, visitors)
        await choose(page, dialog, "Use theirs")
        await expect(entry(page, "Theirs (Number)")).to_be_visible()
        after = await at_version(workspace, page, form, 2)
        assert labels(after)["score"] == "Theirs"
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        # Mine is one undo away, and editing continues from their version.
        await page.keyboard.press("Control+z")
        await expect(entry(page, "Mine (Number)")).to_be_visible()
        await page.keyboard.press("Control+s")
        assert labels(await at_version(workspace, page, form, 3))["score"] == "Mine"

    async def test_overwrite(self, workspace: Workspace, visitors: Visitors) -> None:
        form, page, dialog = await clash(workspace, visitors, theirs="body")
        await choose(page, dialog, "Overwrite with mine")
        after = labels(await at_version(workspace, page, form, 3))
        assert (after["score"], after["body"]) == ("Mine", "Body")
        await expect(entry(page, "Body (Long text)")).to_be_visible()

    async def test_keep_editing_saves_nothing(self, workspace: Workspace, visitors: Visitors) -> None:
        form, page, dialog = await clash(workspace, visitors)
        await button(dialog, "Keep editing").click()
        await expect(entry(page, "Mine (Number)")).to_be_visible()
        await expect(page.get_by_text("Unsaved changes")).to_be_visible()
        assert labels(await assert_ok(workspace.owner.get(f"/forms/{form['formId']}")))["score"] == "Theirs"


@pytest.mark.slow
class TestRepeated:
    async def test_second_conflict_during_the_first(self, workspace: Workspace, visitors: Visitors) -> None:
        form, page, dialog = await clash(workspace, visitors, theirs="body")
        await relabel_elsewhere(workspace, form, "body", "Later still", version=2)
        await button(dialog, "Merge and publish").click()
        await expect(dialog.get_by_text("published version 3")).to_be_visible()
        await expect(dialog.get_by_text("Later still")).to_be_visible()
        await button(dialog, "Merge and publish").click()
        after = labels(await at_version(workspace, page, form, 4))
        assert (after["score"], after["body"]) == ("Mine", "Later still")

    async def test_reader_is_notified(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await expect(entry(page, "Score (Number)")).to_be_visible()
        await relabel_elsewhere(workspace, form, "score", "Theirs")
        await expect(page.get_by_text("Someone published version 2.")).to_be_visible()
        await button(page, "Load latest version").click()
        await expect(entry(page, "Theirs (Number)")).to_be_visible()
        await at_version(workspace, page, form, 2)
