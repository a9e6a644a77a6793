"""A reviewer decides: reads, edits, sees errors, approves, rejects, undoes. In a real browser."""

import asyncio
import re

import pytest
from playwright.async_api import Page, Route, ViewportSize, expect
from support.api import Workspace, assert_ok, unique
from support.browser import PHONE, Visitors
from support.receiver import Receiver
from web_helpers import button, open_review, pane, pass_undo_time, queued_decisions, request_review, row, send_now


class TestDecide:
    async def test_by_keyboard_only(self, workspace: Workspace, visitors: Visitors, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        form = await workspace.make_form(await workspace.make_agent(webhookUrl=receiver.url + path))
        first, second, third = await request_review(workspace, form, "First draft", "Second draft", "Third draft")
        page = await visitors.open("/?view=all&order=oldest", workspace.owner, clock=True)
        await row(page, "First draft").wait_for()

        async def press(*keys: str) -> None:
            for key in keys:
                await page.keyboard.press(key)

        await press("j", "Enter")
        await expect(button(pane(page, "First draft"), "Approve")).to_be_enabled()
        await press("a")
        await expect(button(pane(page, "Second draft"), "Approve")).to_be_enabled()
        await press("r")
        await page.keyboard.type("Too long")
        await press("Control+Enter")
        await expect(button(pane(page, "Third draft"), "Approve")).to_be_enabled()
        await press("e", "Control+a")
        await page.keyboard.type("Third, better")
        await press("Control+Enter")
        await expect(page.get_by_text("Approved").first).to_be_visible()
        await pass_undo_time(page)

        calls = await receiver.wait_for(path, 3, within=30)
        results = {call.json["reviewId"]: call.json["reviewResult"] for call in calls}
        assert results[first]["response"] == "approved"
        assert results[second]["response"] == "rejected"
        assert results[second]["reason"] == "Too long"
        assert results[third]["responseValues"]["headline"] == {"value": "Third, better", "wasEdited": True}

    async def test_edit_validate_approve(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "Autumn news")
        page = await visitors.open("/?view=all", workspace.owner, clock=True)
        review = await open_review(page, "Autumn news")

        await review.get_by_label("Headline").fill("")
        await review.get_by_label("Score").fill("11")
        await button(review, "Approve").click()
        # Both errors are at their fields, and the first has focus.
        await expect(review.get_by_label("Headline")).to_be_focused()
        await expect(review.get_by_label("Headline")).to_have_attribute("aria-invalid", "true")
        await expect(review.get_by_label("Score")).to_have_attribute("aria-invalid", "true")
        assert (await workspace.review(review_id))["state"] == "pending"

        # The rule applies immediately: below 5 there is nothing to publish.
        await expect(review.get_by_role("group", name="Publishing")).to_be_visible()
        await review.get_by_label("Score").fill("4")
        await expect(review.get_by_role("group", name="Publishing")).to_be_hidden()
        await review.get_by_label("Headline").fill("Winter news")
        await button(review, "Approve").click()
        await expect(page.get_by_text("Approved").first).to_be_visible()
        await pass_undo_time(page)

        result = await _when_responded(workspace, review_id)
        assert result["data"]["draft"]["headline"] == "Winter news"
        assert result["data"]["score"] == 4
        assert "channel" not in result["data"]

    async def test_undo(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        undone, decided = await request_review(workspace, form, "Taken back", "Decided")
        page = await visitors.open("/?view=all", workspace.owner, clock=True)
        review = await open_review(page, "Taken back")
        await review.get_by_label("Headline").fill("Edited before")
        await button(review, "Approve").click()
        await page.get_by_role("button", name=re.compile("^Undo")).first.click()
        # Back at the same place, with the same edits.
        await expect(page.get_by_label("Headline")).to_have_value("Edited before")
        await open_review(page, "Decided")
        await button(pane(page, "Decided"), "Approve").click()
        await expect(page.get_by_role("button", name=re.compile("^Undo")).first).to_be_visible()
        await pass_undo_time(page)
        await _when_responded(workspace, decided)
        assert (await workspace.review(undone))["state"] == "pending"

    async def test_leaving_sends_the_pending_decision(self, workspace: Workspace, visitors: Visitors) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(), "Left behind")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Left behind")
        await button(review, "Approve").click()
        await expect(page.get_by_text("Approved").first).to_be_visible()
        await page.close(run_before_unload=False)
        assert (await _when_responded(workspace, review_id))["response"] == "approved"

    @pytest.mark.slow
    async def test_lost_response(self, workspace: Workspace, visitors: Visitors) -> None:
        """The decision had arrived: the next attempt succeeds, and the member sees no conflict with themselves."""
        [review_id] = await request_review(workspace, await workspace.make_form(), "Only once")
        page = await visitors.open("/?view=all", workspace.owner, clock=True)
        review = await open_review(page, "Only once")
        await review.get_by_label("Headline").fill("Mine")

        async def lose_response(route: Route) -> None:
            await route.fetch()
            await route.abort()

        await page.route("**/response", lose_response, times=1)
        await button(review, "Approve").click()
        async with page.expect_event("requestfailed", lambda request: request.url.endswith("/response")):
            await pass_undo_time(page)
        assert await queued_decisions(page) == [review_id]
        async with page.expect_response(lambda response: response.url.endswith("/response") and response.ok):
            await page.clock.run_for(3_000)
        await page.wait_for_function("() => !Object.keys(sessionStorage).some(key => key.includes('.decisions.'))")
        await expect(page.get_by_role("alert").filter(has_text="Couldn't approve")).to_have_count(0)
        assert (await workspace.review(review_id))["reviewResult"]["data"]["draft"]["headline"] == "Mine"
        visitors.watches[-1].errors.clear()

    @pytest.mark.slow
    async def test_edits_are_marked_and_can_be_reverted(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Original")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Original")
        await review.get_by_label("Headline").fill("Changed")
        await expect(review.get_by_text("1 field edited")).to_be_visible()
        await button(review, "Revert all").click()
        await expect(review.get_by_label("Headline")).to_have_value("Original")
        await expect(review.get_by_text("1 field edited")).to_be_hidden()

    @pytest.mark.slow
    async def test_without_permission(self, workspace: Workspace, visitors: Visitors) -> None:
        _, viewer = await workspace.make_person("viewer")
        await request_review(workspace, await workspace.make_form(), "Look only")
        page = await visitors.open("/?view=all", viewer)
        review = await open_review(page, "Look only")
        await expect(review.get_by_text("Autumn").or_(review.get_by_text("Body of Look only"))).to_be_visible()
        await expect(button(review, "Approve")).to_be_hidden()


class TestDrafts:
    async def test_survive_a_closed_browser(self, workspace: Workspace, visitors: Visitors) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(), "Half done")
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await page.get_by_label("Headline").fill("Nearly there")
        await expect(page.get_by_text("Saved")).to_be_visible()
        await page.context.close()
        again = await visitors.open(f"/reviews/{review_id}", workspace.owner, **PHONE)
        await expect(again.get_by_label("Headline")).to_have_value("Nearly there")

    @pytest.mark.slow
    async def test_are_private(self, workspace: Workspace, visitors: Visitors) -> None:
        _, colleague = await workspace.make_person("reviewer")
        [review_id] = await request_review(workspace, await workspace.make_form(), "Shared")
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await page.get_by_label("Headline").fill("Mine")
        await expect(page.get_by_text("Saved")).to_be_visible()
        theirs = await visitors.open(f"/reviews/{review_id}", colleague)
        await expect(theirs.get_by_label("Headline")).to_have_value("Shared")


