"""Extending a deadline: who can, by how much, and what it moves."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, error_at
from time_travel import OVERDUE, enqueue, jobs_done, make_due

LIMITS = {"steps": [{"afterMinutes": 30, "action": "remind"}, {"afterMinutes": 50, "action": "reject"}]}


def minutes(earlier: str, later: str) -> float:
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)) / timedelta(minutes=1)


async def extend(client: httpx.AsyncClient, review_id: str, by: Any = 60, **members: Any) -> httpx.Response:
    return await client.post(f"/reviews/{review_id}/extend", json={"minutes": by, **members})


async def request_review(workspace: Workspace, **members: Any) -> dict[str, Any]:
    review = await workspace.request(await workspace.make_form(timeLimits=LIMITS), **members)
    return await workspace.review(review["reviewId"])


class TestExtend:
    @pytest.mark.parametrize("by", [1, 60, 43_200])
    async def test_moves_the_current_step(self, workspace: Workspace, by: int) -> None:
        before = await request_review(workspace)
        after = await assert_ok(extend(workspace.owner, before["reviewId"], by))
        assert minutes(before["dueAt"], after["dueAt"]) == by
        assert after["dueAction"] == "remind"

    async def test_history(self, workspace: Workspace) -> None:
        before = await request_review(workspace)
        after = await assert_ok(extend(workspace.owner, before["reviewId"], 60, note="  Ann is ill  "))
        entry = (await assert_ok(workspace.owner.get(f"/reviews/{before['reviewId']}/history")))["items"][-1]
        assert entry["action"] == "review.extended"
        assert entry["actor"]["kind"] == "user"
        assert entry["details"] == {
            "minutes": 60,
            "from": before["dueAt"],
            "to": after["dueAt"],
            "action": "remind",
            "note": "Ann is ill",
        }

    async def test_repeatedly(self, workspace: Workspace) -> None:
        before = await request_review(workspace)
        results = await asyncio.gather(*(extend(workspace.owner, before["reviewId"], 10) for _ in range(6)))
        assert [response.status_code for response in results] == [200] * 6
        assert minutes(before["dueAt"], (await workspace.review(before["reviewId"]))["dueAt"]) == 60

    async def test_moves_later_steps(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        before = await request_review(workspace)
        await assert_ok(extend(workspace.owner, before["reviewId"], 600))
        await make_due(db, before["reviewId"])
        await jobs_done(db, before["reviewId"])
        after = await workspace.review(before["reviewId"])
        assert minutes(after["remindedAt"], after["dueAt"]) == pytest.approx(20, abs=0.5)

    async def test_earlier_job_does_nothing(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        before = await request_review(workspace)
        after = await assert_ok(extend(workspace.owner, before["reviewId"]))
        await enqueue(db, OVERDUE, workspace.account_id, before["reviewId"])
        await jobs_done(db, before["reviewId"])
        review = await workspace.review(before["reviewId"])
        assert "remindedAt" not in review
        assert review["dueAt"] == after["dueAt"]
        planned = await db.fetchval(
            "select count(*) from jobs where subject like '%/' || $1 and due_at = "
            "(select due_at from reviews where review_id = $1)",
            before["reviewId"],
        )
        assert planned == 1, "the job for the new time"

    async def test_overdue_step_counts_from_now(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        before = await request_review(workspace)
        await db.execute(
            "update reviews set due_at = now() - interval '2 days' where review_id = $1", before["reviewId"]
        )
        after = await assert_ok(extend(workspace.owner, before["reviewId"], 60))
        left = datetime.fromisoformat(after["dueAt"]) - datetime.now().astimezone()
        assert left / timedelta(minutes=1) == pytest.approx(60, abs=1)

    async def test_during_the_job(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """One is first. In either order, the review's state is as if they had run one after the other."""
        limits = {"steps": [{"afterMinutes": 30, "action": "reject"}]}
        form = await workspace.make_form(timeLimits=limits)
        for _ in range(8):
            created_review = await workspace.request(form)
            await db.execute("update reviews set due_at = now() where review_id = $1", created_review["reviewId"])
            _, response = await asyncio.gather(
                enqueue(db, OVERDUE, workspace.account_id, created_review["reviewId"]),
                extend(workspace.owner, created_review["reviewId"]),
            )
            await jobs_done(db, created_review["reviewId"])
            review = await workspace.review(created_review["reviewId"])
            if response.status_code == 200:
                assert review["state"] == "pending"
                assert review["dueAt"] == response.json()["dueAt"]
            else:
                assert response.json()["code"] == "already_responded"
                assert review["timedOut"] is True


