"""A retry without a response from the agent: reminders by people and by time, and canceling it."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from review_fields import as_agents_see
from support.api import DATA, Workspace, assert_error, assert_ok, unique
from support.receiver import Receiver
from time_travel import REMIND_AGENT, enqueue, jobs_done, make_reminder_due

from signoff.platform.settings import Settings
from signoff.reviews.retry_reminders import reminder_after

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


async def waiting_review(workspace: Workspace, **members: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A review type, and a review of it that waits for its agent."""
    form = await workspace.make_form()
    review = await workspace.request(form, **members)
    body = {"instructions": "Shorter, please", "fieldIds": ["body"]}
    return form, await assert_ok(workspace.owner.post(f"/reviews/{review['reviewId']}/retry", json=body))


async def remind(client: httpx.AsyncClient, review_id: str) -> httpx.Response:
    return await client.post(f"/reviews/{review_id}/retry/remind")


async def withdraw(client: httpx.AsyncClient, review_id: str) -> httpx.Response:
    return await client.delete(f"/reviews/{review_id}/retry")


async def actions(workspace: Workspace, review_id: str) -> list[str]:
    return [
        entry["action"] for entry in (await assert_ok(workspace.owner.get(f"/reviews/{review_id}/history")))["items"]
    ]


class TestCanceled:
    async def test_review_is_pending_again(self, workspace: Workspace) -> None:
        form, waiting = await waiting_review(workspace)
        review = await assert_ok(withdraw(workspace.owner, waiting["reviewId"]))
        assert "retryRequested" not in review
        assert (review["state"], review["revision"], review["data"]) == ("pending", 1, DATA)
        assert as_agents_see(review) == await workspace.review(review["reviewId"])
        query = {"formId": form["formId"], "retryRequested": False}
        [row] = (await assert_ok(workspace.agent.get("/reviews", params=query)))["items"]
        assert row["retryRequested"] is False
        [revision] = (await assert_ok(workspace.owner.get(f"/reviews/{review['reviewId']}/revisions")))["items"]
        assert "retry" not in revision
        expected = ["review.requested", "review.retry_requested", "review.retry_withdrawn"]
        assert await actions(workspace, review["reviewId"]) == expected

    async def test_no_event(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("withdrawn")
        _, waiting = await waiting_review(workspace, webhookUrl=receiver.url + path)
        await receiver.wait_for(path)
        await assert_ok(withdraw(workspace.owner, waiting["reviewId"]))
        await workspace.decide(waiting["reviewId"])
        calls = await receiver.wait_for(path, 2)
        assert [call.json["event"] for call in calls] == ["review.retry_requested", "review.completed"]

    async def test_in_the_assignees_lists(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person()
        _, waiting = await waiting_review(workspace, assignTo=[person["email"]])
        mine = {"assignedTo": "me", "state": "pending", "retryRequested": False}
        assert (await assert_ok(client.get("/reviews", params=mine)))["items"] == []
        await assert_ok(withdraw(client, waiting["reviewId"]))
        [row] = (await assert_ok(client.get("/reviews", params=mine)))["items"]
        assert row["reviewId"] == waiting["reviewId"]

    async def test_then_requested_again(self, workspace: Workspace) -> None:
        _, waiting = await waiting_review(workspace)
        review_id = waiting["reviewId"]
        await assert_ok(remind(workspace.owner, review_id))
        await assert_ok(withdraw(workspace.owner, review_id))
        body = {"instructions": "Longer, please"}
        again = await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json=body))
        assert again["retryRequested"]["instructions"] == "Longer, please"
        assert "reminders" not in again["retryRequested"]

    async def test_agent_updates_anyway(self, workspace: Workspace) -> None:
        form, waiting = await waiting_review(workspace)
        await assert_ok(withdraw(workspace.owner, waiting["reviewId"]))
        await workspace.request(form, updateForReviewId=waiting["reviewId"])
        assert (await workspace.review(waiting["reviewId"]))["revision"] == 2

    async def test_concurrent_cancellations(self, workspace: Workspace) -> None:
        _, waiting = await waiting_review(workspace)
        results = await asyncio.gather(*(withdraw(workspace.owner, waiting["reviewId"]) for _ in range(5)))
        assert sorted(response.status_code for response in results) == [200, 409, 409, 409, 409]
        assert (await actions(workspace, waiting["reviewId"])).count("review.retry_withdrawn") == 1

    async def test_concurrent_update(self, workspace: Workspace) -> None:
        form, waiting = await waiting_review(workspace)
        body = {"formId": form["formId"], "data": DATA, "updateForReviewId": waiting["reviewId"]}
        response, withdrawn = await asyncio.gather(
            workspace.agent.post("/requestReview", json=body), withdraw(workspace.owner, waiting["reviewId"])
        )
        assert response.status_code == 200
        assert withdrawn.status_code in (200, 409)
        review = await workspace.review(waiting["reviewId"])
        assert "retryRequested" not in review
        assert review["revision"] == 2


