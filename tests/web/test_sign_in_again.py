"""A sign-in that ends while a member works: they sign in again and continue, and nobody else gets their work."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from playwright.async_api import Locator, Page, Route, expect
from review_type_helpers import WIDE, entry, label
from support.api import Workspace, assert_error, assert_ok, unique
from support.browser import PHONE, Visitors, serious_findings
from web_helpers import button, open_review, pane, pass_undo_time, request_review, row

PASSWORD = "a password that is long"


async def signed_in(workspace: Workspace, person: dict[str, Any]) -> httpx.AsyncClient:
    client = workspace.client()
    await assert_ok(client.post("/auth/login", json={"email": person["email"], "password": PASSWORD}))
    return client


async def end_sign_ins(workspace: Workspace, person: dict[str, Any]) -> None:
    """All of a member's, in every browser."""
    client = await signed_in(workspace, person)
    await assert_ok(client.delete("/auth/sessions"))
    await assert_ok(client.post("/auth/logout"))
    await client.aclose()


@asynccontextmanager
async def end_session(workspace: Workspace, person: dict[str, Any], *pages: Page) -> AsyncIterator[None]:
    """The body runs before the pages know: their requests arrive after their sign-ins have ended.

    A page that notices earlier covers itself with a dialog, which then gets the clicks and keys.
    """
    ended = asyncio.Event()

    async def hold(route: Route) -> None:
        await ended.wait()
        await route.continue_()

    for page in pages:
        await page.route("**/api/v1/**", hold)
    yield
    await end_sign_ins(workspace, person)
    ended.set()


async def open_interrupted_page(
    workspace: Workspace, visitors: Visitors, text: str
) -> tuple[dict[str, Any], str, Page]:
    """A member whose session ends while they edit a review, the review, and their page with the dialog."""
    person, client = await workspace.make_person()
    [review_id] = await request_review(workspace, await workspace.make_form(), "First")
    page = await visitors.open(f"/reviews/{review_id}", client)
    await expect(page.get_by_label("Headline")).to_be_visible()
    async with end_session(workspace, person, page):
        await page.get_by_label("Headline").fill(text)
    await expect(sign_in_dialog(page)).to_be_visible()
    return person, review_id, page


def sign_in_dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Sign in again")


async def sign_in(page: Page) -> None:
    dialog = sign_in_dialog(page)
    await dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    await button(dialog, "Sign in").click()
    await expect(dialog).to_have_count(0)


async def headline_of_draft(client: httpx.AsyncClient, review_id: str) -> str | None:
    draft = (await assert_ok(client.get(f"/reviews/{review_id}/draft")))["draft"]
    return draft and draft["data"]["draft"]["headline"]


