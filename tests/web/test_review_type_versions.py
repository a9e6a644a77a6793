"""Versions of a review type: what each changed, restoring one, what publishing means for others, and generated code."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from review_type_helpers import at_version, entry, label, open_editor, tab
from support.api import Workspace, assert_ok
from support.browser import Visitors
from web_helpers import button


async def three_versions(workspace: Workspace) -> dict[str, Any]:
    """1: as created. 2: the score is called Points, and the body is removed. 3: another name."""
    form = await workspace.make_form(name="First name")
    fields = [field for field in form["fields"] if field["id"] != "body"]
    fields = [{**field, "label": "Points"} if field["id"] == "score" else field for field in fields]
    layout = [node for node in form["layout"] if node["kind"] != "columns"] + [{"kind": "field", "field": "score"}]
    await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": fields, "layout": layout}))
    await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"name": "Second name"}))
    return form


def version(page: Page, number: int) -> Locator:
    opens = page.get_by_role("button", name=re.compile(f"^Version {number}\\b"))
    return page.get_by_role("listitem").filter(has=opens)


class TestVersions:
    @pytest.mark.slow
    async def test_compare(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await three_versions(workspace)
        page = await open_editor(visitors, workspace, form, "?tab=versions")
        await expect(version(page, 3).get_by_text("Current", exact=True)).to_be_visible()
        await expect(button(version(page, 3), "Restore")).to_have_count(0)
        second = version(page, 2)
        await second.get_by_role("button", name=re.compile("^Version 2")).click()
        await expect(second.get_by_text("Body (Long text)")).to_be_visible()
        await expect(second.get_by_text("Removed", exact=True)).to_be_visible()
        await expect(second.get_by_role("deletion")).to_contain_text(["Score"])
        await expect(second.get_by_role("insertion")).to_contain_text(["Points"])
        await button(second, "Compare with editor").click()
        await expect(second.get_by_text("Body (Long text)")).to_have_count(0)
        await expect(second.get_by_role("deletion")).to_have_text("First name")
        await expect(second.get_by_role("insertion")).to_have_text("Second name")

    @pytest.mark.slow
    async def test_restore(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await three_versions(workspace)
        page = await open_editor(visitors, workspace, form, "?tab=versions")
        await button(version(page, 1), "Restore").click()
        # It's on the canvas for review; nobody else sees it yet.
        await expect(entry(page, "Score (Number)")).to_be_visible()
        await expect(entry(page, "Body (Long text)")).to_be_visible()
        await expect(page.get_by_text("You're viewing version 1.")).to_be_visible()
        assert (await assert_ok(workspace.owner.get(f"/forms/{form['formId']}")))["version"] == 3
        await button(page, "Publish").click()
        after = await at_version(workspace, page, form, 4)
        for member in ("name", "fields", "layout", "rules"):
            assert after[member] == form[member]
        await expect(page.get_by_text("You're viewing version")).to_have_count(0)
        await tab(page, "Versions").click()
        await expect(version(page, 4).get_by_text("Current", exact=True)).to_be_visible()

    @pytest.mark.slow
    async def test_restore_can_be_canceled(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await three_versions(workspace)
        page = await open_editor(visitors, workspace, form, "?tab=versions")
        await button(version(page, 1), "Restore").click()
        await expect(entry(page, "Score (Number)")).to_be_visible()
        await button(page, "Go back to version 3").click()
        await expect(entry(page, "Points (Number)")).to_be_visible()
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()

    @pytest.mark.slow
    async def test_restore_conflict(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await three_versions(workspace)
        page = await open_editor(visitors, workspace, form, "?tab=versions")
        await button(version(page, 1), "Restore").click()
        await expect(entry(page, "Score (Number)")).to_be_visible()
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"allowRetry": False}))
        await button(page, "Publish").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Someone else published a newer version")).to_be_visible()
        await button(dialog, "Merge and publish").click()
        after = await at_version(workspace, page, form, 5)
        assert (after["name"], after["allowRetry"]) == ("First name", False)


class TestPublishing:
    @pytest.mark.slow
    async def test_lists_breaking_changes(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        await workspace.request(form)
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Body (Long text)").click()
        await page.keyboard.press("Delete")
        await button(page, "Publish").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("1 pending review keeps the version it was created with.")).to_be_visible()
        await expect(dialog.get_by_text("These changes may break agents and webhooks")).to_be_visible()
        await expect(dialog.get_by_text("'Body' (body) was removed")).to_be_visible()
        await button(dialog, "Cancel").click()
        assert (await assert_ok(workspace.owner.get(f"/forms/{form['formId']}")))["version"] == 1
        await button(page, "Publish").click()
        await button(dialog, "Publish").click()
        await at_version(workspace, page, form, 2)

    @pytest.mark.slow
    async def test_compatible_changes_need_no_confirmation(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Score (Number)").click()
        await label(page, "Points")
        await button(page, "Publish").click()
        await at_version(workspace, page, form, 2)


@pytest.mark.slow
class TestCode:
    @pytest.mark.parametrize(
        ("language", "ending"), [("TypeScript", "ts"), ("Python (Pydantic)", "py"), ("JSON Schema", "json")]
    )
    async def test_download(
        self, workspace: Workspace, visitors: Visitors, tmp_path: Path, language: str, ending: str
    ) -> None:
        form = await workspace.make_form(name="Newsletter: draft!")
        page = await open_editor(visitors, workspace, form, "?tab=code")
        shown = page.get_by_role("region", name="Code", exact=True)
        await expect(shown).to_contain_text("headline")
        await button(page, language).click()
        await expect(button(page, language)).to_have_attribute("aria-pressed", "true")
        await expect(shown).to_contain_text("headline")
        async with page.expect_download() as started:
            await button(page, "Download").click()
        download = await started.value
        assert download.suggested_filename == f"newsletter-draft.{ending}"
        file = tmp_path / download.suggested_filename
        await download.save_as(file)
        format_id = {"ts": "typescript", "py": "python", "json": "jsonschema"}[ending]
        over_http = await workspace.owner.get(f"/forms/{form['formId']}/code", params={"language": format_id})
        text = file.read_text()
        assert text == over_http.text
        if ending == "py":
            assert any(isinstance(node, ast.ClassDef) for node in ast.parse(text).body)
        elif ending == "json":
            assert json.loads(text)["$schema"].startswith("https://json-schema.org/")
        else:
            assert re.search(r"^export (interface|type) \w+", text, re.MULTILINE)

    async def test_is_of_the_saved_version(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Body (Long text)").click()
        await page.keyboard.press("Delete")
        await tab(page, "Code").click()
        await expect(page.get_by_text("Unsaved changes aren't included.")).to_be_visible()
        await expect(page.get_by_role("region", name="Code", exact=True)).to_contain_text("body")
