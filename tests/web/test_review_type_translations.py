"""Review types in several languages: translated in the editor, read in one of them, and decided the same in all."""

import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from review_type_helpers import WIDE, assert_no_errors, at_version, open_editor, preview, published, tab
from support.api import Workspace, assert_ok, unique
from support.browser import PHONE, Visitors, serious_findings
from support.receiver import Receiver
from web_helpers import button, request_review, row, send_now

GERMAN: dict[str, Any] = {
    "name": "Entwurf prüfen",
    "fields": {
        "headline": {"label": "Überschrift"},
        "channel": {
            "label": "Kanal",
            "options": {"blog": {"label": "Netztagebuch"}, "mail": {"label": "Rundbrief"}},
        },
        "tags": {"options": {"a": {"label": "Eilig"}}},
    },
    "groups": {"publishing": {"label": "Veröffentlichung"}},
}
ARABIC: dict[str, Any] = {"name": "مراجعة المسودة", "fields": {"headline": {"label": "العنوان"}}}
TEXTS = 11
"""Of the tests' review type."""


def text(page: Page, name: str) -> Locator:
    """The input for a translation."""
    return page.get_by_role("textbox", name=name, exact=True)


def progress(page: Page, done: int, total: int = TEXTS) -> Locator:
    return page.get_by_text(f"{done} of {total} translated", exact=True)


async def open_translations(visitors: Visitors, workspace: Workspace, form: dict[str, Any], **options: Any) -> Page:
    return await open_editor(visitors, workspace, form, "?tab=translations", **options)


async def add_language(page: Page, name: str) -> None:
    await button(page, "Add language").first.click()
    await page.get_by_role("menuitem", name=name).click()


async def speak(client: Any, language: str) -> None:
    await assert_ok(client.patch("/auth/me", json={"language": language}))


