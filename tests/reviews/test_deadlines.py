"""What happens to a review that isn't decided in time, whatever else happens to it."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, unique
from support.receiver import Receiver
from time_travel import OVERDUE, enqueue, eventually, jobs_done, make_due

OFFICE = {"timeZone": "Europe/Berlin", "days": [1, 2, 3, 4, 5], "from": "09:00", "until": "17:00"}


def step(after: int, action: str, **to: list[str]) -> dict[str, Any]:
    return {"afterMinutes": after, "action": action, **({"to": to} if to else {})}


async def make_form(workspace: Workspace, *steps: dict[str, Any], **members: Any) -> dict[str, Any]:
    return await workspace.make_form(timeLimits={"steps": list(steps)}, **members)


async def overdue(
    workspace: Workspace, db: asyncpg.Connection, review_id: str, ago: str = "1 second"
) -> dict[str, Any]:
    """The review, after the due step was run."""
    await make_due(db, review_id, ago)
    await jobs_done(db, review_id)
    return await workspace.review(review_id)


async def history(workspace: Workspace, review_id: str) -> list[dict[str, Any]]:
    return (await assert_ok(workspace.owner.get(f"/reviews/{review_id}/history")))["items"]


async def row_of(workspace: Workspace, form: dict[str, Any]) -> dict[str, Any]:
    [row] = (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]
    return row


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def minutes_between(earlier: str, later: str) -> float:
    return (moment(later) - moment(earlier)) / timedelta(minutes=1)


class TestShown:
    async def test_time_and_action(self, workspace: Workspace) -> None:
        form = await make_form(workspace, step(30, "remind"), step(60, "reject"))
        created_review = await workspace.request(form)
        review = await workspace.review(created_review["reviewId"])
        assert review["dueAction"] == "remind"
        assert minutes_between(review["createdAt"], review["dueAt"]) == pytest.approx(30, abs=0.5)
        row = await row_of(workspace, form)
        assert (row["dueAt"], row["dueAction"]) == (review["dueAt"], "remind")
        assert "timedOut" not in row
        assert "remindedAt" not in review
        assert "timedOut" not in review

    async def test_many_at_once(self, workspace: Workspace) -> None:
        """Reviews with and without deadlines are written together; each gets its own."""
        forms = [await make_form(workspace, step(10 * n, "remind")) for n in range(1, 4)] + [
            await workspace.make_form()
        ]
        reviews = await asyncio.gather(*(workspace.request(forms[n % 4]) for n in range(24)))
        for number, created_review in enumerate(reviews):
            review = await workspace.review(created_review["reviewId"])
            if number % 4 == 3:
                assert "dueAt" not in review
            else:
                expected = 10 * (number % 4 + 1)
                assert minutes_between(review["createdAt"], review["dueAt"]) == pytest.approx(expected, abs=0.5)

    async def test_working_hours(self, workspace: Workspace) -> None:
        """A calendar that opens tomorrow and is closed today."""
        tomorrow = (datetime.now().astimezone() + timedelta(days=2)).isoweekday()
        limits = {"calendar": {**OFFICE, "days": [tomorrow]}, "steps": [step(8 * 60, "remind")]}
        review = await workspace.review(
            (await workspace.request(await workspace.make_form(timeLimits=limits)))["reviewId"]
        )
        due = moment(review["dueAt"])
        assert due.isoweekday() == tomorrow
        assert due.hour in (15, 16), "17:00 in Berlin, in winter or in summer"
        assert due.minute == 0

    async def test_with_an_idempotency_key(self, workspace: Workspace) -> None:
        form = await make_form(workspace, step(30, "remind"))
        body = {"formId": form["formId"], "data": DATA}
        headers = {"Idempotency-Key": unique("key")}
        first = await assert_ok(workspace.agent.post("/requestReview", json=body, headers=headers))
        assert "dueAt" in await workspace.review(first["reviewId"])
        assert await assert_ok(workspace.agent.post("/requestReview", json=body, headers=headers)) == first

    async def test_with_media(self, workspace: Workspace) -> None:
        """A review type that shows images can have deadlines too."""
        fields = [{"id": "photo", "type": "image"}]
        members: dict[str, Any] = {"fields": fields, "titleField": None, "layout": None, "rules": None}
        form = await make_form(workspace, step(30, "remind"), **members)
        review = await workspace.request(form, data={"photo": "https://pictures.invalid/a.png"})
        assert (await workspace.review(review["reviewId"]))["dueAction"] == "remind"

    @pytest.mark.parametrize("members", [{"autoApprove": True}, {"meta": {"_svcAutoApprove": True}}])
    async def test_not_for_auto_approved_reviews(self, workspace: Workspace, members: dict[str, Any]) -> None:
        created_review = await workspace.request(await make_form(workspace, step(30, "reject")), **members)
        review = await workspace.review(created_review["reviewId"])
        assert review["autoApproved"] is True
        assert "dueAt" not in review
        assert "timedOut" not in review

    async def test_not_for_trigger_forms(self, workspace: Workspace) -> None:
        review = await workspace.request(await make_form(workspace, step(30, "reject"), trigger=True))
        assert "dueAt" not in await workspace.review(review["reviewId"])

    async def test_not_once_it_is_decided(self, workspace: Workspace) -> None:
        form = await make_form(workspace, step(30, "reject"))
        created_review = await workspace.request(form)
        review = await workspace.decide(created_review["reviewId"])
        assert {"dueAt", "dueAction", "timedOut"}.isdisjoint(review)
        row = await row_of(workspace, form)
        assert {"dueAt", "dueAction", "timedOut"}.isdisjoint(row)

    async def test_for_an_external_reviewer(self, workspace: Workspace) -> None:
        review = await workspace.request(
            await make_form(workspace, step(30, "reject")), extReviewers=["ann@example.org"]
        )
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        shown = await assert_ok(workspace.client(**{"x-review-token": token}).get(f"/reviews/{review['reviewId']}"))
        assert shown["dueAction"] == "reject"


class TestAutomaticDecision:
    @pytest.mark.parametrize(("action", "response"), [("reject", "rejected"), ("approve", "approved")])
    async def test_result_and_event(
        self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection, action: str, response: str
    ) -> None:
        path = "/" + unique("timeout")
        form = await make_form(workspace, step(30, action))
        created_review = await workspace.request(form, webhookUrl=receiver.url + path)
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["state"] == "responded"
        assert review["timedOut"] is True
        assert "autoApproved" not in review
        assert {"dueAt", "dueAction"}.isdisjoint(review)
        assert review["reviewResult"] == {
            "response": response,
            "respondingUser": "time-out",
            "respondingUserId": "system",
            "respondedAt": review["reviewResult"]["respondedAt"],
            "data": DATA,
            "changed": [],
            **({"approvedArguments": DATA} if response == "approved" else {}),
        }
        row = await row_of(workspace, form)
        assert (row["timedOut"], row["autoApproved"], row["response"]) == (True, False, response)
        [call] = await receiver.wait_for(path)
        event = call.json
        assert event["event"] == "review.completed"
        assert event["timedOut"] is True
        assert "autoApproved" not in event
        assert event["reviewResult"]["respondingUser"] == "time-out"
        assert event["reviewResult"]["responseValues"]["headline"] == {"value": "Autumn news", "wasEdited": False}
        last = (await history(workspace, created_review["reviewId"]))[-1]
        assert last["action"] == f"review.{response}"
        assert last["actor"] == {"kind": "system", "id": "system", "name": "time-out"}

    async def test_absent_for_decisions_of_people(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("timeout")
        review = await workspace.request(await make_form(workspace, step(30, "reject")), webhookUrl=receiver.url + path)
        await workspace.decide(review["reviewId"])
        [call] = await receiver.wait_for(path)
        assert "timedOut" not in call.json

    async def test_field_limits_do_not_apply(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """Without anyone to correct a value, as with auto-approval."""
        data = {"draft": {"headline": ""}, "score": 11}
        created_review = await workspace.request(await make_form(workspace, step(30, "approve")), data=data)
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["reviewResult"]["data"] == data

    async def test_tool_is_called_for_approvals(
        self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection
    ) -> None:
        word = unique("timeout")
        form = await make_form(workspace, step(30, "approve"), toolWebhookUrl=f"{receiver.url}/{word}/tool")
        review = await workspace.request(form, webhookUrl=f"{receiver.url}/{word}/agent")
        await overdue(workspace, db, review["reviewId"])
        await receiver.wait_for(f"/{word}/agent")
        assert len(receiver.at(f"/{word}/tool")) == 1

    async def test_can_not_be_decided_afterwards(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await make_form(workspace, step(30, "reject")))
        await overdue(workspace, db, review["reviewId"])
        call = workspace.owner.post(f"/reviews/{review['reviewId']}/response", json={"response": "approved"})
        problem = await assert_error(call, 409, "already_responded")
        assert (problem["respondingUser"], problem["response"]) == ("time-out", "rejected")

    async def test_ends_long_polls(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await make_form(workspace, step(30, "reject")))
        waiting = asyncio.create_task(
            assert_ok(workspace.agent.get(f"/reviews/{review['reviewId']}", params={"wait": 30}))
        )
        await make_due(db, review["reviewId"])
        assert (await waiting)["timedOut"] is True


class TestReminder:
    async def test_notifies_and_schedules_the_next_step(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form = await make_form(workspace, step(30, "remind"), step(50, "remind"), step(90, "reject"))
        created_review = await workspace.request(form)
        due = (await workspace.review(created_review["reviewId"]))["dueAt"]
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["state"] == "pending"
        assert review["remindedAt"] < due
        assert review["dueAction"] == "remind"
        row = await row_of(workspace, form)
        assert row["remindedAt"] == review["remindedAt"]
        entries = await history(workspace, created_review["reviewId"])
        assert [entry["action"] for entry in entries] == ["review.requested", "review.reminded"]
        assert entries[-1]["details"] == {"step": 1}
        assert entries[-1]["actor"]["kind"] == "system"
        again = await overdue(workspace, db, created_review["reviewId"])
        assert again["dueAction"] == "reject"
        assert (await history(workspace, created_review["reviewId"]))[-1]["details"] == {"step": 2}
        assert (await overdue(workspace, db, created_review["reviewId"]))["timedOut"] is True

    async def test_nothing_is_due_after_the_last_step(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form = await make_form(workspace, step(30, "remind"))
        created_review = await workspace.request(form)
        review = await overdue(workspace, db, created_review["reviewId"])
        assert {"dueAt", "dueAction"}.isdisjoint(review)
        assert {"dueAt", "dueAction"}.isdisjoint(await row_of(workspace, form))
        assert (await workspace.decide(created_review["reviewId"]))["reviewResult"]["response"] == "approved"

    async def test_next_step_counts_from_the_due_time(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        created_review = await workspace.request(await make_form(workspace, step(30, "remind"), step(50, "reject")))
        review = await overdue(workspace, db, created_review["reviewId"], ago="30 seconds")
        assert minutes_between(review["remindedAt"], review["dueAt"]) == pytest.approx(19.5, abs=0.4)

    async def test_late_job(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """The worker was down for days: reviewers get one reminder, and the time that the review type gives them."""
        created_review = await workspace.request(await make_form(workspace, step(30, "remind"), step(50, "reject")))
        review = await overdue(workspace, db, created_review["reviewId"], ago="3 days")
        assert review["state"] == "pending"
        assert minutes_between(review["remindedAt"], review["dueAt"]) == pytest.approx(20, abs=0.4)


class TestEscalation:
    async def test_to_people_and_groups(
        self, workspace: Workspace, people: dict[str, Any], db: asyncpg.Connection
    ) -> None:
        first, first_client = await workspace.make_person()
        second, second_client = await workspace.make_person()
        member, member_client = await workspace.make_person()
        group = await assert_ok(
            workspace.owner.post("/groups", json={"name": unique("group"), "members": [member["email"]]})
        )
        form = await make_form(
            workspace,
            step(30, "handOver", users=[second["email"]], groups=[group["groupId"]]),
            step(60, "reject"),
        )
        created_review = await workspace.request(form, assignTo=[first["email"]], extReviewers=["ann@example.org"])
        token = httpx.URL(created_review["extReviewerLinks"][0]["link"]).params["token"]
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["assignedTo"] == {"users": [second["email"]], "groups": [group["groupId"]], "external": []}
        assert review["dueAction"] == "reject"
        last = (await history(workspace, created_review["reviewId"]))[-1]
        assert last["action"] == "review.handed_over"
        assert last["actor"]["kind"] == "system"
        assert last["details"] == {
            "from": {"users": [first["email"]], "groups": [], "external": ["ann@example.org"]},
            "to": {"users": [second["email"]], "groups": [group["groupId"]], "external": []},
            "step": 1,
        }
        body = {"response": "approved"}
        path = f"/reviews/{created_review['reviewId']}/response"
        await assert_error(first_client.post(path, json=body), 403, "not_assigned")
        external = await workspace.client(**{"x-review-token": token}).post(path, json=body)
        assert external.status_code in (401, 410)
        mine = await assert_ok(second_client.get("/reviews", params={"assignedTo": "me", "state": "pending"}))
        assert [row["reviewId"] for row in mine["items"]] == [created_review["reviewId"]]
        await assert_ok(member_client.post(path, json=body))

    async def test_to_remaining_reviewers(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        gone, _ = await workspace.make_person()
        stays, _ = await workspace.make_person()
        form = await make_form(workspace, step(30, "handOver", users=[gone["email"], stays["email"]]))
        created_review = await workspace.request(form)
        await assert_ok(workspace.owner.patch(f"/users/{gone['userId']}", json={"disabled": True}))
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["assignedTo"]["users"] == [stays["email"]]

    async def test_only_to_users_who_can_decide(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        viewer, _ = await workspace.make_person()
        stays, _ = await workspace.make_person()
        form = await make_form(workspace, step(30, "handOver", users=[viewer["email"], stays["email"]]))
        created_review = await workspace.request(form)
        await assert_ok(workspace.owner.patch(f"/users/{viewer['userId']}", json={"role": "viewer"}))
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["assignedTo"]["users"] == [stays["email"]]

    async def test_no_reviewers_left(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """Its reviewers stay and are reminded; the history says what wasn't possible."""
        first, _ = await workspace.make_person()
        gone, _ = await workspace.make_person()
        deleted = await assert_ok(
            workspace.owner.post("/groups", json={"name": unique("group"), "members": [first["email"]]})
        )
        empty = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), "members": []}))
        to = {"users": [gone["email"]], "groups": [deleted["groupId"], empty["groupId"]]}
        form = await make_form(workspace, step(30, "handOver", **to), step(60, "reject"))
        created_review = await workspace.request(form, assignTo=[first["email"]])
        await assert_ok(workspace.owner.patch(f"/users/{gone['userId']}", json={"disabled": True}))
        await assert_ok(workspace.owner.delete(f"/groups/{deleted['groupId']}"))
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["assignedTo"]["users"] == [first["email"]]
        assert review["remindedAt"]
        assert review["dueAction"] == "reject"
        last = (await history(workspace, created_review["reviewId"]))[-1]
        assert last["action"] == "review.reminded"
        assert last["details"] == {"step": 1, "insteadOf": "handOver", "nobodyLeftOf": to}