class TestSameUser:
    async def test_continues_a_review(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        first, _ = await request_review(workspace, await workspace.make_form(), "First", "Second")
        page = await visitors.open("/", client)
        await open_review(page, "First")
        headline = page.get_by_label("Headline")
        async with end_session(workspace, person, page):
            await headline.fill("What I typed")
        await expect(sign_in_dialog(page)).to_be_visible()
        # A member who is still typing doesn't type into the password field.
        await page.keyboard.type("What I typed next")
        await expect(sign_in_dialog(page).get_by_label("Password", exact=True)).to_have_value("")
        # A wrong password changes nothing.
        await sign_in_dialog(page).get_by_label("Password", exact=True).fill("not my password")
        await button(sign_in_dialog(page), "Sign in").click()
        await expect(sign_in_dialog(page).get_by_role("alert")).to_be_visible()
        await sign_in(page)
        await expect(headline).to_have_value("What I typed")
        await expect(pane(page, "First").get_by_text("Saved", exact=True)).to_be_visible()
        again = await signed_in(workspace, person)
        assert await headline_of_draft(again, first) == "What I typed"
        # The lists and live updates continue too.
        await row(page, "Second").click()
        await expect(pane(page, "Second").get_by_label("Headline")).to_be_visible()
        await request_review(workspace, await workspace.make_form(), "Third")
        await expect(row(page, "Third")).to_be_visible()

    @pytest.mark.slow
    async def test_opening_another_review_stays_on_the_page(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        await request_review(workspace, await workspace.make_form(), "First", "Second")
        page = await visitors.open("/?order=oldest", client)
        await open_review(page, "First")
        await page.get_by_label("Headline").fill("What I typed")
        await expect(pane(page, "First").get_by_text("Saved", exact=True)).to_be_visible()
        async with end_session(workspace, person, page):
            await page.get_by_label("Headline").fill("What I typed next")
            await row(page, "Second").click()
        await expect(sign_in_dialog(page)).to_be_visible()
        await sign_in(page)
        await expect(page).not_to_have_url(re.compile("sign-in"))
        await row(page, "First").click()
        await expect(pane(page, "First").get_by_label("Headline")).to_have_value("What I typed next")

    @pytest.mark.slow
    async def test_after_a_reload(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        [review_id] = await request_review(workspace, await workspace.make_form(), "First")
        page = await visitors.open("/", client)
        await open_review(page, "First")
        async with end_session(workspace, person, page):
            await page.get_by_label("Headline").fill("What I typed")
        await expect(sign_in_dialog(page)).to_be_visible()
        await page.reload()
        await page.get_by_label("Email", exact=True).fill(person["email"])
        await page.get_by_label("Password", exact=True).fill(PASSWORD)
        await button(page, "Sign in").click()
        await expect(page).to_have_url(re.compile(review_id))
        await expect(page.get_by_label("Headline")).to_have_value("What I typed")
        await expect(pane(page, "First").get_by_text("Saved", exact=True)).to_be_visible()

    async def test_decision_is_sent_once(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        [review_id] = await request_review(workspace, await workspace.make_form(), "First")
        page = await visitors.open("/", client, clock=True)
        await open_review(page, "First")
        # It's held for a few seconds, in which it can be undone. The session ends in that time.
        await button(pane(page, "First"), "Approve").click()
        await expect(page.get_by_text("Approved").first).to_be_visible()
        await end_sign_ins(workspace, person)
        await pass_undo_time(page)
        async with page.expect_response(lambda answer: answer.ok and answer.url.endswith("/response")):
            await sign_in(page)
        again = await signed_in(workspace, person)
        review = await assert_ok(again.get(f"/reviews/{review_id}"))
        assert review["reviewResult"]["respondingUser"] == person["email"]

    @pytest.mark.slow
    async def test_message_is_sent_once(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        agent = await workspace.make_agent(name=unique("Writer"), chat="on")
        session = (await assert_ok(client.post("/sessions", json={"agentId": agent["agentId"]})))["sessionId"]
        page = await visitors.open(f"/sessions/{session}", client)
        box = page.get_by_label(f"Message {agent['name']}")
        await expect(box).to_be_visible()
        await box.fill("Hello from before")
        async with end_session(workspace, person, page):
            await box.press("Enter")
        async with page.expect_response(
            lambda answer: answer.ok and answer.request.method == "POST" and "messages" in answer.url
        ):
            await sign_in(page)
        await expect(page.get_by_text("Hello from before", exact=True)).to_be_visible()
        again = await signed_in(workspace, person)
        messages = await assert_ok(again.get(f"/sessions/{session}/messages"))
        assert [message["text"] for message in messages["items"]] == ["Hello from before"]

    async def test_dialog_is_accessible(self, workspace: Workspace, visitors: Visitors) -> None:
        _, _, page = await open_interrupted_page(workspace, visitors, "What I typed")
        assert not await serious_findings(page)

    @pytest.mark.slow
    async def test_settings(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        page = await visitors.open("/settings/profile", client)
        name = page.get_by_label("Name", exact=True)
        await name.fill("My new name")
        async with end_session(workspace, person, page):
            await name.press("Enter")
        await sign_in(page)
        await expect(page.get_by_text("Saved", exact=True).first).to_be_visible()
        again = await signed_in(workspace, person)
        assert (await assert_ok(again.get("/auth/me")))["user"]["name"] == "My new name"

    @pytest.mark.slow
    async def test_the_review_type_editor(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person("editor")
        form = await workspace.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}", client, **WIDE)
        await entry(page, "Score (Number)").click()
        async with end_session(workspace, person, page):
            await label(page, "Points")
        await expect(sign_in_dialog(page)).to_be_visible()
        await sign_in(page)
        await page.keyboard.press("Control+s")
        await expect(page.get_by_text("Version 2")).to_be_visible()
        after = await assert_ok(workspace.owner.get(f"/forms/{form['formId']}"))
        assert after["version"] == 2
        assert "Points" in [field["label"] for field in after["fields"]]

    @pytest.mark.slow
    async def test_a_workflow(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        fields = [{"id": "topic", "type": "text", "label": "Topic", "required": True}]
        more: dict[str, Any] = {
            "name": unique("Ask"),
            "trigger": True,
            "allowRetry": False,
            "titleField": "topic",
            "rules": [],
        }
        form = await workspace.make_form(await workspace.make_agent(), fields=fields, layout=None, **more)
        page = await visitors.open(f"/triggers/{form['formId']}", client)
        await page.get_by_label("Topic").fill("Autumn")
        async with end_session(workspace, person, page):
            await button(page, "Start workflow").click()
        await sign_in(page)
        again = await signed_in(workspace, person)
        await expect(page.get_by_label("Topic")).to_have_count(0)
        reviews = (await assert_ok(again.get("/reviews", params={"formId": form["formId"]})))["items"]
        assert len(reviews) == 1


@pytest.mark.slow
class TestSeveralTabs:
    async def test_one_sign_in_is_enough_for_all_tabs(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person()
        first, second = await request_review(workspace, await workspace.make_form(), "First", "Second")
        one = await visitors.open(f"/reviews/{first}", client)
        two = await visitors.open_tab(one.context, f"/reviews/{second}")
        await expect(two.get_by_label("Headline")).to_be_visible()
        async with end_session(workspace, person, one, two):
            for page, text in ((one, "Typed in one"), (two, "Typed in two")):
                await page.get_by_label("Headline").fill(text)
        for page in (one, two):
            await expect(sign_in_dialog(page)).to_be_visible()
        await sign_in(one)
        await expect(sign_in_dialog(two)).to_have_count(0)
        again = await signed_in(workspace, person)
        for page, review_id, text in ((one, first, "Typed in one"), (two, second, "Typed in two")):
            await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
            assert await headline_of_draft(again, review_id) == text

    async def test_a_one_time_link_in_another_tab(self, workspace: Workspace, visitors: Visitors) -> None:
        person, _, page = await open_interrupted_page(workspace, visitors, "What I typed")
        link = await assert_ok(workspace.owner.post(f"/users/{person['userId']}/signInLink"))
        other = await visitors.open_tab(page.context, link["signInLink"])
        await other.get_by_label("New password").fill("another long password")
        await button(other, "Save and sign in").click()
        await expect(sign_in_dialog(page)).to_have_count(0)
        await expect(page.get_by_label("Headline")).to_have_value("What I typed")
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()


class TestSomeoneElse:
    async def test_sees_nothing_of_the_first_user(self, workspace: Workspace, visitors: Visitors) -> None:
        await self.takes_over(workspace, visitors)

    @pytest.mark.slow
    async def test_first_user_finds_their_work_later(self, workspace: Workspace, visitors: Visitors) -> None:
        person, other, page = await self.takes_over(workspace, visitors)
        await end_sign_ins(workspace, other)
        await page.reload()
        await page.get_by_label("Email", exact=True).fill(person["email"])
        await page.get_by_label("Password", exact=True).fill(PASSWORD)
        await button(page, "Sign in").click()
        await expect(page.get_by_label("Headline")).to_have_value("Private words")

    async def takes_over(self, workspace: Workspace, visitors: Visitors) -> tuple[dict[str, Any], dict[str, Any], Page]:
        """A member's sign-in ends while they type, and another member signs in in their browser."""
        other, other_client = await workspace.make_person()
        person, review_id, page = await open_interrupted_page(workspace, visitors, "Private words")
        # In another tab of the same browser.
        door = await visitors.open_tab(page.context, "/sign-in")
        await door.get_by_label("Email", exact=True).fill(other["email"])
        await door.get_by_label("Password", exact=True).fill(PASSWORD)
        await button(door, "Sign in").click()
        await expect(door.get_by_role("region", name="Review list", exact=True)).to_be_visible()
        await expect(sign_in_dialog(page)).to_have_count(0)
        await expect(page.get_by_label("Headline")).to_have_value("First")
        await expect(page.get_by_text("Private words")).to_have_count(0)
        assert await headline_of_draft(other_client, review_id) is None
        return person, other, page

    async def test_earlier_page_saves_nothing_for_another_user(self, workspace: Workspace, visitors: Visitors) -> None:
        """Even if the page hasn't noticed it."""
        _, client = await workspace.make_person()
        _, other_client = await workspace.make_person()
        [review_id] = await request_review(workspace, await workspace.make_form(), "First")
        page = await visitors.open(f"/reviews/{review_id}", client)
        headline = page.get_by_label("Headline")
        await expect(headline).to_be_visible()
        url = await page.evaluate("location.origin")
        cookies = [{"name": cookie.name, "value": str(cookie.value), "url": url} for cookie in other_client.cookies.jar]

        async def sign_in_the_other(route: Route) -> None:
            # Exactly while the draft is being saved: any other request would notify the page.
            if route.request.method == "PUT":
                await page.context.add_cookies(cookies)  # pyright: ignore[reportArgumentType]
            await route.continue_()

        await page.route("**/draft", sign_in_the_other)
        async with page.expect_response(
            lambda answer: answer.request.method == "PUT" and answer.url.endswith("/draft")
        ) as refusal:
            await headline.fill("Private words")
        assert (await refusal.value).status == 401
        await expect(headline).to_have_value("First")
        assert await headline_of_draft(other_client, review_id) is None


class TestExpectedUser:
    async def test_header(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person()
        await assert_ok(client.get("/auth/me", headers={"x-expected-user": person["userId"]}))
        problem = await assert_error(client.get("/auth/me", headers={"x-expected-user": "usr_other"}), 401)
        assert problem["code"] == "other_user"
        # A key stays a key, whatever a header says.
        await assert_ok(workspace.agent.get("/authCheck", headers={"x-expected-user": "usr_other"}))


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_on_a_phone(workspace: Workspace, visitors: Visitors, dark: bool) -> None:
    person, client = await workspace.make_person()
    page = await visitors.open("/settings/profile", client, **PHONE, color_scheme="dark" if dark else "light")
    await expect(page.get_by_label("Name", exact=True)).to_be_visible()
    async with end_session(workspace, person, page):
        await page.get_by_label("Name", exact=True).fill("My new name")
        await page.get_by_label("Name", exact=True).press("Enter")
    await expect(sign_in_dialog(page)).to_be_in_viewport(ratio=1)
    await sign_in(page)