class TestConflict:
    @pytest.mark.slow
    async def test_already_decided(self, workspace: Workspace, visitors: Visitors) -> None:
        colleague, their_client = await workspace.make_person("reviewer")
        [review_id] = await request_review(workspace, await workspace.make_form(), "Contested")
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await page.get_by_label("Headline").fill("My better headline")
        await expect(page.get_by_text("Saved")).to_be_visible()
        await assert_ok(their_client.post(f"/reviews/{review_id}/response", json={"response": "rejected"}))
        # Who decided, how, and the member's own edits, still visible.
        banner = page.get_by_role("status").filter(has_text=colleague["email"])
        await expect(banner).to_contain_text("rejected this")
        await expect(page.get_by_text("My better headline").first).to_be_visible()
        await expect(button(page, "Copy your edits")).to_be_visible()

    @pytest.mark.slow
    async def test_the_decision_arrives_too_late(self, workspace: Workspace, visitors: Visitors) -> None:
        colleague, their_client = await workspace.make_person("reviewer")
        [review_id] = await request_review(workspace, await workspace.make_form(), "Too late")
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner, clock=True)
        await page.get_by_label("Headline").fill("Never used")
        theirs_is_in = asyncio.Event()

        async def hold(route: Route) -> None:
            await theirs_is_in.wait()
            await route.continue_()

        await page.route("**/response", hold)
        await button(page, "Approve").click()  # held until the undo time is over
        await expect(page.get_by_text("Approved").first).to_be_visible()
        await pass_undo_time(page)
        await assert_ok(their_client.post(f"/reviews/{review_id}/response", json={"response": "rejected"}))
        theirs_is_in.set()
        await expect(page.get_by_text(re.compile(f"{colleague['email']} rejected"))).to_be_visible()
        assert (await workspace.review(review_id))["reviewResult"]["response"] == "rejected"

    @pytest.mark.slow
    async def test_the_agent_replaced_the_content(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "First version")
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await page.get_by_label("Body").fill("My own words")
        new = {"draft": {"headline": "Second version"}, "body": "Body of First version", "score": 7}
        await workspace.request(form, data=new, updateForReviewId=review_id)
        await expect(page.get_by_text("The agent sent a new revision.")).to_be_visible()
        await expect(page.get_by_label("Headline")).to_have_value("Second version")
        await expect(page.get_by_label("Body")).to_have_value("My own words")

    async def test_replaced_between_two_requests(self, workspace: Workspace, visitors: Visitors) -> None:
        """The review was loaded before, its values after: they are decided with the revision they belong to."""
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "Old news")
        page = await visitors.open("/insights", workspace.owner)
        replaced = False

        async def replace_first(route: Route) -> None:
            nonlocal replaced
            if not replaced:
                replaced = True
                data = {"draft": {"headline": "New news"}, "body": "Other", "score": 8}
                await workspace.request(form, data=data, updateForReviewId=review_id)
            await route.continue_()

        await page.route("**/suggestion", replace_first)
        # No other notification may help the page here.
        await page.route("**/live*", lambda _: None)
        await page.goto(f"/reviews/{review_id}")
        review = pane(page, "New news")
        await expect(review.get_by_label("Headline")).to_have_value("New news")
        await button(review, "Approve").click()
        await send_now(page)
        result = await _when_responded(workspace, review_id)
        assert result["response"] == "approved"
        assert result["data"] == {"draft": {"headline": "New news"}, "body": "Other", "score": 8}