@pytest.mark.slow
class TestEditing:
    async def test_an_editor_translates_a_review_type(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_translations(visitors, workspace, form)
        await expect(page.get_by_text("No translations yet")).to_be_visible()
        await add_language(page, "German")
        await expect(text(page, "Review type: Name")).to_be_focused()
        await expect(text(page, "Review type: Name")).to_have_attribute("placeholder", "Review AI draft")
        await expect(progress(page, 0)).to_be_visible()
        await page.keyboard.type("Entwurf prüfen")
        await page.keyboard.press("Enter")
        await expect(text(page, "Headline: Label")).to_be_focused()
        await page.keyboard.type("Überschrift")
        await text(page, "Channel: Blog").fill("Netztagebuch")
        await text(page, "Publishing: Heading").fill("Veröffentlichung")
        await expect(progress(page, 4)).to_be_visible()
        await expect(preview(page).get_by_label("Überschrift")).to_be_visible()
        await expect(preview(page).get_by_label("Body")).to_be_visible()
        await assert_no_errors(page)
        after = await published(workspace, page, form, 2)
        assert after["translations"] == {
            "de": {
                "name": "Entwurf prüfen",
                "fields": {
                    "headline": {"label": "Überschrift"},
                    "channel": {"options": {"blog": {"label": "Netztagebuch"}}},
                },
                "groups": {"publishing": {"label": "Veröffentlichung"}},
            }
        }
        assert after["fields"] == form["fields"]

    async def test_only_missing_texts(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(translations={"de": GERMAN})
        page = await open_translations(visitors, workspace, form)
        await expect(progress(page, 7)).to_be_visible()
        await page.get_by_label("Show only missing").click()
        await expect(text(page, "Headline: Label")).to_have_count(0)
        for name in ("Body: Label", "Score: Label", "Tags: Label", "Tags: B"):
            await text(page, name).fill("…")
        await expect(progress(page, TEXTS)).to_be_visible()
        await expect(text(page, "Body: Label"), "it stays while it's edited").to_be_visible()
        await page.get_by_label("Show only missing").click()
        await page.get_by_label("Show only missing").click()
        await expect(page.get_by_text("Everything is translated")).to_be_visible()
        await button(page, "Show all text").click()
        await expect(text(page, "Headline: Label")).to_have_value("Überschrift")

    async def test_undo_and_remove(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(translations={"de": GERMAN, "ar": ARABIC})
        page = await open_translations(visitors, workspace, form)
        await page.get_by_role("group", name="Language").get_by_role("button", name="Arabic").click()
        await expect(text(page, "Headline: Label")).to_have_value("العنوان")
        await page.reload()
        await text(page, "Headline: Label").fill("عنوان")
        await page.keyboard.press("Control+z")
        await expect(text(page, "Headline: Label")).to_have_value("العنوان")
        await button(page, "Remove language").click()
        dialog = page.get_by_role("dialog", name="Remove Arabic?")
        await expect(dialog.get_by_text("2 translations will be removed.")).to_be_visible()
        await button(dialog, "Remove language").click()
        await expect(text(page, "Headline: Label")).to_have_value("Überschrift")
        await assert_no_errors(page)
        assert (await published(workspace, page, form, 2))["translations"] == {"de": GERMAN}
        await button(page, "Undo").click()
        assert (await published(workspace, page, form, 3))["translations"] == {"de": GERMAN, "ar": ARABIC}

    async def test_changes_are_named_by_their_originals(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(translations={"de": GERMAN})
        page = await open_translations(visitors, workspace, form)
        await text(page, "Headline: Label").fill("Titel")
        theirs = {"de": {**GERMAN, "fields": {**GERMAN["fields"], "headline": {"label": "Schlagzeile"}}}}
        body = {"translations": theirs, "version": 1}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=body))
        await page.keyboard.press("Control+s")
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Translations: German")).to_be_visible()
        await expect(dialog.get_by_role("term")).to_have_text(["Headline: Label", "Headline: Label"])
        await expect(dialog.get_by_role("insertion")).to_have_text(["Schlagzeile", "Titel"])
        assert await serious_findings(page) == []
        await button(dialog, "Merge and publish").click()
        assert (await at_version(workspace, page, form, 3))["translations"]["de"]["fields"]["headline"] == {
            "label": "Titel"
        }
        await tab(page, "Versions").click()
        await page.get_by_role("button", name=re.compile("^Version 3")).click()
        await expect(page.get_by_role("term")).to_have_text(["Headline: Label"])
        await expect(page.get_by_role("deletion")).to_have_text(["Schlagzeile"])

    async def test_an_error_is_at_its_text(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(translations={"de": GERMAN})
        page = await open_translations(visitors, workspace, form)
        await text(page, "Channel: Mail").fill("x" * 1_001)
        await expect(page.get_by_text("1 error", exact=True)).to_be_visible()
        await expect(text(page, "Channel: Mail")).to_have_attribute("aria-invalid", "true")
        await expect(text(page, "Channel: Blog")).not_to_have_attribute("aria-invalid", "true")
        await tab(page, "Design").click()
        await button(page, "1 error").click()
        await page.get_by_role("menuitem", name="Translations: German").click()
        await expect(text(page, "Channel: Mail")).to_be_focused()

    async def test_a_changed_original_is_marked(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(translations={"de": GERMAN})
        page = await open_editor(visitors, workspace, form)
        await page.get_by_label("Review type name").fill("Check AI draft")
        await tab(page, "Translations").click()
        hint = page.get_by_text("The original text changed. It was “Review AI draft”. Check the translation.")
        await expect(hint).to_be_visible()
        await text(page, "Review type: Name").fill("KI-Entwurf prüfen")
        await expect(hint).to_have_count(0)

    async def test_the_preview_in_a_language(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(translations={"ar": ARABIC})
        page = await open_editor(visitors, workspace, form, "?tab=try")
        await expect(preview(page).get_by_label("Headline")).to_be_visible()
        await preview(page).get_by_label("Preview language").select_option("Arabic")
        await expect(preview(page).get_by_label("العنوان")).to_be_visible()
        await expect(preview(page).locator("[dir=rtl][lang=ar]")).to_be_visible()
        await expect(page.locator("html")).to_have_attribute("dir", "ltr")

    @pytest.mark.parametrize("options", [WIDE, PHONE], ids=["wide", "phone"])
    @pytest.mark.parametrize("language", ["en", "ar"])
    async def test_nothing_serious_for_axe(
        self, workspace: Workspace, visitors: Visitors, language: str, options: dict[str, Any]
    ) -> None:
        await speak(workspace.owner, language)
        form = await workspace.make_form(translations={"de": GERMAN, "ar": ARABIC})
        page = await open_translations(visitors, workspace, form, **options)
        await expect(page.locator("[data-text-input]")).to_have_count(TEXTS)
        assert await serious_findings(page) == []
        width = page.viewport_size
        assert width is not None
        assert await page.evaluate("document.documentElement.scrollWidth") <= width["width"]


@pytest.mark.slow
class TestReading:
    async def test_a_reviewer_decides_in_german(
        self, workspace: Workspace, visitors: Visitors, receiver: Receiver
    ) -> None:
        """Translated texts are shown in German; the result is the same in every language."""
        path = "/" + unique("hook")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        form = await workspace.make_form(agent, translations={"de": GERMAN, "ar": ARABIC})
        _, reviewer = await workspace.make_person()
        await speak(reviewer, "de")
        data = {
            "draft": {"headline": "Autumn news"},
            "body": "Leaves fall.",
            "score": 7,
            "channel": "blog",
            "tags": ["a"],
        }
        review = await workspace.request(form, data=data)
        page = await visitors.open(f"/reviews/{review['reviewId']}", reviewer)
        await expect(page.get_by_label("Überschrift")).to_have_value("Autumn news")
        await expect(page.get_by_label("Body")).to_be_visible()
        await expect(page.get_by_role("group", name="Veröffentlichung")).to_be_visible()
        await expect(page.get_by_role("checkbox", name="Eilig")).to_be_checked()
        await expect(page.get_by_role("checkbox", name="B", exact=True)).not_to_be_checked()
        await page.get_by_role("combobox", name="Kanal").click()
        await page.get_by_role("option", name="Rundbrief").click()
        await button(page, "Genehmigen").click()
        await send_now(page)
        [call] = await receiver.wait_for(path, 1, within=30)
        result = call.json["reviewResult"]
        assert result["response"] == "approved"
        assert result["responseValues"]["channel"] == {"value": "mail"}
        assert result["responseValues"]["tags"] == {"value": [{"id": "a", "label": "A"}]}
        [item] = (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]
        assert item["formName"] == "Review AI draft"

    async def test_lists_in_german(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(translations={"de": GERMAN})
        await request_review(workspace, form, "Autumn news")
        _, reviewer = await workspace.make_person()
        await speak(reviewer, "de")
        page = await visitors.open("/?view=all", reviewer, **WIDE)
        await expect(row(page, "Autumn news")).to_contain_text("Entwurf prüfen")
        await button(page, "Filtern").click()
        filters = page.get_by_role("dialog", name="Filtern")
        await filters.get_by_label("Prüfungstyp").select_option("Entwurf prüfen")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("heading", name="Entwurf prüfen")).to_be_visible()
        await row(page, "Autumn news").click()
        opened = page.get_by_role("region", name="Prüfung: Autumn news")
        await expect(opened.get_by_text("Entwurf prüfen", exact=True)).to_be_visible()
        await page.keyboard.press("Control+k")
        await page.keyboard.type("Review AI draft")
        await expect(page.get_by_role("option", name="Entwurf prüfen", exact=True)).to_be_visible()

    async def test_pages_opened_directly_on_a_phone(self, workspace: Workspace, visitors: Visitors) -> None:
        """Without the sidebar; the archived review type is in no other list."""
        form = await workspace.make_form(translations={"de": GERMAN})
        archived = await workspace.make_form(translations={"de": {"name": "Altes prüfen"}})
        run_id = unique("run")
        review = await workspace.request(form, workflow={"runId": run_id})
        await workspace.request(archived, sessionId=review["sessionId"], workflow={"runId": run_id})
        await assert_ok(workspace.manager.delete(f"/forms/{archived['formId']}"))
        _, reviewer = await workspace.make_person()
        await speak(reviewer, "de")
        page = await visitors.open(f"/sessions/{review['sessionId']}", reviewer, **PHONE)
        for path in (None, f"/runs/{run_id}"):
            if path is not None:
                await page.goto(path)
            await expect(page.get_by_text("Entwurf prüfen").first).to_be_visible()
            await expect(page.get_by_text("Altes prüfen").first).to_be_visible()
            await expect(page.get_by_text("Review AI draft")).to_have_count(0)

    async def test_an_external_reviewer_and_the_public_form(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(titleField=None, translations={"ar": ARABIC}, allowExternalReviewers=True)
        review = await workspace.request(form, extReviewers=["client@example.org"], lang="ar")
        page = await visitors.open(review["extReviewerLinks"][0]["link"], **PHONE)
        await expect(page.get_by_role("heading", name=ARABIC["name"])).to_be_visible()
        await expect(page).to_have_title(ARABIC["name"])
        await expect(page.locator("html")).to_have_attribute("dir", "rtl")
        await expect(page.get_by_label("العنوان")).to_have_value("Autumn news")
        await expect(page.get_by_label("Body")).to_be_visible()
        assert await serious_findings(page) == []
        trigger = await workspace.make_form(trigger=True, allowRetry=False, translations={"ar": ARABIC})
        link = await assert_ok(workspace.manager.put(f"/forms/{trigger['formId']}/publicLink", json={}))
        path = f"/f/{link['link'].rpartition('/')[2]}"
        page = await visitors.open(path, locale="ar", **PHONE)
        await expect(page.get_by_role("heading", name=ARABIC["name"])).to_be_visible()
        await expect(page.get_by_label("العنوان")).to_be_visible()
        assert await serious_findings(page) == []
