"""Pulling events: in order, without gaps, as soon as they exist."""

import asyncio
import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from aiohttp import web
from support.api import Workspace, assert_error, assert_ok, error_at, sign_in_workspace, unique, workspace_of
from support.in_process import Service, StartService
from support.receiver import Receiver
from support.second_account import open_second_account
from support.service_process import RunningService, running_service

from signoff.forms.examples import COMPLETED
from signoff.platform import event_log as log_end
from signoff.platform.db import Database
from signoff.platform.ids import new_id
from signoff.webhooks.event_log import SCAN_BATCH


async def pull(workspace: Workspace, after: str = "", **params: Any) -> dict[str, Any]:
    return await assert_ok(workspace.agent.get("/events", params={"after": after, **params}))


async def latest(workspace: Workspace) -> str:
    page = await pull(workspace, "latest")
    assert page["items"] == []
    return page["nextCursor"]


async def pull_all(workspace: Workspace, after: str, **params: Any) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    while True:
        page = await pull(workspace, after, **params)
        events += page["items"]
        if page["nextCursor"] == after:
            return events
        after = page["nextCursor"]


class TestPayloads:
    async def test_equal_to_the_webhook(self, workspace: Workspace, receiver: Receiver) -> None:
        path = f"/{unique('same')}"
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        form = await workspace.make_form(agent)
        begin = await latest(workspace)
        made = await workspace.request(form, meta={"ticket": "A-17"})
        await assert_ok(workspace.owner.post(f"/reviews/{made['reviewId']}/retry", json={"instructions": "Shorter."}))
        await workspace.request(form, updateForReviewId=made["reviewId"])
        await workspace.decide(made["reviewId"])
        pushed = [call.json for call in await receiver.wait_for(path, 2)]
        pulled = await pull_all(workspace, begin, agentId=agent["agentId"])
        assert sorted(pulled, key=lambda event: event["eventId"]) == sorted(pushed, key=lambda event: event["eventId"])
        assert [event["event"] for event in pulled] == ["review.retry_requested", "review.completed"]

    async def test_an_agent_without_a_webhook(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        begin = await latest(workspace)
        made = await workspace.request(form)
        await workspace.decide(made["reviewId"], "rejected")
        [event] = await pull_all(workspace, begin, agentId=form["agentId"])
        assert event["deliveryId"] is None
        assert event["reviewResult"]["response"] == "rejected"
        assert set(event) >= {"event", "eventId", "accountId", "agentId", "sessionId", "createdAt", "reviewId"}

    async def test_has_the_tool_result(self, workspace: Workspace, receiver: Receiver) -> None:
        path, go_on = f"/{unique('tool')}", asyncio.Event()

        async def answer(_: Any) -> web.StreamResponse:
            await go_on.wait()
            return web.json_response({"posted": 42})

        form = await workspace.make_form(toolWebhookUrl=receiver.answer(path, answer))
        begin = await latest(workspace)
        made = await workspace.request(form)
        await workspace.decide(made["reviewId"])
        await receiver.wait_for(path)
        waiting = asyncio.create_task(pull(workspace, begin, agentId=form["agentId"], wait=20))
        await asyncio.sleep(0.05)
        assert not waiting.done()  # the webhook would wait for the tool too
        go_on.set()
        [event] = (await waiting)["items"]
        assert event["toolResult"] == {"posted": 42}

    async def test_failing_tool_does_not_delay(self, workspace: Workspace, receiver: Receiver) -> None:
        form = await workspace.make_form(toolWebhookUrl=receiver.answer(f"/{unique('tool')}", [500]))
        begin = await latest(workspace)
        made = await workspace.request(form)
        await workspace.decide(made["reviewId"])
        page = await pull(workspace, begin, agentId=form["agentId"], wait=20)
        assert [event["reviewId"] for event in page["items"]] == [made["reviewId"]]
        assert "toolResult" not in page["items"][0]


class TestCursor:
    async def test_pages_are_complete(self, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        begin = await latest(workspace)
        made = [(await workspace.request(form))["reviewId"] for _ in range(7)]
        for limit in (1, 3, 7, 100):
            events = await pull_all(workspace, begin, agentId=form["agentId"], limit=limit)
            assert [event["reviewId"] for event in events] == made

    async def test_from_the_beginning(self, service: Service) -> None:
        other = await open_second_account(service)
        form = await other.make_form(autoApprove=True)
        made = await other.request(form)
        page = await pull(other)
        assert [event["reviewId"] for event in page["items"]] == [made["reviewId"]]
        assert await pull(other, page["nextCursor"]) == {"items": [], "nextCursor": page["nextCursor"]}
        nothing = await open_second_account(service)
        assert await pull(nothing) == {"items": [], "nextCursor": "0"}
        assert await pull(nothing, "latest") == {"items": [], "nextCursor": "0"}

    async def test_without_other_accounts(self, workspace: Workspace, service: Service) -> None:
        form = await workspace.make_form(autoApprove=True)
        await workspace.request(form)
        other = await open_second_account(service)
        assert (await pull(other))["items"] == []
        assert (await pull(other, agentId=form["agentId"]))["items"] == []

    async def test_events_of_one_agent_among_many(self, service: Service) -> None:
        other = await open_second_account(service)
        agent = await other.make_agent()
        await fill(service, other.account_id, "agt_busy", [new_id("evt") for _ in range(5 * SCAN_BATCH // 2)])
        form = await other.make_form(agent, autoApprove=True)
        made = await other.request(form)
        page = await pull(other, agentId=agent["agentId"])
        assert [event["reviewId"] for event in page["items"]] == [made["reviewId"]]
        assert (await pull(other, page["nextCursor"], agentId=agent["agentId"]))["items"] == []
        begin = (await pull(other, "latest"))["nextCursor"]
        assert (await pull(other, begin))["items"] == []

    async def test_deleting_a_review_removes_its_events_and_keeps_cursors_valid(self, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        begin = await latest(workspace)
        first, second = [(await workspace.request(form))["reviewId"] for _ in range(2)]
        page = await pull(workspace, begin, agentId=form["agentId"])
        assert len(page["items"]) == 2
        for review_id in (first, second):
            await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
        third = (await workspace.request(form))["reviewId"]
        events = await pull_all(workspace, page["nextCursor"], agentId=form["agentId"])
        told = [(event["event"], event["reviewId"]) for event in events]
        deleted = [("review.deleted", first), ("review.deleted", second)]
        assert told == [*deleted, ("review.completed", third)]


FAR_AWAY = datetime(2099, 1, 1, tzinfo=UTC)
PAYLOAD = json.dumps({**COMPLETED, "eventId": "EVENT"}).replace("'", "''")
INSERT = f"""
    insert into events (account_id, event_id, event, agent_id, session_id, payload)
    select $1, id, 'review.completed', $2, 'ses_1', replace('{PAYLOAD}', 'EVENT', id)::json
    from unnest($3::text[]) as id
"""  # noqa: S608 - the text is ours
INSERT_WAITING = f"""
    insert into events (account_id, event_id, event, agent_id, session_id, payload, waits_for, media_until)
    values ($1, $3::text, 'review.completed', $2, 'ses_1', replace('{PAYLOAD}', 'EVENT', $3)::json, $4, $5::timestamptz)
"""  # noqa: S608 - the text is ours


async def fill(service: Service, account_id: str, agent_id: str, event_ids: list[str]) -> None:
    db = await Database.connect(service.dsn(), size=1)
    try:
        await db.execute(INSERT, account_id, agent_id, event_ids)
    finally:
        await db.close()


class TestOrder:
    async def test_in_order_of_creation(self, start_service: StartService) -> None:
        """Also in a new database, whose tables the planner assumes empty. The IDs have another order."""
        written = sorted((new_id("evt") for _ in range(20)), reverse=True)
        async with start_service(worker=False) as service, workspace_of(service) as workspace:
            await fill(service, workspace.account_id, "agt_1", written)
            assert [event["eventId"] for event in await pull_all(workspace, "", limit=7)] == written

    async def test_commits_out_of_order(self, workspace: Workspace, service: Service) -> None:
        """Transactions that start early and commit late, while a reader polls all the time."""
        agent_id, count, done = new_id("agt"), 60, asyncio.Event()
        begin = await latest(workspace)
        db = await Database.connect(service.dsn(), size=12)

        async def write(number: int) -> None:
            async with db.transaction() as tx:
                await tx.execute(
                    """
                    insert into events (account_id, event_id, event, agent_id, session_id, payload)
                    values ($1, $2, 'review.completed', $3, 'ses_1', $4)
                    """,
                    workspace.account_id,
                    new_id("evt"),
                    agent_id,
                    {**COMPLETED, "reviewId": str(number)},
                )
                await asyncio.sleep(random.random() * 0.05)  # noqa: S311

        async def follow() -> list[int]:
            seen: list[int] = []
            after = begin
            while True:
                last_look = done.is_set()
                page = await pull(workspace, after, agentId=agent_id)
                seen += [int(event["reviewId"]) for event in page["items"]]
                if last_look and page["nextCursor"] == after:
                    return seen
                after = page["nextCursor"]

        followers = [asyncio.create_task(follow()) for _ in range(3)]
        try:
            await asyncio.gather(*(write(number) for number in range(count)))
        finally:
            done.set()
            await db.close()
        first, *others = await asyncio.gather(*followers)
        assert sorted(first) == list(range(count))
        assert all(other == first for other in others)  # everyone sees the same order


class TestLateCommits:
    async def test_later_events_wait(
        self, workspace: Workspace, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Otherwise an agent that has read them would skip the one that's committed last."""
        monkeypatch.setattr(log_end, "SETTLE_SECONDS", 0.05)
        agent_id, first, second = new_id("agt"), new_id("evt"), new_id("evt")
        begin = await latest(workspace)
        db = await Database.connect(service.dsn(), size=1)
        try:
            async with db.transaction() as tx:
                await tx.execute(INSERT, workspace.account_id, agent_id, [first])
                await fill(service, workspace.account_id, agent_id, [second])
                page = await pull(workspace, begin, agentId=agent_id)
                assert page == {"items": [], "nextCursor": begin}
                waiting = asyncio.create_task(pull(workspace, begin, agentId=agent_id, wait=60))
                await pull(workspace, begin, agentId=agent_id)
                assert not waiting.done()
            # No one is notified of this commit.
            page = await asyncio.wait_for(waiting, 20)
        finally:
            await db.close()
        assert [event["eventId"] for event in page["items"]] == [first, second]

    async def test_released_events_come_last(self, workspace: Workspace, service: Service) -> None:
        """An event gets its position when its tool webhook and its media aren't waited for anymore."""
        agent_id = new_id("agt")
        after_tool, after_media, immediate = (new_id("evt") for _ in range(3))
        begin = await latest(workspace)
        db = await Database.connect(service.dsn(), size=1)
        try:
            async with db.transaction() as tx:
                await tx.execute(INSERT_WAITING, workspace.account_id, agent_id, after_tool, "whd_tool", None)
                await tx.execute(
                    INSERT_WAITING,
                    workspace.account_id,
                    agent_id,
                    after_media,
                    "whd_tool",
                    datetime(2099, 1, 1, tzinfo=UTC),
                )
            await fill(service, workspace.account_id, agent_id, [immediate])
            for members in ("waits_for = null", "media_until = null"):
                events = await pull_all(workspace, begin, agentId=agent_id)
                await db.execute(f"update events set {members} where agent_id = $1", agent_id)  # noqa: S608
            assert [event["eventId"] for event in events] == [immediate, after_tool]
            events = await pull_all(workspace, begin, agentId=agent_id)
            assert [event["eventId"] for event in events] == [immediate, after_tool, after_media]
        finally:
            await db.close()


async def wait_until_polled(service: Service | RunningService) -> None:
    """Waits until someone polls for events, the first time in this service."""
    connection = await asyncpg.connect(service.dsn())
    looks = """select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
               and query like '%wanted_so_far%'"""
    try:
        async with asyncio.timeout(20):
            while await connection.fetchrow(looks) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
    finally:
        await connection.close()


class TestWaiting:
    async def test_returns_as_soon_as_an_event_is_written(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        made = await workspace.request(form)
        begin = await latest(workspace)
        waiting = [asyncio.create_task(pull(workspace, begin, agentId=form["agentId"], wait=60)) for _ in range(5)]
        await asyncio.sleep(0.05)
        await workspace.decide(made["reviewId"])
        for page in await asyncio.wait_for(asyncio.gather(*waiting), 20):
            assert [event["reviewId"] for event in page["items"]] == [made["reviewId"]]

    async def test_returns_empty_after_the_timeout(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        page = await pull(workspace, await latest(workspace), agentId=agent["agentId"], wait=0.2)
        assert page["items"] == []

    @pytest.mark.parametrize("wait", ["-1", "61", "soon", "nan", "inf", ""])
    async def test_invalid_wait(self, workspace: Workspace, wait: str) -> None:
        form = await workspace.make_form()
        made = await workspace.request(form)
        for path in ("/events", f"/reviews/{made['reviewId']}"):
            problem = await assert_error(workspace.agent.get(path, params={"wait": wait}), 400, "invalid_query")
            assert error_at(problem, "wait")

    @pytest.mark.parametrize("after", ["x", "-1", "1.5", "9" * 19, "evt_1", "LATEST", "1 or 1=1"])
    async def test_unknown_cursor(self, workspace: Workspace, after: str) -> None:
        await assert_error(workspace.agent.get("/events", params={"after": after}), 400, "invalid_query")

    async def test_permissions(self, workspace: Workspace) -> None:
        await assert_error(workspace.public.get("/events"), 401)
        key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "writer", "scopes": ["reviews:write"]}))
        await assert_error(workspace.client(**{"x-api-key": key["apiKey"]}).get("/events"), 403)

    async def test_shutdown_ends_waits(self, start_service: StartService) -> None:
        async with start_service(worker=False) as service:
            workspace = await sign_in_workspace(service)
            waiting = asyncio.create_task(pull(workspace, "latest", wait=60))
            await wait_until_polled(service)
            assert not waiting.done()
            service.app.state.context.pubsub.stop()  # as at a SIGTERM
            assert (await asyncio.wait_for(waiting, 20))["items"] == []

    @pytest.mark.slow
    async def test_waits_do_not_block_shutdown(self, tmp_path: Path) -> None:
        with running_service(tmp_path, shutdown_grace=30) as service:
            workspace = await sign_in_workspace(service)
            waiting = asyncio.create_task(workspace.agent.get("/events", params={"after": "latest", "wait": 60}))
            await wait_until_polled(service)
            service.process.terminate()
            answer = await asyncio.wait_for(waiting, 20)  # the wait is longer, and so is the grace period
            assert answer.status_code == 200
            assert answer.json()["items"] == []
            assert await asyncio.to_thread(service.process.wait, 20) == 0


class TestReviewWait:
    async def test_returns_immediately_if_already_decided(self, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        made = await workspace.request(form)
        review = await asyncio.wait_for(assert_ok(workspace.agent.get(f"/reviews/{made['reviewId']}?wait=60")), 20)
        assert review["state"] == "responded"

    async def test_returns_pending_after_the_timeout(self, workspace: Workspace) -> None:
        made = await workspace.request(await workspace.make_form())
        review = await assert_ok(workspace.agent.get(f"/reviews/{made['reviewId']}?wait=0.1"))
        assert review["state"] == "pending"

    async def test_unknown_review_fails_immediately(self, workspace: Workspace) -> None:
        await asyncio.wait_for(assert_error(workspace.agent.get("/reviews/rev_none?wait=60"), 404), 20)