class TestRefused:
    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "minutes"),
            ({"minutes": None}, "minutes"),
            ({"minutes": 0}, "minutes"),
            ({"minutes": -1}, "minutes"),
            ({"minutes": 43_201}, "minutes"),
            ({"minutes": 1.5}, "minutes"),
            ({"minutes": "60"}, "minutes"),
            ({"minutes": True}, "minutes"),
            ({"minutes": 10**30}, "minutes"),
            ({"minutes": 60, "note": ""}, "note"),
            ({"minutes": 60, "note": 7}, "note"),
            ({"minutes": 60, "note": "x" * 10_001}, "note"),
            ({"minutes": 60, "more": 1}, "more"),
        ],
    )
    async def test_bad_body(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        before = await request_review(workspace)
        call = workspace.owner.post(f"/reviews/{before['reviewId']}/extend", json=body)
        assert error_at(await assert_error(call, 422, "invalid"), path)
        assert await workspace.review(before["reviewId"]) == before

    async def test_no_time_limit(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await workspace.make_form())
        await assert_error(extend(workspace.owner, review["reviewId"]), 409, "no_time_limit")
        form = await workspace.make_form(timeLimits={"steps": LIMITS["steps"][:1]})
        last = await workspace.request(form)
        await make_due(db, last["reviewId"])
        await jobs_done(db, last["reviewId"])
        await assert_error(extend(workspace.owner, last["reviewId"]), 409, "no_time_limit")

    async def test_paused(self, workspace: Workspace) -> None:
        before = await request_review(workspace)
        await assert_ok(workspace.owner.post(f"/reviews/{before['reviewId']}/retry", json={"instructions": "Shorter"}))
        problem = await assert_error(extend(workspace.owner, before["reviewId"]), 409, "no_time_limit")
        assert "paused" in problem["detail"]

    async def test_decided(self, workspace: Workspace) -> None:
        before = await request_review(workspace)
        await workspace.decide(before["reviewId"])
        await assert_error(extend(workspace.owner, before["reviewId"]), 409, "already_responded")

    async def test_without_permission(
        self, workspace: Workspace, people: dict[str, Any], other_workspace: Workspace
    ) -> None:
        reviewer, client = await workspace.make_person()
        before = await request_review(workspace, assignTo=[reviewer["email"]], extReviewers=["ann@example.org"])
        review_id = before["reviewId"]
        await assert_error(extend(people["reviewer"][1], review_id), 403, "not_assigned")
        await assert_error(extend(people["viewer"][1], review_id), 403)
        await assert_error(extend(workspace.agent, review_id), 403)
        await assert_error(extend(workspace.manager, review_id), 403)
        await assert_error(extend(workspace.public, review_id), 401)
        await assert_error(extend(other_workspace.owner, review_id), 404)
        assert await workspace.review(review_id) == before
        await assert_ok(extend(client, review_id))
        await assert_ok(extend(people["admin"][1], review_id))

    async def test_not_by_external_reviewers(self, workspace: Workspace) -> None:
        """Only the workspace extends deadlines."""
        form = await workspace.make_form(timeLimits=LIMITS)
        review = await workspace.request(form, extReviewers=["ann@example.org"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        response = await extend(workspace.client(**{"x-review-token": token}), review["reviewId"])
        assert response.status_code in (401, 403)

    async def test_unknown(self, workspace: Workspace) -> None:
        await assert_error(extend(workspace.owner, "rev_unknown"), 404)
