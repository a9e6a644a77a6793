"""Deadlines in a real browser: the countdown, extending it, automatic decisions, retries without a response."""

import re
from typing import Any

import asyncpg
import pytest
from playwright.async_api import Page, expect
from review_type_helpers import WIDE, open_editor, published
from support.api import Workspace, unique
from support.browser import PHONE, Visitors
from support.in_process import Service
from support.receiver import Receiver
from web_helpers import button, choose_option, open_review, pane, request_review, row

LIMITS = {"steps": [{"afterMinutes": 131, "action": "reject"}]}


@pytest.fixture
async def db(service: Service) -> Any:
    """To let time pass."""
    connection = await asyncpg.connect(service.dsn())
    yield connection
    await connection.close()


async def set_due(db: asyncpg.Connection, review_id: str, left: str) -> None:
    """With a job for it, because the job's log entry is what notifies open pages."""
    account = await db.fetchval(
        "update reviews set due_at = now() + $2::text::interval where review_id = $1 returning account_id",
        review_id,
        left,
    )
    await db.execute(
        "insert into jobs (name, subject, due_at) values ('reviews.overdue', $1, now())",
        f"{account}/{review_id}",
    )


async def ask_for_changes(page: Page, title: str, instructions: str) -> None:
    review = pane(page, title)
    await button(review, "Request changes").click()
    await review.get_by_label("What should the agent change?").fill(instructions)
    await review.get_by_role("region", name="Request changes").get_by_role("button", name="Request changes").click()
    await expect(review.get_by_text("Waiting on agent.")).to_be_visible()


class TestCountdown:
    @pytest.mark.slow
    async def test_in_row_and_header(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(timeLimits=LIMITS)
        await request_review(workspace, form, "Timed")
        await request_review(workspace, await workspace.make_form(), "Without end")
        page = await visitors.open("/?view=all", workspace.owner)
        in_row = row(page, "Timed").locator("time[title*='Auto-rejects'] [aria-hidden]")
        await expect(in_row).to_have_text("2h")
        await expect(row(page, "Without end").locator("time[title*='Auto-']")).to_have_count(0)
        review = await open_review(page, "Timed")
        await expect(review.get_by_text(re.compile(r"Auto-rejects in 2h (9|10|11)m"))).to_be_visible()
        exact = await review.locator("time[title*='Auto-rejects']").get_attribute("title")
        assert exact is not None
        assert re.search(r"Auto-rejects .*\d", exact)

    @pytest.mark.slow
    async def test_urgent_near_the_end(self, workspace: Workspace, visitors: Visitors, db: asyncpg.Connection) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(timeLimits=LIMITS), "Nearly over")
        await set_due(db, review_id, "10 minutes 30 seconds")
        page = await visitors.open("/?view=all", workspace.owner)
        await expect(row(page, "Nearly over").locator("time[title*='Auto-rejects']")).to_have_class(
            re.compile("text-bad")
        )

    async def test_automatic_decision_while_open(
        self, workspace: Workspace, visitors: Visitors, db: asyncpg.Connection
    ) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(timeLimits=LIMITS), "Too late")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Too late")
        await review.get_by_label("Headline").fill("My words")
        await set_due(db, review_id, "-1 second")
        await expect(review.get_by_title("Deadline passed")).to_have_text("Auto-rejected")
        await expect(review.get_by_text(re.compile("Auto-rejected .* because the deadline passed$"))).to_be_visible()
        # The member's edits aren't lost silently.
        await expect(review.get_by_text(re.compile(r"Auto-rejected .* because the deadline passed\."))).to_be_visible()
        await expect(review.get_by_text("Your edits weren't used. They're compared with the result")).to_be_visible()
        await review.get_by_role("button", name="History").first.click()
        history = page.get_by_role("complementary", name="History").or_(page.get_by_role("dialog", name="History"))
        await expect(history.get_by_text(re.compile("Auto-rejected because the deadline passed"))).to_be_visible()

    @pytest.mark.slow
    async def test_after_a_reminder(self, workspace: Workspace, visitors: Visitors, db: asyncpg.Connection) -> None:
        limits = {"steps": [{"afterMinutes": 60, "action": "remind"}, {"afterMinutes": 300, "action": "approve"}]}
        [review_id] = await request_review(workspace, await workspace.make_form(timeLimits=limits), "Remember me")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Remember me")
        await expect(review.get_by_text(re.compile("^Reminder in "))).to_be_visible()
        await set_due(db, review_id, "-1 second")
        await expect(review.get_by_text("Reminder sent", exact=True)).to_be_visible()
        await expect(review.get_by_text(re.compile("Auto-approves in (3h 59m|4h)"))).to_be_visible()
        await expect(row(page, "Remember me")).to_contain_text("Reminder sent.")


