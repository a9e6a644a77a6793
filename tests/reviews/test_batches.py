"""Batches: related reviews, and one event when all of them are decided. And finding reviews by `meta`."""

import asyncio
import json
from typing import Any

import asyncpg
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver


async def make_form(workspace: Workspace, receiver: Receiver, **members: Any) -> tuple[dict[str, Any], str]:
    path = "/" + unique("batch")
    return await workspace.make_form(webhookUrl=receiver.url + path, **members), path


async def request_all(
    workspace: Workspace, form: dict[str, Any], batch_id: str, count: int, **members: Any
) -> list[str]:
    calls = [workspace.request(form, batchId=batch_id, **members) for _ in range(count)]
    return [result["reviewId"] for result in await asyncio.gather(*calls)]


async def get(workspace: Workspace, batch_id: str, **params: Any) -> dict[str, Any]:
    return await assert_ok(workspace.agent.get(f"/batches/{batch_id}", params=params))


async def completions(db: asyncpg.Connection, batch_id: str) -> list[dict[str, Any]]:
    """The events about a batch, which are written with the decision itself."""
    written: Any = await db.fetchval(
        """
        select coalesce(json_agg(payload order by event_id), '[]')::text from events
        where event = 'batch.completed' and payload ->> 'batchId' = $1
        """,
        batch_id,
    )
    return json.loads(written)