async def pass_a_minute(db: asyncpg.Connection, review_id: str) -> None:
    """A minute since the agent's last reminder."""
    await db.execute(
        """
        update review_revisions set retry = (retry::jsonb || '{"remindedAt": "2026-01-01T00:00:00.000Z"}')::json
        where review_id = $1
        """,
        review_id,
    )


class TestManualReminder:
    async def test_event_is_sent_again(self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection) -> None:
        path = "/" + unique("reminded")
        _, waiting = await waiting_review(workspace, webhookUrl=receiver.url + path)
        first = await assert_ok(remind(workspace.owner, waiting["reviewId"]))
        await assert_error(remind(workspace.owner, waiting["reviewId"]), 409, "reminded_just_now")
        await pass_a_minute(db, waiting["reviewId"])
        second = await assert_ok(remind(workspace.owner, waiting["reviewId"]))
        assert first["retryRequested"] == {
            **waiting["retryRequested"],
            "reminders": 1,
            "remindedAt": first["retryRequested"]["remindedAt"],
        }
        assert second["retryRequested"]["reminders"] == 2
        assert second["retryRequested"]["remindedAt"] >= first["retryRequested"]["remindedAt"]
        calls = await receiver.wait_for(path, 3)
        assert {call.json["event"] for call in calls} == {"review.retry_requested"}
        by_number = {call.json["retry"].get("reminder"): call.json for call in calls}
        assert set(by_number) == {None, 1, 2}
        for event in by_number.values():
            first_retry = {name: value for name, value in event["retry"].items() if name != "reminder"}
            assert first_retry == waiting["retryRequested"]
            assert event["data"] == DATA
        assert len({call.headers["webhook-id"] for call in calls}) == 3
        history = (await assert_ok(workspace.owner.get(f"/reviews/{waiting['reviewId']}/history")))["items"]
        reminded = [entry for entry in history if entry["action"] == "review.retry_reminded"]
        assert [entry["details"] for entry in reminded] == [{"reminder": 1}, {"reminder": 2}]
        assert reminded[0]["actor"]["kind"] == "user"

    async def test_not_after_the_update(self, workspace: Workspace) -> None:
        form, waiting = await waiting_review(workspace)
        reminded = await assert_ok(remind(workspace.owner, waiting["reviewId"]))
        await workspace.request(form, updateForReviewId=waiting["reviewId"])
        assert "retryRequested" not in await workspace.review(waiting["reviewId"])
        revisions = (await assert_ok(workspace.owner.get(f"/reviews/{waiting['reviewId']}/revisions")))["items"]
        assert revisions[0]["retry"] == reminded["retryRequested"]

    async def test_by_the_external_reviewer_who_requested_it(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        holder = workspace.client(**{"x-review-token": token})
        await assert_ok(holder.post(f"/reviews/{review['reviewId']}/retry", json={"instructions": "Shorter"}))
        assert (await assert_ok(remind(holder, review["reviewId"])))["retryRequested"]["reminders"] == 1
        assert "retryRequested" not in await assert_ok(withdraw(holder, review["reviewId"]))

    async def test_postpones_the_automatic_one(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        _, waiting = await waiting_review(workspace)
        await db.execute(
            "update review_revisions set retry_remind_at = now() where review_id = $1", waiting["reviewId"]
        )
        await assert_ok(remind(workspace.owner, waiting["reviewId"]))
        await enqueue(db, REMIND_AGENT, workspace.account_id, waiting["reviewId"])
        await jobs_done(db, waiting["reviewId"])
        assert (await workspace.review(waiting["reviewId"]))["retryRequested"]["reminders"] == 1


class TestAutomaticReminder:
    async def test_three_times_at_most(self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection) -> None:
        path = "/" + unique("reminded")
        _, waiting = await waiting_review(workspace, webhookUrl=receiver.url + path)
        for number in (1, 2, 3):
            await make_reminder_due(db, waiting["reviewId"])
            await jobs_done(db, waiting["reviewId"])
            review = await workspace.review(waiting["reviewId"])
            assert review["retryRequested"]["reminders"] == number
        planned = await db.fetchval(
            "select retry_remind_at from review_revisions where review_id = $1", waiting["reviewId"]
        )
        assert planned is None
        calls = await receiver.wait_for(path, 4)
        assert sorted(call.json["retry"].get("reminder", 0) for call in calls) == [0, 1, 2, 3]
        last = (await assert_ok(workspace.owner.get(f"/reviews/{waiting['reviewId']}/history")))["items"][-1]
        assert last["action"] == "review.retry_reminded"
        assert last["actor"]["kind"] == "system"

    async def test_twice(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        _, waiting = await waiting_review(workspace)
        await make_reminder_due(db, waiting["reviewId"])
        for _ in range(5):
            await enqueue(db, REMIND_AGENT, workspace.account_id, waiting["reviewId"])
        await jobs_done(db, waiting["reviewId"])
        assert (await workspace.review(waiting["reviewId"]))["retryRequested"]["reminders"] == 1

    async def test_manual_ones_do_not_count(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        _, waiting = await waiting_review(workspace)
        for _ in range(4):
            await assert_ok(remind(workspace.owner, waiting["reviewId"]))
            await pass_a_minute(db, waiting["reviewId"])
        await make_reminder_due(db, waiting["reviewId"])
        await jobs_done(db, waiting["reviewId"])
        assert (await workspace.review(waiting["reviewId"]))["retryRequested"]["reminders"] == 5

    @pytest.mark.parametrize("end", ["answered", "withdrawn", "decided", "deleted"])
    async def test_not_after_the_update(self, workspace: Workspace, db: asyncpg.Connection, end: str) -> None:
        form, waiting = await waiting_review(workspace)
        review_id = waiting["reviewId"]
        await db.execute("update review_revisions set retry_remind_at = now() where review_id = $1", review_id)
        if end == "answered":
            await workspace.request(form, updateForReviewId=review_id)
        elif end == "withdrawn":
            await assert_ok(withdraw(workspace.owner, review_id))
        elif end == "decided":
            await workspace.decide(review_id)
        else:
            await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
        await enqueue(db, REMIND_AGENT, workspace.account_id, review_id)
        await jobs_done(db, review_id)
        reminded = await db.fetchval(
            "select count(*) from audit_log where object_id = $1 and action = 'review.retry_reminded'", review_id
        )
        assert reminded == 0

    def test_when(self) -> None:
        settings = Settings(retry_reminder_after=3600)
        hours = [reminder_after(settings, reminded, NOON) for reminded in range(4)]
        assert hours == [NOON + timedelta(hours=1), NOON + timedelta(hours=2), NOON + timedelta(hours=4), None]

    def test_never(self) -> None:
        assert reminder_after(Settings(retry_reminder_after=0), 0, NOON) is None


class TestRefused:
    @pytest.mark.parametrize("call", [remind, withdraw])
    async def test_without_a_retry(self, workspace: Workspace, call: Any) -> None:
        review = await workspace.request(await workspace.make_form())
        await assert_error(call(workspace.owner, review["reviewId"]), 409, "no_retry_pending")

    @pytest.mark.parametrize("call", [remind, withdraw])
    async def test_already_updated(self, workspace: Workspace, call: Any) -> None:
        form, waiting = await waiting_review(workspace)
        await workspace.request(form, updateForReviewId=waiting["reviewId"])
        await assert_error(call(workspace.owner, waiting["reviewId"]), 409, "no_retry_pending")

    @pytest.mark.parametrize("call", [remind, withdraw])
    async def test_decided(self, workspace: Workspace, call: Any) -> None:
        _, waiting = await waiting_review(workspace)
        await workspace.decide(waiting["reviewId"])
        await assert_error(call(workspace.owner, waiting["reviewId"]), 409, "already_responded")

    @pytest.mark.parametrize("call", [remind, withdraw])
    async def test_without_permission(
        self, workspace: Workspace, people: dict[str, Any], other_workspace: Workspace, call: Any
    ) -> None:
        person, client = await workspace.make_person()
        _, waiting = await waiting_review(workspace, assignTo=[person["email"]])
        review_id = waiting["reviewId"]
        await assert_error(call(people["reviewer"][1], review_id), 403, "not_assigned")
        await assert_error(call(people["viewer"][1], review_id), 403)
        await assert_error(call(workspace.agent, review_id), 403)
        await assert_error(call(workspace.public, review_id), 401)
        await assert_error(call(other_workspace.owner, review_id), 404)
        await assert_error(call(workspace.owner, "rev_unknown"), 404)
        assert "reminders" not in (await workspace.review(review_id))["retryRequested"]
        await assert_ok(call(client, review_id))
