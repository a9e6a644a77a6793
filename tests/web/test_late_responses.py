"""Late responses: a member's changes in between aren't lost, and no older data replaces them."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, Route, expect
from review_type_helpers import WIDE, assert_no_errors, empty_canvas, entry, label
from support.api import Workspace, assert_ok
from support.browser import Visitors
from web_helpers import button, request_review, row


@asynccontextmanager
async def delay_response(page: Page, path: re.Pattern[str], method: str) -> AsyncIterator[asyncio.Event]:
    """Delays the response to the first such call, which has the state at its time; the event says it was made."""
    requested, let_go, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        if requested.is_set() or route.request.method != method:
            await route.continue_()
            return
        response = await route.fetch()
        requested.set()
        await let_go.wait()
        try:
            await route.fulfill(response=response)
        finally:
            done.set()

    await page.route(path, hold)
    yield requested
    let_go.set()
    await done.wait()


@pytest.mark.slow
class TestSigningOut:
    async def test_shows_no_error(self, workspace: Workspace, visitors: Visitors) -> None:
        person, colleague = await workspace.make_person("reviewer")
        page = await visitors.open("/settings/profile", colleague)
        await expect(page.get_by_label("Name", exact=True)).to_be_visible()

        async def load_slowly(route: Route) -> None:
            await asyncio.sleep(1.5)
            await route.continue_()

        await page.route(re.compile("/sign-in$"), load_slowly)
        await page.evaluate("""() => new MutationObserver(() => {
            if (document.body.innerText.includes('t load this')) sessionStorage.setItem('seen', 'an error')
        }).observe(document.body, { subtree: true, childList: true })""")
        await page.get_by_role("button", name=re.compile(person["name"])).first.click()
        await page.get_by_role("menuitem", name="Sign out").click()
        await expect(page).to_have_url(re.compile("/sign-in$"))
        await expect(page.get_by_label("Email", exact=True)).to_be_visible()
        assert await page.evaluate("sessionStorage.getItem('seen')") is None
        await page.go_back()
        await expect(page).to_have_url(re.compile("/sign-in"))


class TestSettings:
    @pytest.mark.slow
    async def test_earlier_response_does_not_undo_a_choice(self, workspace: Workspace, visitors: Visitors) -> None:
        _, ann = await workspace.make_person()
        page = await visitors.open("/settings/profile", ann)
        choice = page.get_by_label("Email me about pending reviews")
        await expect(choice).to_be_visible()
        async with delay_response(page, re.compile("/auth/me$"), "GET") as is_read:
            await assert_ok(workspace.owner.post("/groups", json={"name": "Legal", "members": []}))
            await is_read.wait()
            async with page.expect_response(lambda answer: answer.request.method == "PATCH"):
                await choice.select_option("Daily digest")
        await expect(page.get_by_label("Daily digest time")).to_be_visible()
        await page.get_by_label("Daily digest time").select_option("5:00 PM")
        await expect(choice.locator("option:checked")).to_have_text("Daily digest")

    async def test_text_typed_while_saving_stays(self, workspace: Workspace, visitors: Visitors) -> None:
        _, ann = await workspace.make_person()
        page = await visitors.open("/settings/profile", ann)
        name = page.get_by_label("Name", exact=True)
        await name.fill("Ann")
        async with delay_response(page, re.compile("/auth/me$"), "PATCH") as is_sent:
            await name.press("Enter")
            await is_sent.wait()
            await name.fill("Ann Lee")
        await expect(page.get_by_role("button", name=re.compile("^Ann$")).first).to_be_visible()
        await expect(name).to_have_value("Ann Lee")
        await name.press("Enter")
        await expect(page.get_by_role("button", name=re.compile("^Ann Lee$")).first).to_be_visible()


@pytest.mark.slow
class TestReviewTypes:
    async def test_edits_while_creating_stay(self, workspace: Workspace, visitors: Visitors) -> None:
        await workspace.make_agent()
        page = await visitors.open("/review-types/new", workspace.owner, **WIDE)
        await page.get_by_label("Review type name").fill("Scores")
        await empty_canvas(page).focus()
        await page.keyboard.press("a")
        await page.get_by_role("dialog").wait_for()
        await page.keyboard.type("number")
        await page.keyboard.press("Enter")
        await label(page, "Score")
        await assert_no_errors(page)
        async with delay_response(page, re.compile("/api/v1/forms$"), "POST") as is_sent:
            await page.keyboard.press("Control+s")
            await button(page.get_by_role("dialog"), "Publish").click()
            await is_sent.wait()
            await label(page, "Points")
        await page.wait_for_url(re.compile("/review-types/frm_"))
        await expect(entry(page, "Points (Number)")).to_be_visible()
        await expect(page.get_by_text("Unsaved changes", exact=True)).to_be_visible()


@pytest.mark.slow
class TestLists:
    async def test_changes_while_a_list_is_read(self, workspace: Workspace, visitors: Visitors) -> None:
        """Each row is in the state of the stream's latest message, which is newer than the response."""
        form = await workspace.make_form()
        [decided] = await request_review(workspace, form, "Soon decided")
        page = await visitors.open("/?view=all", workspace.owner)
        await expect(row(page, "Soon decided")).to_be_visible()
        async with delay_response(page, re.compile(r"/reviews\?.*assignedTo=nobody"), "GET") as is_read:
            await page.get_by_role("link", name=re.compile("Unassigned")).click()
            await is_read.wait()
            await workspace.decide(decided)
            await request_review(workspace, form, "One", "Two")
            # The counts are read after the messages have been handled.
            await expect(page.get_by_role("link", name=re.compile("All pending.*2"))).to_be_visible()
        for title in ("One", "Two"):
            await expect(row(page, title)).to_be_visible()
        await expect(row(page, "Soon decided")).to_be_hidden()