class TestExtendDeadline:
    @pytest.mark.slow
    async def test_extended(self, workspace: Workspace, visitors: Visitors) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(timeLimits=LIMITS), "Not yet")
        before = (await workspace.review(review_id))["dueAt"]
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Not yet")
        await button(review, "Extend deadline…").click()
        dialog = page.get_by_role("dialog", name="Extend deadline")
        await button(dialog, "3 days").click()
        await dialog.get_by_label("Note (optional)").fill("Ann is away")
        await button(dialog, "Extend deadline").click()
        await expect(dialog).to_be_hidden()
        await expect(review.get_by_text(re.compile("Auto-rejects in 3d 2h"))).to_be_visible()
        await expect(row(page, "Not yet").locator("time[title*='Auto-rejects'] [aria-hidden]")).to_have_text("3d")
        assert (await workspace.review(review_id))["dueAt"] > before
        await review.get_by_role("button", name="History").first.click()
        await expect(page.get_by_text("Ann is away")).to_be_visible()

    @pytest.mark.slow
    async def test_exact_and_invalid_times(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(timeLimits=LIMITS), "Exactly")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Exactly")
        await button(review, "Extend deadline…").click()
        dialog = page.get_by_role("dialog", name="Extend deadline")
        for wrong in ("0", "31", "-2", ""):
            await dialog.get_by_label("Custom").fill(wrong)
            await expect(button(dialog, "Extend deadline")).to_be_disabled()
        await dialog.get_by_label("Unit").select_option("hours")
        await dialog.get_by_label("Custom").fill("1,234")
        await expect(dialog.get_by_text("Enter a number, such as 1,234.5.")).to_be_visible()
        await page.keyboard.press("Enter")
        await expect(dialog).to_be_visible()
        await dialog.get_by_label("Custom").fill("1.5")
        await expect(button(dialog, "Extend deadline")).to_be_enabled()
        await dialog.get_by_label("Custom").fill("2")
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        await expect(review.get_by_text(re.compile("Auto-rejects in 2h"))).to_be_visible()

    @pytest.mark.slow
    async def test_decided_in_the_meantime(self, workspace: Workspace, visitors: Visitors) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(timeLimits=LIMITS), "Overtaken")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Overtaken")
        await button(review, "Extend deadline…").click()
        dialog = page.get_by_role("dialog", name="Extend deadline")
        await expect(dialog).to_be_visible()
        await workspace.decide(review_id)
        await expect(dialog).to_be_hidden()
        await expect(review.get_by_text("Approved").first).to_be_visible()

    @pytest.mark.slow
    async def test_not_for_viewers(self, workspace: Workspace, visitors: Visitors) -> None:
        _, viewer = await workspace.make_person("viewer")
        await request_review(workspace, await workspace.make_form(timeLimits=LIMITS), "Look only")
        page = await visitors.open("/?view=all", viewer)
        review = await open_review(page, "Look only")
        await expect(review.get_by_text(re.compile("Auto-rejects in"))).to_be_visible()
        await expect(button(review, "Extend deadline…")).to_be_hidden()

    @pytest.mark.slow
    async def test_on_a_phone(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(timeLimits=LIMITS), "Pocket")
        page = await visitors.open("/?view=all", workspace.owner, **PHONE)
        await row(page, "Pocket").click()
        review = pane(page, "Pocket")
        await button(review, "Extend deadline…").click()
        dialog = page.get_by_role("dialog", name="Extend deadline")
        await button(dialog, "1 hour").click()
        await button(dialog, "Extend deadline").click()
        await expect(dialog).to_be_hidden()
        await expect(review.get_by_text(re.compile("Auto-rejects in 3h"))).to_be_visible()
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["viewport"]["width"]


