"""The app in its readers' languages: choosing one, what stays when it changes, and Arabic from right to left."""

import pytest
from playwright.async_api import Page, expect
from support.api import Workspace, assert_ok
from support.browser import PHONE, Visitors, serious_findings
from web_helpers import button, open_review, request_review


async def set_language(workspace: Workspace, language: str | None) -> None:
    await assert_ok(workspace.owner.patch("/auth/me", json={"language": language}))


async def assert_page_language(page: Page, language: str, direction: str = "ltr") -> None:
    await expect(page.locator("html")).to_have_attribute("lang", language)
    await expect(page.locator("html")).to_have_attribute("dir", direction)


@pytest.fixture
async def german(workspace: Workspace) -> Workspace:
    await set_language(workspace, "de")
    return workspace


class TestChoosing:
    async def test_in_the_profile(self, workspace: Workspace, visitors: Visitors) -> None:
        """The page changes immediately, keeps focus, and loses no input."""
        await request_review(workspace, await workspace.make_form(), "Half done")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Half done")
        await review.get_by_label("Body").fill("Not finished yet")
        await page.get_by_role("link", name="Settings", exact=True).click()
        choice = page.get_by_label("Language", exact=True)
        await expect(choice).to_have_value("")
        await choice.select_option("Deutsch")
        await assert_page_language(page, "de")
        await expect(page.get_by_role("heading", name="Profil", exact=True)).to_be_visible()
        await expect(page.get_by_label("Sprache", exact=True)).to_be_focused()
        await page.go_back()
        await expect(page.get_by_label("Body")).to_have_value("Not finished yet")

    async def test_workspace_default(self, workspace: Workspace, visitors: Visitors) -> None:
        await assert_ok(workspace.owner.patch("/account", json={"language": "fr"}))
        page = await visitors.open("/settings/profile", workspace.owner, locale="es-ES")
        await assert_page_language(page, "fr")
        await set_language(workspace, "ja")
        await page.reload()
        await assert_page_language(page, "ja")

    async def test_browser_language(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/settings/profile", workspace.owner, locale="pt-PT")
        await assert_page_language(page, "pt-BR")

    async def test_by_a_visitor(self, visitors: Visitors) -> None:
        page = await visitors.open("/sign-in", locale="de-AT")
        await expect(page.get_by_role("heading", name="Anmelden")).to_be_visible()
        await page.get_by_label("Sprache").select_option("ar")
        await assert_page_language(page, "ar", "rtl")
        await page.reload()
        await assert_page_language(page, "ar", "rtl")

    async def test_external_reviewers_get_the_language_of_the_request(
        self, workspace: Workspace, visitors: Visitors
    ) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["client@example.org"], lang="de")
        page = await visitors.open(review["extReviewerLinks"][0]["link"], locale="fr")
        await assert_page_language(page, "de")
        await page.get_by_label("Body").fill("Noch nicht fertig")
        await page.get_by_label("Sprache").select_option("en")
        await assert_page_language(page, "en")
        await expect(page.get_by_label("Body")).to_have_value("Noch nicht fertig")

    async def test_missing_catalog_falls_back_to_english(self, german: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/sign-in", german.owner)
        visitors.watches[-1].expected.append("net::ERR_FAILED")
        await page.route("**/static/de-*.js", lambda route: route.abort())
        await page.goto("/settings/profile")
        await expect(page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()
        await assert_page_language(page, "en")


class TestWorking:
    async def test_a_decision_in_german(self, german: Workspace, visitors: Visitors) -> None:
        [review_id] = await request_review(german, await german.make_form(), "Bitte prüfen")
        page = await visitors.open("/?view=all", german.owner)
        await page.locator("[data-scroller=reviews]").get_by_role("link", name="Bitte prüfen").click()
        await button(page, "Genehmigen").click()
        await page.goto("/insights")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert (await german.review(review_id))["reviewResult"]["response"] == "approved"

    async def test_an_error_of_the_service(self, german: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/sign-in", locale="de")
        async with page.expect_request("**/auth/login") as sent:
            await page.get_by_label("E-Mail").fill("nobody@example.org")
            await page.get_by_label("Passwort", exact=True).fill("wrong password")
            await page.keyboard.press("Enter")
        assert (await (await sent.value).all_headers())["accept-language"] == "de"

    @pytest.mark.parametrize("language", ["de", "ja", "ar"])
    async def test_accessible(self, workspace: Workspace, visitors: Visitors, language: str) -> None:
        await set_language(workspace, language)
        [review_id] = await request_review(workspace, await workspace.make_form(), "Look at me")
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner)
        for path in (None, "/settings/profile", "/insights"):
            if path is not None:
                await page.goto(path)
            await expect(page.get_by_role("main").first).to_be_visible()
            await assert_page_language(page, language, "rtl" if language == "ar" else "ltr")
            assert await serious_findings(page) == []


class TestRightToLeft:
    async def test_the_page_is_mirrored(self, workspace: Workspace, visitors: Visitors) -> None:
        await set_language(workspace, "ar")
        await request_review(workspace, await workspace.make_form(), "Left to right")
        page = await visitors.open("/?view=all", workspace.owner, viewport={"width": 1280, "height": 800})
        await assert_page_language(page, "ar", "rtl")
        sidebar = await page.locator("aside").bounding_box()
        rows = await page.locator("[data-scroller=reviews]").bounding_box()
        assert sidebar is not None
        assert rows is not None
        assert sidebar["x"] > rows["x"]
        assert await page.evaluate("document.documentElement.scrollWidth") <= 1280

    async def test_keys_of_a_shortcut_keep_their_order(self, workspace: Workspace, visitors: Visitors) -> None:
        await set_language(workspace, "ar")
        page = await visitors.open("/?view=all", workspace.owner, viewport={"width": 1280, "height": 800})
        keys = page.locator("aside kbd")
        await expect(keys).to_have_text(["Ctrl", "K"])
        control, letter = [await keys.nth(place).bounding_box() for place in range(2)]
        assert control is not None
        assert letter is not None
        assert control["x"] < letter["x"]
        assert control["y"] == letter["y"]

    async def test_arrow_keys_follow_the_text(self, workspace: Workspace, visitors: Visitors) -> None:
        await set_language(workspace, "ar")
        page = await visitors.open("/settings/profile", workspace.owner)
        themes = page.get_by_role("radiogroup").first.get_by_role("radio")
        await themes.first.focus()
        await page.keyboard.press("ArrowLeft")
        await expect(themes.nth(1)).to_be_focused()
        first, second = await themes.nth(0).bounding_box(), await themes.nth(1).bounding_box()
        assert first is not None
        assert second is not None
        assert second["x"] < first["x"]

    async def test_tab_order_follows_the_text(self, workspace: Workspace, visitors: Visitors) -> None:
        """From right to left within a row, in reading order."""
        await set_language(workspace, "ar")
        page = await visitors.open("/?view=all", workspace.owner, viewport={"width": 1280, "height": 800})
        buttons = page.locator("aside").get_by_role("button")
        await buttons.nth(0).focus()
        await page.keyboard.press("Tab")
        await expect(buttons.nth(1)).to_be_focused()
        first, second = await buttons.nth(0).bounding_box(), await buttons.nth(1).bounding_box()
        assert first is not None
        assert second is not None
        assert first["x"] > second["x"] or first["y"] < second["y"]

    @pytest.mark.parametrize("path", ["/?view=all", "/settings/profile", "/settings/workspace", "/insights"])
    async def test_fits_a_phone(self, workspace: Workspace, visitors: Visitors, path: str) -> None:
        await set_language(workspace, "ar")
        page = await visitors.open(path, workspace.owner, **PHONE)
        await expect(page.get_by_role("main").first).to_be_visible()
        await assert_page_language(page, "ar", "rtl")
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
