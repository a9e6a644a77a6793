"""Review types in their list: created, renamed, copied, archived, and moved from one workspace to another."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from review_type_helpers import WIDE, entry, preview, publish_new, saved_form
from support.api import Workspace, assert_ok, unique
from support.browser import Visitors
from support.in_process import Service
from support.second_account import open_second_account
from web_helpers import button


def listed(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Review types").get_by_role("link", name=re.compile(re.escape(name)))


async def choose(page: Page, form: dict[str, Any], act: str) -> None:
    await button(page, f"More actions for {form['name']}").click()
    await page.get_by_role("menuitem", name=act).click()


async def import_file(page: Page, file: Path) -> Locator:
    """Choose a file and import it; returns the dialog."""
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("File").set_input_files(file)
    await button(dialog, "Import").click()
    return dialog


async def names(workspace: Workspace) -> list[str]:
    return [form["name"] for form in (await assert_ok(workspace.owner.get("/forms")))["items"]]


class TestStarting:
    @pytest.mark.slow
    async def test_from_a_sample(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", workspace.owner, **WIDE)
        await page.locator("header").get_by_role("button", name="Create review type").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="Sample data").click()
        sample = {"subject": "Your order", "confidence": 0.92, "send_at": "2026-05-01", "urgent": True}
        await dialog.get_by_label("Sample data").fill(json.dumps(sample))
        await button(page, "Create fields").click()
        await expect(entry(page, "Subject (Text)").or_(button(page, "Continue to editor"))).to_be_visible()
        if await button(page, "Continue to editor").count():
            await button(page, "Continue to editor").click()
        await expect(preview(page).get_by_label("Subject")).to_have_value("Your order")
        form = await publish_new(workspace, page)
        assert {field["path"] for field in form["fields"]} == set(sample)

    @pytest.mark.slow
    async def test_from_invalid_text(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", workspace.owner, **WIDE)
        await button(page, "Create review type").first.click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="Sample data").click()
        sample = dialog.get_by_label("Sample data")
        for text, words in [("{", "Invalid JSON"), ("[1]", "Enter a JSON object.")]:
            await sample.fill(text)
            await button(page, "Create fields").click()
            await expect(dialog.get_by_role("alert")).to_contain_text(words)
            await expect(sample).to_have_value(text)

    @pytest.mark.slow
    async def test_leaving_an_unsaved_one_asks(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types/new", workspace.owner, **WIDE)
        await page.get_by_label("Review type name").fill("Half done")
        await expect(page.get_by_text("1 error")).to_be_visible()
        await page.get_by_role("link", name="Back to review types").click()
        await button(page, "Keep draft and leave").click()
        await button(page, "Create review type").first.click()
        await button(page, "Use template").click()
        await expect(page.get_by_text("Half done isn't saved yet.")).to_be_visible()
        await button(page, "Cancel").click()
        await button(page, "Close").click()
        await page.get_by_role("link", name="Continue editing").click()
        await expect(page.get_by_label("Review type name")).to_have_value("Half done")

    async def test_from_a_template(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", workspace.owner, **WIDE)
        await button(page, "Create review type").first.click()
        await page.get_by_role("dialog").get_by_role("button", name=re.compile("^Support reply")).click()
        await button(page, "Use template").click()
        await expect(page.get_by_role("heading", name="Support reply")).to_be_visible()
        assert (await publish_new(workspace, page))["fields"]

    @pytest.mark.slow
    async def test_from_a_template_in_another_language(self, workspace: Workspace, visitors: Visitors) -> None:
        """The texts are in the language of whoever creates it; the IDs are not."""
        _, german = await workspace.make_person("admin")
        await assert_ok(german.patch("/auth/me", json={"language": "de"}))
        page = await visitors.open("/review-types", german, **WIDE)
        await button(page, "Prüfungstyp erstellen").first.click()
        await page.get_by_role("dialog").get_by_role("button", name=re.compile("^Support-Antwort")).click()
        await button(page, "Vorlage verwenden").click()
        await expect(page.get_by_role("heading", name="Support-Antwort")).to_be_visible()
        await expect(page.get_by_text("Nächster Schritt").first).to_be_visible()


@pytest.mark.slow
class TestManaging:
    async def test_rename(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(name=unique("Old name"))
        page = await visitors.open("/review-types", workspace.owner)
        await choose(page, form, "Rename")
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_label("Name")).to_have_value(form["name"])
        await dialog.get_by_label("Name").fill("   ")
        await button(dialog, "Rename").click()
        await expect(dialog.get_by_role("alert")).to_be_visible()
        await dialog.get_by_label("Name").fill("A better name")
        await button(dialog, "Rename").click()
        await expect(listed(page, "A better name")).to_be_visible()
        after = await assert_ok(workspace.owner.get(f"/forms/{form['formId']}"))
        assert after["name"] == "A better name"
        assert after["fields"] == form["fields"]

    async def test_duplicate(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(name=unique("Original"))
        page = await visitors.open("/review-types", workspace.owner, **WIDE)
        await choose(page, form, "Duplicate")
        copy = await saved_form(workspace, page)
        assert copy["formId"] != form["formId"]
        assert copy["name"] == f"Copy of {form['name']}"
        for member in ("fields", "layout", "rules", "agentId", "titleField"):
            assert copy[member] == form[member]
        await page.get_by_role("link", name="Back to review types").click()
        await expect(listed(page, copy["name"])).to_be_visible()

    async def test_archive_and_restore(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(name=unique("Seldom used"))
        page = await visitors.open("/review-types", workspace.owner)
        await choose(page, form, "Archive")
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Agents can't request new reviews of this type.")).to_be_visible()
        await button(dialog, "Cancel").click()
        await expect(listed(page, form["name"])).to_be_visible()
        await choose(page, form, "Archive")
        await button(dialog, "Archive").click()
        await expect(dialog).to_have_count(0)  # nothing behind it has a role while it's open
        await expect(listed(page, form["name"])).to_have_count(0)
        assert (await assert_ok(workspace.owner.get(f"/forms/{form['formId']}")))["archivedAt"]
        await button(page, "Archived").click()
        await choose(page, form, "Unarchive")
        await expect(listed(page, form["name"])).to_have_count(0)
        await button(page, "Active").click()
        await expect(listed(page, form["name"])).to_be_visible()
        await workspace.request(form)

    async def test_audit_log_shows_its_name(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        await assert_ok(workspace.owner.delete(f"/forms/{form['formId']}"))
        await assert_ok(workspace.owner.post(f"/forms/{form['formId']}/unarchive"))
        page = await visitors.open("/settings/audit-log", workspace.owner)
        await page.get_by_label("Action").select_option("form.unarchived")
        await expect(page.get_by_role("row").filter(has_text="Review type unarchived").first).to_be_visible()


class TestFiles:
    @pytest.mark.slow
    async def test_export_then_import_elsewhere(
        self, workspace: Workspace, visitors: Visitors, service: Service, tmp_path: Path
    ) -> None:
        form = await workspace.make_form(name="Newsletter, weekly")
        page = await visitors.open("/review-types", workspace.owner)
        async with page.expect_download() as started:
            await choose(page, form, "Export")
        download = await started.value
        assert download.suggested_filename == "newsletter-weekly.signoff.json"
        file = tmp_path / download.suggested_filename
        await download.save_as(file)
        assert json.loads(file.read_text())["signoff"] == "form/1"
        await expect(listed(page, form["name"])).to_be_visible()

        elsewhere = await open_second_account(service)
        page = await visitors.open("/review-types", elsewhere.owner, **WIDE)
        await button(page, "Import").click()
        await import_file(page, file)
        there = await saved_form(elsewhere, page)
        assert there["formId"] != form["formId"]
        for member in ("name", "fields", "layout", "rules", "titleField", "width", "allowRetry"):
            assert there[member] == form[member]
        await elsewhere.close()

    @pytest.mark.slow
    async def test_import_mentions_unknown_members(
        self, workspace: Workspace, visitors: Visitors, tmp_path: Path
    ) -> None:
        form = await workspace.make_form(name="With strangers")
        exported = await assert_ok(workspace.owner.get(f"/forms/{form['formId']}/export"))
        exported["defaultReviewers"] = {"users": ["nobody@example.com"], "groups": ["Night shift"], "external": []}
        file = tmp_path / "strangers.json"
        file.write_text(json.dumps(exported))
        page = await visitors.open("/review-types", workspace.owner, **WIDE)
        await button(page, "Import").click()
        dialog = await import_file(page, file)
        await expect(dialog.get_by_text("nobody@example.com")).to_be_visible()
        await expect(dialog.get_by_text("Night shift")).to_be_visible()
        await button(dialog, "Open review type").click()
        assert (await saved_form(workspace, page))["defaultReviewers"]["users"] == []

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b'{"signoff": "form/1", "name": "Half', "doesn't contain valid JSON"),
            (b"", "doesn't contain valid JSON"),
            (b"\x89PNG\r\n\x1a\n\x00\x00", "doesn't contain valid JSON"),
            (b'"just text"', "doesn't contain a review type"),
            (b'{"reviews": [1, 2, 3]}', "doesn't contain a review type"),
            (b'{"signoff": "form/9", "name": "Later", "fields": []}', "this version of Signoff supports"),
            (b'{"signoff": "form/1", "name": "Odd", "fields": [{"id": "a", "type": "hologram"}]}', "fields[0].type"),
            (b'"' + b"x" * (26 * 1024 * 1024) + b'"', "too large"),
        ],
        ids=["broken", "empty", "a-picture", "not-an-object", "another-kind", "another-format", "faulty", "huge"],
    )
    async def test_invalid_file(
        self, workspace: Workspace, visitors: Visitors, tmp_path: Path, content: bytes, words: str
    ) -> None:
        form = await workspace.make_form(name=unique("Here before"))
        before = await names(workspace)
        page = await visitors.open("/review-types", workspace.owner)
        await button(page, "Import").click()
        file = tmp_path / "chosen.json"
        file.write_bytes(content)
        dialog = await import_file(page, file)
        await expect(dialog.get_by_role("alert")).to_contain_text(words)
        assert await names(workspace) == before
        # The dialog is still open and accepts the right file.
        exported = await assert_ok(workspace.owner.get(f"/forms/{form['formId']}/export"))
        right = tmp_path / "right.json"
        right.write_text(json.dumps({**exported, "name": "The right one"}))
        await import_file(page, right)
        await expect(page.get_by_role("heading", name="The right one").first).to_be_visible()

    @pytest.mark.slow
    async def test_without_a_file(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", workspace.owner)
        await button(page, "Import").click()
        dialog = page.get_by_role("dialog")
        await button(dialog, "Import").click()
        await expect(dialog.get_by_role("alert")).to_have_text("Choose a file.")


class TestPermissions:
    @pytest.mark.slow
    @pytest.mark.parametrize("role", ["reviewer", "viewer"])
    @pytest.mark.parametrize("place", ["", "/new", "/{form}", "/{form}?tab=rules"])
    async def test_others_see_why_and_a_link_back(
        self, workspace: Workspace, visitors: Visitors, role: str, place: str
    ) -> None:
        form = await workspace.make_form()
        _, person = await workspace.make_person(role)
        page = await visitors.open(f"/review-types{place.format(form=form['formId'])}", person)
        main = page.get_by_role("main")
        await expect(main.get_by_role("heading", name="You don't have access to review types")).to_be_visible()
        await expect(main.get_by_role("button")).to_have_count(0)
        await expect(page.get_by_role("link", name="Review types")).to_be_hidden()
        await main.get_by_role("link", name="Back to inbox").click()
        await expect(page).not_to_have_url(re.compile("review-types"))

    @pytest.mark.slow
    async def test_editors_can_edit(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        _, editor = await workspace.make_person("editor")
        page = await visitors.open("/review-types", editor, **WIDE)
        await listed(page, form["name"]).click()
        await expect(entry(page, "Score (Number)")).to_be_visible()