class TestBatch:
    async def test_from_the_first_request_to_the_event(self, workspace: Workspace, receiver: Receiver) -> None:
        form, path = await make_form(workspace, receiver)
        batch_id = unique("batch")
        review_ids = await request_all(workspace, form, batch_id, 3)
        batch = await get(workspace, batch_id)
        assert batch["state"] == "pending"
        assert batch["counts"] == {"total": 3, "pending": 3, "approved": 0, "rejected": 0, "submitted": 0}
        assert [row["reviewId"] for row in batch["reviews"]] == sorted(review_ids)
        assert (await workspace.review(review_ids[0]))["batchId"] == batch_id
        for review_id, response in zip(review_ids, ("approved", "rejected", "approved"), strict=True):
            assert (await get(workspace, batch_id))["state"] == "pending"
            await workspace.decide(review_id, response)
        batch = await get(workspace, batch_id)
        assert batch["state"] == "completed"
        counts = {"total": 3, "pending": 0, "approved": 2, "rejected": 1, "submitted": 0}
        assert batch["counts"] == counts
        calls = await receiver.wait_for(path, 4)
        [event] = [call.json for call in calls if call.json["event"] == "batch.completed"]
        assert (event["batchId"], event["completion"], event["counts"]) == (batch_id, 1, counts)
        assert {row["reviewId"]: row["response"] for row in event["reviews"]} == {
            review_ids[0]: "approved",
            review_ids[1]: "rejected",
            review_ids[2]: "approved",
        }
        completed = next(call.json for call in calls if call.json["event"] == "review.completed")
        assert completed["batchId"] == batch_id

    async def test_one_event_for_concurrent_decisions(
        self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection
    ) -> None:
        form, _ = await make_form(workspace, receiver)
        batch_id = unique("batch")
        review_ids = await request_all(workspace, form, batch_id, 12)
        await asyncio.gather(*(workspace.decide(review_id) for review_id in review_ids))
        [event] = await completions(db, batch_id)
        assert event["counts"]["approved"] == 12

    async def test_one_event_for_each_completion_while_reviews_are_added(
        self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection
    ) -> None:
        form, _ = await make_form(workspace, receiver)
        batch_id = unique("batch")

        async def request_and_decide() -> None:
            await workspace.decide((await workspace.request(form, batchId=batch_id))["reviewId"])

        await asyncio.gather(*(request_and_decide() for _ in range(8)))
        events = await completions(db, batch_id)
        assert [event["completion"] for event in events] == list(range(1, len(events) + 1))
        assert events[-1]["counts"]["total"] == 8
        assert (await get(workspace, batch_id))["state"] == "completed"

    async def test_waits_for_the_given_size(
        self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection
    ) -> None:
        """Also if each is decided before the next one is created."""
        form, _ = await make_form(workspace, receiver)
        batch_id = unique("batch")
        for number in range(3):
            await workspace.request(form, batchId=batch_id, autoApprove=True, **({} if number else {"batchSize": 3}))
            assert len(await completions(db, batch_id)) == (1 if number == 2 else 0)
        batch = await get(workspace, batch_id)
        assert (batch["state"], batch["size"]) == ("completed", 3)

    async def test_later_review_reopens_it(
        self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection
    ) -> None:
        form, _ = await make_form(workspace, receiver)
        batch_id = unique("batch")
        [first] = await request_all(workspace, form, batch_id, 1)
        await workspace.decide(first)
        [second] = await request_all(workspace, form, batch_id, 1)
        batch = await get(workspace, batch_id)
        assert batch["state"] == "pending"
        assert "completedAt" not in batch
        await workspace.decide(second)
        assert [event["completion"] for event in await completions(db, batch_id)] == [1, 2]

    async def test_deleting_the_last_pending_one_completes_it(
        self, workspace: Workspace, receiver: Receiver, db: asyncpg.Connection
    ) -> None:
        form, _ = await make_form(workspace, receiver)
        batch_id = unique("batch")
        decided, deleted = await request_all(workspace, form, batch_id, 2)
        await workspace.decide(decided)
        await assert_ok(workspace.agent.delete(f"/reviews/{deleted}"))
        [event] = await completions(db, batch_id)
        assert event["counts"]["total"] == 1
        await assert_ok(workspace.agent.delete(f"/reviews/{decided}"))
        assert len(await completions(db, batch_id)) == 1

    async def test_does_not_exist_without_reviews(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        batch_id = unique("batch")
        [only] = await request_all(workspace, await workspace.make_form(), batch_id, 1)
        await assert_ok(workspace.agent.delete(f"/reviews/{only}"))
        assert await completions(db, batch_id) == []
        await assert_error(workspace.agent.get(f"/batches/{batch_id}"), 404)

    async def test_retry_keeps_it_open(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form, batch_id = await workspace.make_form(), unique("batch")
        first, second = await request_all(workspace, form, batch_id, 2)
        await assert_ok(workspace.owner.post(f"/reviews/{first}/retry", json={"instructions": "Again"}))
        await workspace.decide(second)
        assert await completions(db, batch_id) == []
        await workspace.request(form, updateForReviewId=first)
        await workspace.decide(first)
        assert len(await completions(db, batch_id)) == 1

    async def test_event_ignores_webhook_urls_of_requests(self, workspace: Workspace, receiver: Receiver) -> None:
        """That URL gets its own review's events, and may accept a single call only."""
        form, path = await make_form(workspace, receiver)
        own = "/" + unique("resume")
        review = await workspace.request(form, batchId=unique("batch"), webhookUrl=receiver.url + own)
        await workspace.decide(review["reviewId"])
        [call] = await receiver.wait_for(path)
        assert call.json["event"] == "batch.completed"
        [call] = await receiver.wait_for(own)
        assert call.json["event"] == "review.completed"

    async def test_another_accounts_batch_looks_unknown(self, workspace: Workspace, other_workspace: Workspace) -> None:
        """And may have the same ID."""
        batch_id = unique("batch")
        await request_all(workspace, await workspace.make_form(), batch_id, 1)
        await assert_error(other_workspace.agent.get(f"/batches/{batch_id}"), 404)
        await request_all(other_workspace, await other_workspace.make_form(), batch_id, 1)
        assert (await get(workspace, batch_id))["counts"]["total"] == 1

    async def test_pages_and_filter(self, workspace: Workspace) -> None:
        form, batch_id = await workspace.make_form(), unique("batch")
        review_ids = sorted(await request_all(workspace, form, batch_id, 3))
        page = await get(workspace, batch_id, limit=2)
        rest = await get(workspace, batch_id, limit=2, cursor=page["nextCursor"])
        assert [row["reviewId"] for row in page["reviews"] + rest["reviews"]] == review_ids
        reviews = await assert_ok(workspace.agent.get("/reviews", params={"batchId": batch_id}))
        assert {row["reviewId"] for row in reviews["items"]} == set(review_ids)

    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"batchId": ""}, "batchId"),
            ({"batchId": "x" * 129}, "batchId"),
            ({"batchId": "a b"}, "batchId"),
            ({"batchId": ".."}, "batchId"),
            ({"batchId": 17}, "batchId"),
            ({"batchSize": 2}, "batchSize"),
            ({"batchId": "b", "batchSize": 0}, "batchSize"),
            ({"batchId": "b", "batchSize": "2"}, "batchSize"),
        ],
    )
    async def test_refused(self, workspace: Workspace, members: dict[str, Any], path: str) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA, **members}
        assert error_at(await assert_error(workspace.agent.post("/requestReview", json=body), 422), path)

    async def test_update_can_not_change_it(self, workspace: Workspace) -> None:
        form, batch_id = await workspace.make_form(), unique("batch")
        [review_id] = await request_all(workspace, form, batch_id, 1)
        body = {"formId": form["formId"], "data": DATA, "updateForReviewId": review_id, "batchId": "other"}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert error_at(problem, "batchId")["code"] == "cannot_change"