@pytest.mark.slow
class TestNarrowPane:
    @pytest.mark.parametrize(("width", "height"), [(700, 1000), (820, 1180), (1024, 768)])
    async def test_everything_can_be_decided(
        self, workspace: Workspace, visitors: Visitors, width: int, height: int
    ) -> None:
        """On a tablet, the review has little room next to the list."""
        [review_id] = await request_review(workspace, await workspace.make_form(), "Between two panes")
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner, viewport=_size(width, height))
        review = pane(page, "Between two panes")
        await review.get_by_label("Headline").fill("Another headline, so that there is more to say")
        await expect(review.get_by_text("1 field edited")).to_be_visible()
        for name in ("Request changes", "Reject", "Approve"):
            box = await review.get_by_role("button", name=re.compile(f"^{name}")).bounding_box()
            assert box is not None, name
            assert box["x"] >= 0, name
            assert box["x"] + box["width"] <= width, name
            assert box["y"] + box["height"] <= height, name
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


class TestRetry:
    async def test_request_changes_and_get_a_new_revision(
        self, workspace: Workspace, visitors: Visitors, receiver: Receiver
    ) -> None:
        path = "/" + unique("hook")
        form = await workspace.make_form(await workspace.make_agent(webhookUrl=receiver.url + path))
        [review_id] = await request_review(workspace, form, "Dull")
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner)
        await button(page, "Request changes").click()
        panel = page.get_by_role("region", name="Request changes")
        await button(panel, "Request changes").click()
        await expect(panel.get_by_text("Describe what the agent should change.")).to_be_visible()
        await panel.get_by_label("What should the agent change?").fill("Make it livelier")
        await button(panel, "Request changes").click()
        await expect(page.get_by_text("Waiting on agent.")).to_be_visible()
        [call] = await receiver.wait_for(path)
        assert call.json["event"] == "review.retry_requested"
        assert call.json["retry"]["instructions"] == "Make it livelier"
        await workspace.request(form, data={"draft": {"headline": "Lively"}, "score": 7}, updateForReviewId=review_id)
        await expect(page.get_by_label("Headline")).to_have_value("Lively")
        await expect(page.get_by_text("Waiting on agent.")).to_be_hidden()