@pytest.mark.slow
class TestUnansweredRetry:
    async def test_reminded_and_canceled(self, workspace: Workspace, visitors: Visitors, receiver: Receiver) -> None:
        path = "/" + unique("retry")
        form = await workspace.make_form(await workspace.make_agent(webhookUrl=receiver.url + path), timeLimits=LIMITS)
        [review_id] = await request_review(workspace, form, "Unanswered")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Unanswered")
        await ask_for_changes(page, "Unanswered", "Shorter, please")
        await expect(review.get_by_text(re.compile("Auto-rejects"))).to_be_hidden()
        await button(review, "Remind agent").click()
        await expect(review.get_by_text(re.compile("Agent last reminded .*1 reminder so far"))).to_be_visible()
        await button(review, "Remind agent").click()
        await expect(review.get_by_text("Wait a moment before you remind it again")).to_be_visible()
        calls = await receiver.wait_for(path, 2)
        assert {call.json["retry"].get("reminder") for call in calls} == {None, 1}
        await button(review, "Withdraw change request").click()
        await expect(review.get_by_text("Waiting on agent.")).to_be_hidden()
        await expect(button(review, "Request changes")).to_be_visible()
        await expect(review.get_by_text(re.compile("Auto-rejects in 2h"))).to_be_visible()
        assert "retryRequested" not in await workspace.review(review_id)
        await review.get_by_role("button", name="History").first.click()
        for words in ("withdrew the change request", "reminded the agent"):
            await expect(page.get_by_text(re.compile(words)).first).to_be_visible()
        await expect(page.get_by_text("Shorter, please").first).to_be_visible()

    async def test_updated_in_the_meantime(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "Answered")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Answered")
        await ask_for_changes(page, "Answered", "Shorter, please")
        await workspace.request(
            form, updateForReviewId=review_id, data={"draft": {"headline": "Answered"}, "body": "B"}
        )
        await expect(review.get_by_text("Waiting on agent.")).to_be_hidden()
        await expect(button(review, "Remind agent")).to_be_hidden()

    async def test_values_restored_from_an_earlier_revision(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "Versions")
        newer = {"draft": {"headline": "Versions"}, "body": "Worse body", "score": 2}
        await workspace.request(form, updateForReviewId=review_id, data=newer)
        page = await visitors.open("/?view=all", workspace.owner, **WIDE)
        review = await open_review(page, "Versions")
        await expect(review.get_by_label("Body", exact=True)).to_have_value("Worse body")
        await review.get_by_role("button", name="History").first.click()
        history = page.get_by_role("complementary", name="History")
        await history.get_by_role("button", name="Restore Body").click()
        await expect(review.get_by_label("Body", exact=True)).to_have_value("Body of Versions")
        await expect(review.get_by_label("Score", exact=True)).to_have_value("2")
        await history.get_by_role("button", name="Restore all fields from revision 1").click()
        await expect(review.get_by_label("Score", exact=True)).to_have_value("7")
        await expect(review.get_by_text("2 fields edited")).to_be_visible()


@pytest.mark.slow
class TestInTheEditor:
    async def test_saved_and_read_back(self, workspace: Workspace, visitors: Visitors) -> None:
        person, _ = await workspace.make_person()
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form, "?tab=behavior")
        await page.get_by_role("switch", name="Set deadlines").click()
        await page.get_by_label("Step 1: delay").fill("4")
        await page.get_by_label("Step 1: unit").select_option("hours")
        await page.get_by_label("Step 1: action").select_option("handOver")
        await page.get_by_label("Step 1: escalate to").select_option(person["email"])
        await button(page, "Add step").click()
        await page.get_by_label("Step 2: action").select_option("reject")
        await expect(button(page, "Add step")).to_be_hidden()
        await page.get_by_role("switch", name="Count business hours only").click()
        await button(page, "Sat").click()
        await page.get_by_label("End time").fill("18:30")
        await choose_option(page.get_by_role("combobox", name="Time zone").first, "Europe/Berlin")
        assert (await published(workspace, page, form, 2))["timeLimits"] == {
            "calendar": {"timeZone": "Europe/Berlin", "days": [1, 2, 3, 4, 5, 6], "from": "09:00", "until": "18:30"},
            "steps": [
                {"afterMinutes": 240, "action": "handOver", "to": {"users": [person["email"]], "groups": []}},
                {"afterMinutes": 1680, "action": "reject", "to": None},
            ],
        }

    async def test_error_is_shown_at_its_step(self, workspace: Workspace, visitors: Visitors) -> None:
        limits = {"steps": [{"afterMinutes": 60, "action": "remind"}, {"afterMinutes": 120, "action": "reject"}]}
        form = await workspace.make_form(timeLimits=limits)
        page = await open_editor(visitors, workspace, form, "?tab=behavior")
        await page.get_by_label("Step 2: delay").fill("1")
        step = page.get_by_role("listitem").filter(has=page.get_by_label("Step 2: delay"))
        await expect(step.get_by_role("alert")).to_contain_text("greater than 60")
        await page.get_by_label("Step 2: delay").fill("3")
        await expect(step.get_by_role("alert")).to_be_hidden()