class TestMeta:
    async def found(self, workspace: Workspace, **params: str) -> set[str]:
        return {row["reviewId"] for row in (await assert_ok(workspace.agent.get("/reviews", params=params)))["items"]}

    async def test_by_value(self, workspace: Workspace) -> None:
        form, ticket = await workspace.make_form(), unique("ticket")
        meta: dict[str, Any] = {
            "ticket": ticket,
            "n": 17,
            "live": True,
            "long": "x" * 5000,
            "a.b": "dotted",
            "none": None,
            "deep": {},
        }
        one = (await workspace.request(form, meta=meta))["reviewId"]
        other = (await workspace.request(form, meta={"ticket": ticket, "n": 18}))["reviewId"]
        assert await self.found(workspace, **{"meta.ticket": ticket}) == {one, other}
        for name, value in (("n", "17"), ("live", "true"), ("long", "x" * 5000), ("a.b", "dotted")):
            assert await self.found(workspace, **{"meta.ticket": ticket, f"meta.{name}": value}) == {one}, name
        for name, value in (("n", "1"), ("none", "null"), ("deep", "{}"), ("ticket", ""), ("icket", ticket)):
            assert await self.found(workspace, formId=form["formId"], **{f"meta.{name}": value}) == set(), name
        await workspace.decide(other)
        assert await self.found(workspace, state="pending", **{"meta.ticket": ticket}) == {one}

    async def test_of_the_latest_content(self, workspace: Workspace) -> None:
        form, before, after = await workspace.make_form(), unique("before"), unique("after")
        review_id = (await workspace.request(form, meta={"ticket": before}))["reviewId"]
        await workspace.request(form, updateForReviewId=review_id)
        assert await self.found(workspace, **{"meta.ticket": before}) == {review_id}
        await workspace.request(form, updateForReviewId=review_id, meta={"ticket": after})
        assert await self.found(workspace, **{"meta.ticket": before}) == set()
        assert await self.found(workspace, **{"meta.ticket": after}) == {review_id}
        await workspace.request(form, updateForReviewId=review_id, meta=None)
        assert await self.found(workspace, **{"meta.ticket": after}) == set()

    async def test_only_in_own_account(self, workspace: Workspace, other_workspace: Workspace) -> None:
        ticket = unique("ticket")
        await other_workspace.request(await other_workspace.make_form(), meta={"ticket": ticket})
        assert await self.found(workspace, **{"meta.ticket": ticket}) == set()

    async def test_uses_an_index(self, db: asyncpg.Connection) -> None:
        await db.execute("set enable_seqscan = off")
        plan: Any = await db.fetchval(
            """
            explain (format json) select review_id from review_meta
            where account_id = 'a' and term = meta_term('ticket', 'A-17') and review_id < 'r'
            order by review_id desc limit 5
            """
        )
        assert "review_meta_pkey" in plan
        assert "Sort" not in plan

    @pytest.mark.parametrize(
        "query", ["meta.=1", "meta.a=1&meta.a=2", "&".join(f"meta.k{n}=1" for n in range(11)), "meta=1"]
    )
    async def test_refused(self, workspace: Workspace, query: str) -> None:
        await assert_error(workspace.agent.get(f"/reviews?{query}"), 400, "invalid_query")