@pytest.mark.slow
class TestHistory:
    async def test_shows_deliveries_and_retries_them(
        self, workspace: Workspace, visitors: Visitors, receiver: Receiver
    ) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [410, 200])
        form = await workspace.make_form(await workspace.make_agent(webhookUrl=receiver.url + path))
        [review_id] = await request_review(workspace, form, "Sent out")
        await workspace.decide(review_id)
        await receiver.wait_for(path)
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await page.get_by_role("button", name="History").click()
        await expect(page.get_by_text("Canceled")).to_be_visible()
        await expect(page.get_by_text("410", exact=True)).to_be_visible()
        await button(page, "Retry").click()
        await expect(page.get_by_text("Delivered", exact=True)).to_be_visible()
        await button(page, "View payload").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("review.completed")).to_be_visible()


class TestPhone:
    async def test_whole_flow(self, workspace: Workspace, visitors: Visitors) -> None:
        first, _ = await request_review(workspace, await workspace.make_form(), "On the train", "Another")
        page = await visitors.open("/?view=all&order=oldest", workspace.owner, clock=True, **PHONE)
        await row(page, "On the train").tap()
        await page.get_by_label("Headline").fill("Typed with a thumb")
        await _is_not_wider_than_the_phone(page)
        approve = button(page, "Approve")
        box = await approve.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] > 600, "not where the thumb is"
        await approve.tap()
        await expect(page.get_by_text("Approved").first).to_be_visible()
        await pass_undo_time(page)
        result = await _when_responded(workspace, first)
        assert result["data"]["draft"]["headline"] == "Typed with a thumb"


def _size(width: int, height: int) -> ViewportSize:
    return {"width": width, "height": height}


async def _is_not_wider_than_the_phone(page: Page) -> None:
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"]


async def _when_responded(workspace: Workspace, review_id: str) -> dict[str, object]:
    review = await assert_ok(workspace.agent.get(f"/reviews/{review_id}", params={"wait": 30}))
    assert review["state"] == "responded"
    return review["reviewResult"]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["/?view=all", "/insights"])
async def test_a_shared_link_opens_after_signing_in(workspace: Workspace, visitors: Visitors, place: str) -> None:
    """`svcLink`, opened by someone who isn't signed in."""
    person, client = await workspace.make_person("reviewer")
    review = await workspace.request(await workspace.make_form(), title="Follow me")
    link = review["svcLink"] if place == "/?view=all" else visitors.url + place
    page = await visitors.open(link)
    await page.get_by_label("Email", exact=True).fill(person["email"])
    await page.get_by_label("Password", exact=True).fill("a password that is long")
    await button(page, "Sign in").click()
    await expect(page).to_have_url(re.compile(re.escape(link.removeprefix(visitors.url).partition("?")[0])))
    await client.aclose()
    if place == "/?view=all":
        await expect(pane(page, "Follow me")).to_be_visible()