class TestConcurrent:
    async def test_job_runs_twice(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        created_review = await workspace.request(await make_form(workspace, step(30, "remind"), step(60, "remind")))
        for _ in range(5):
            await enqueue(db, OVERDUE, workspace.account_id, created_review["reviewId"])
        review = await overdue(workspace, db, created_review["reviewId"])
        for _ in range(5):
            await enqueue(db, OVERDUE, workspace.account_id, created_review["reviewId"])
        await jobs_done(db, created_review["reviewId"])
        assert await workspace.review(created_review["reviewId"]) == review
        actions = [entry["action"] for entry in await history(workspace, created_review["reviewId"])]
        assert actions == ["review.requested", "review.reminded"]

    async def test_job_runs_too_early(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await make_form(workspace, step(30, "reject")))
        await enqueue(db, OVERDUE, workspace.account_id, review["reviewId"])
        await jobs_done(db, review["reviewId"])
        assert (await workspace.review(review["reviewId"]))["state"] == "pending"

    async def test_job_runs_when_due(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """The job enqueued with the request runs when the review is due, without help from the test."""
        created_review = await workspace.request(await make_form(workspace, step(30, "reject")))
        due = await db.fetchval("select due_at from reviews where review_id = $1", created_review["reviewId"])
        planned = await db.fetch(
            "select due_at from jobs where name = $1 and subject = $2",
            OVERDUE,
            f"{workspace.account_id}/{created_review['reviewId']}",
        )
        assert [row["due_at"] for row in planned] == [due]
        await db.execute("update reviews set due_at = now() where review_id = $1", created_review["reviewId"])
        await db.execute(
            "update jobs set due_at = now() where subject = $1",
            f"{workspace.account_id}/{created_review['reviewId']}",
        )
        review = await eventually(
            lambda: workspace.review(created_review["reviewId"]), lambda found: found["state"] == "responded"
        )
        assert review["timedOut"] is True

    async def test_concurrent_decision(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """Exactly one wins, and there is one event for it."""
        form = await make_form(workspace, step(30, "reject"))
        winners: set[str] = set()
        for _ in range(8):
            created_review = await workspace.request(form)
            path = f"/reviews/{created_review['reviewId']}/response"
            await db.execute("update reviews set due_at = now() where review_id = $1", created_review["reviewId"])
            _, response = await asyncio.gather(
                enqueue(db, OVERDUE, workspace.account_id, created_review["reviewId"]),
                workspace.owner.post(path, json={"response": "approved"}),
            )
            await jobs_done(db, created_review["reviewId"])
            review = await workspace.review(created_review["reviewId"])
            by_time = review.get("timedOut", False)
            assert response.status_code == (409 if by_time else 200)
            assert review["reviewResult"]["response"] == ("rejected" if by_time else "approved")
            decided = [entry["action"] for entry in await history(workspace, created_review["reviewId"])][1:]
            assert decided == ["review.rejected" if by_time else "review.approved"]
            winners.add("time" if by_time else "person")
        assert winners

    async def test_decided_before(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await make_form(workspace, step(30, "reject")))
        before = await workspace.decide(review["reviewId"])
        await enqueue(db, OVERDUE, workspace.account_id, review["reviewId"])
        await jobs_done(db, review["reviewId"])
        assert (await workspace.review(review["reviewId"]))["reviewResult"] == before["reviewResult"]

    async def test_deleted_before(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await make_form(workspace, step(30, "reject")))
        await assert_ok(workspace.agent.delete(f"/reviews/{review['reviewId']}"))
        await enqueue(db, OVERDUE, workspace.account_id, review["reviewId"])
        await jobs_done(db, review["reviewId"])
        await assert_error(workspace.agent.get(f"/reviews/{review['reviewId']}"), 404)

    async def test_the_review_type_changed(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """The version that the review was created with counts."""
        form = await make_form(workspace, step(30, "remind"), step(60, "approve"))
        created_review = await workspace.request(form)
        for limits in ({"steps": [step(1, "reject")]}, None):
            await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"timeLimits": limits}))
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        assert (await overdue(workspace, db, created_review["reviewId"]))["dueAction"] == "approve"
        review = await overdue(workspace, db, created_review["reviewId"])
        assert review["reviewResult"]["response"] == "approved"

    async def test_older_reviews_get_no_deadline(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        limits = {"steps": [step(30, "reject")]}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"timeLimits": limits}))
        assert "dueAt" not in await workspace.review(review["reviewId"])
        newer = await workspace.request(form)
        assert (await workspace.review(newer["reviewId"]))["dueAction"] == "reject"


class TestRetries:
    async def ask(self, workspace: Workspace, review_id: str) -> dict[str, Any]:
        return await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter"}))

    async def test_paused_during_a_retry(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form = await make_form(workspace, step(30, "reject"))
        created_review = await workspace.request(form)
        review = await self.ask(workspace, created_review["reviewId"])
        assert {"dueAt", "dueAction"}.isdisjoint(review)
        assert {"dueAt", "dueAction"}.isdisjoint(await row_of(workspace, form))
        await enqueue(db, OVERDUE, workspace.account_id, created_review["reviewId"])
        await jobs_done(db, created_review["reviewId"])
        assert (await workspace.review(created_review["reviewId"]))["state"] == "pending"

    async def test_restarts_with_new_content(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form = await make_form(workspace, step(30, "remind"), step(60, "reject"))
        created_review = await workspace.request(form)
        assert (await overdue(workspace, db, created_review["reviewId"]))["dueAction"] == "reject"
        await self.ask(workspace, created_review["reviewId"])
        await workspace.request(form, updateForReviewId=created_review["reviewId"])
        review = await workspace.review(created_review["reviewId"])
        assert review["dueAction"] == "remind"
        assert "remindedAt" not in review
        now = datetime.now().astimezone()
        assert (moment(review["dueAt"]) - now) / timedelta(minutes=1) == pytest.approx(30, abs=1)
        assert (await overdue(workspace, db, created_review["reviewId"]))["dueAction"] == "reject"

    async def test_continues_after_a_canceled_retry(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form = await make_form(workspace, step(30, "remind"), step(60, "reject"))
        created_review = await workspace.request(form)
        await db.execute(
            "update reviews set due_at = now() + interval '7 minutes' where review_id = $1", created_review["reviewId"]
        )
        await self.ask(workspace, created_review["reviewId"])
        await db.execute(  # As if it had waited for hours: that doesn't count.
            "update reviews set updated_at = now() - interval '5 hours' where review_id = $1",
            created_review["reviewId"],
        )
        review = await assert_ok(workspace.owner.delete(f"/reviews/{created_review['reviewId']}/retry"))
        now = datetime.now().astimezone()
        assert (moment(review["dueAt"]) - now) / timedelta(minutes=1) == pytest.approx(7, abs=1)
        assert review["dueAction"] == "remind"
        assert (await overdue(workspace, db, created_review["reviewId"]))["dueAction"] == "reject"

    async def test_remaining_time_outside_working_hours(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """Office hours only on a day that is far from both: the remaining time then counts by the clock."""
        far = (datetime.now().astimezone() + timedelta(days=3)).isoweekday()
        hours = {"timeZone": "UTC", "days": [far], "from": "09:00", "until": "17:00"}
        form = await workspace.make_form(timeLimits={"calendar": hours, "steps": [step(30, "reject")]})
        created_review = await workspace.request(form)
        await db.execute(
            "update reviews set due_at = now() + interval '2 hours' where review_id = $1", created_review["reviewId"]
        )
        await self.ask(workspace, created_review["reviewId"])
        review = await assert_ok(workspace.owner.delete(f"/reviews/{created_review['reviewId']}/retry"))
        assert moment(review["dueAt"]) > datetime.now().astimezone() + timedelta(hours=2)

    async def test_decided_while_paused(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        created_review = await workspace.request(await make_form(workspace, step(30, "reject")))
        await self.ask(workspace, created_review["reviewId"])
        review = await workspace.decide(created_review["reviewId"])
        assert "timedOut" not in review
        assert "dueAt" not in review
