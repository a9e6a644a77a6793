"""Events wait for the copies of their review's media, up to the configured timeout."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from aiohttp import web
from media_review_helpers import media_form, serve, serve_by, wait_until
from sample_files import new_seed, png
from support.api import Workspace, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Call, Receiver
from support.service_process import RunningService, running_service

from signoff.media.content_types import MediaKind
from signoff.media.copies import COPY_CHANNEL, RELEASE, CopyChannel
from signoff.media.review_copies import UNFINISHED, read_review_copies
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.outbox.messages import AttemptRecord, Room, claim_messages
from signoff.platform.outbox.retry_policy import AttemptOutcome
from signoff.platform.outbox.sender import FinishedAttempt
from signoff.platform.settings import Settings
from signoff.webhooks.events import WebhookEvent, emit_event


class HeldFile:
    """An image that is served only after it's released."""

    def __init__(self, receiver: Receiver) -> None:
        self.let_go = asyncio.Event()
        self._content = png(seed=new_seed())
        self.url = serve_by(receiver, self._answer)

    async def _answer(self, _: Call) -> web.StreamResponse:
        await self.let_go.wait()
        return web.Response(body=self._content, content_type="image/png")


async def requested(workspace: Workspace, *urls: str, **members: Any) -> tuple[str, str]:
    """A review that is approved immediately, and the path where its event goes."""
    path = "/" + unique("waits")
    form = await media_form(workspace, autoApprove=True, **members.pop("form", {}))
    data = {"photos": list(urls)}
    review = await workspace.request(form, data=data, webhookUrl=members.pop("receiver").url + path, **members)
    return review["reviewId"], path


async def is_held_back(workspace: Workspace, review_id: str) -> None:
    """All earlier events of this account could have been pulled and delivered, except for this one."""
    review = await workspace.review(review_id)
    assert review["state"] == "responded"
    page = await assert_ok(workspace.agent.get("/events", params={"after": "", "limit": 500}))
    while page["items"]:
        assert review_id not in {event.get("reviewId") for event in page["items"]}
        page = await assert_ok(workspace.agent.get("/events", params={"after": page["nextCursor"], "limit": 500}))
    record = await workspace.delivery(review["webhookDeliveryId"])
    assert (record["status"], record["attempts"]) == ("pending", [])


class TestWaits:
    async def test_webhook_and_polled_event_have_every_copy(self, workspace: Workspace, receiver: Receiver) -> None:
        held = [HeldFile(receiver), HeldFile(receiver)]
        urls = [held_file.url for held_file in held]
        review_id, path = await requested(workspace, *urls, receiver=receiver)
        await is_held_back(workspace, review_id)
        held[0].let_go.set()
        await wait_until(lambda: has_copies(workspace, review_id, 1))
        await is_held_back(workspace, review_id)
        held[1].let_go.set()
        [call] = await receiver.wait_for(path)
        assert set(call.json["fileCache"]) == set(urls)
        assert "mediaNotices" not in call.json
        assert call.json["fileCache"] == (await workspace.review(review_id))["fileCache"]
        assert call.json in await pulled(workspace)

    async def test_copies_end_at_the_same_time(self, workspace: Workspace, receiver: Receiver) -> None:
        """Ten reviews, whose copies all end together: no event waits for its timeout."""
        held = [(HeldFile(receiver), HeldFile(receiver)) for _ in range(10)]
        paths = [(await requested(workspace, a.url, b.url, receiver=receiver))[1] for a, b in held]
        for held_file in [file for both in held for file in both]:
            held_file.let_go.set()
        for path in paths:
            [call] = await receiver.wait_for(path)
            assert len(call.json["fileCache"]) == 2
            assert "mediaNotices" not in call.json

    async def test_tool_waits_and_then_the_agent(self, workspace: Workspace, receiver: Receiver) -> None:
        held, word = HeldFile(receiver), unique("tool")
        tool = receiver.answer(f"/{word}", web.json_response([1, 2]))
        review_id, path = await requested(workspace, held.url, receiver=receiver, form={"toolWebhookUrl": tool})
        await is_held_back(workspace, review_id)
        assert receiver.at(f"/{word}") == []
        held.let_go.set()
        [call] = await receiver.wait_for(path)
        [first] = receiver.at(f"/{word}")
        assert set(first.json["fileCache"]) == set(call.json["fileCache"]) == {held.url}
        assert call.json["toolResult"] == [1, 2]

    async def test_quick_decision(self, workspace: Workspace, receiver: Receiver) -> None:
        held, path = HeldFile(receiver), "/" + unique("quick")
        form = await media_form(workspace, webhookUrl=receiver.url + path)
        review = await workspace.request(form, data={"photos": [held.url]})
        await workspace.decide(review["reviewId"])
        await is_held_back(workspace, review["reviewId"])
        held.let_go.set()
        [call] = await receiver.wait_for(path)
        assert set(call.json["fileCache"]) == {held.url}


class TestDoesNotWait:
    async def test_for_failed_copies(self, workspace: Workspace, receiver: Receiver) -> None:
        fine, broken = serve(receiver, png(seed=new_seed())), receiver.answer("/" + unique("none"), [404])
        review_id, path = await requested(workspace, fine, broken, receiver=receiver)
        [call] = await receiver.wait_for(path)
        assert set(call.json["fileCache"]) == {fine}
        [notice] = call.json["mediaNotices"]
        assert notice["url"] == broken
        assert {**notice, "state": "failed"} in (await workspace.review(review_id))["mediaNotices"]

    async def test_for_reviews_without_media(self, workspace: Workspace, receiver: Receiver) -> None:
        _, path = await requested(workspace, receiver=receiver)
        [call] = await receiver.wait_for(path)
        assert call.json["fileCache"] == {}

    async def test_when_its_review_is_deleted(self, workspace: Workspace, receiver: Receiver) -> None:
        held = HeldFile(receiver)
        review_id, path = await requested(workspace, held.url, receiver=receiver)
        await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
        held.let_go.set()
        _, later = await requested(workspace, serve(receiver, png(seed=new_seed())), receiver=receiver)
        await receiver.wait_for(later)
        assert receiver.at(path) == []


class TestUntilTheTimeout:
    """Whatever happens to the worker."""

    async def wait(
        self, service: Service | RunningService, receiver: Receiver, lose: Callable[[], Awaitable[None]]
    ) -> None:
        workspace = await sign_in_workspace(service)
        held = HeldFile(receiver)
        fine = serve(receiver, png(seed=new_seed()))
        review_id, path = await requested(workspace, fine, held.url, receiver=receiver)
        await is_held_back(workspace, review_id)
        await wait_until(lambda: has_copies(workspace, review_id, 1))
        await lose()
        [call] = await receiver.wait_for(path, within=60)
        assert set(call.json["fileCache"]) == {fine}
        assert call.json["mediaNotices"] == [{"url": held.url, "message": UNFINISHED}]
        held.let_go.set()

    async def test_lost(self, start_service: StartService, receiver: Receiver) -> None:
        async with start_service(event_media_wait=2, shutdown_grace=0.2) as service:

            async def lose() -> None:
                await service.worker.stop()
                db = await Database.connect(service.dsn(), size=1)
                assert len((await claim_messages(db, [Room(COPY_CHANNEL, 1)], lost_after=60)).claims) == 1
                await db.close()
                await service.worker.start()

            await self.wait(service, receiver, lose)

    @pytest.mark.slow
    async def test_killed(self, receiver: Receiver, tmp_path: Path) -> None:
        with running_service(tmp_path, event_media_wait=3) as service:

            async def kill() -> None:
                os.kill(service.child("worker"), signal.SIGKILL)

            await self.wait(service, receiver, kill)


async def test_copy_ends_during_the_decision(empty_db: Database) -> None:
    """The decision holds the copy's lock; the copy is recorded as soon as it commits, and must see the event."""
    account, review, copy = "acc_1", "rev_1", "cpy_1"
    await empty_db.execute(
        """insert into media_copies (copy_id, account_id, review_id, url_hash, url, kind)
           values ($1, $2, $3, 'x', 'https://example.com/a.png', $4)""",
        copy,
        account,
        review,
        MediaKind.IMAGE.value,
    )
    nobody: Any = Mock()
    copies = CopyChannel(empty_db, nobody, nobody, Settings())
    failed = AttemptRecord(copy, now(), "queued", 60.0, counts=True, error="It is gone.", attempt={})

    async def record() -> None:
        async with empty_db.transaction() as tx:
            await copies.settle(tx, [FinishedAttempt(failed, AttemptOutcome(failed.error))])

    soon = now() + timedelta(seconds=30)
    async with empty_db.transaction() as tx:
        assert (await read_review_copies(tx, Settings(), account, review, soon)).in_progress
        ending = asyncio.create_task(record())
        await wait_until(lambda: empty_db.fetchval("select true from pg_locks where not granted"))
        await emit_event(
            tx, WebhookEvent("review.completed", account, "agt_1", "ses_1", {}, review_id=review), [], 7, soon
        )
    await ending
    jobs = await empty_db.fetch("select due_at <= now() as due from jobs where name = $1", RELEASE)
    assert sorted(job["due"] for job in jobs) == [False, True]


async def has_copies(workspace: Workspace, review_id: str, count: int) -> bool:
    return len((await workspace.review(review_id))["fileCache"]) >= count


async def pulled(workspace: Workspace) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    page = await assert_ok(workspace.agent.get("/events", params={"after": "", "limit": 500}))
    while page["items"]:
        events += page["items"]
        page = await assert_ok(workspace.agent.get("/events", params={"after": page["nextCursor"], "limit": 500}))
    return events
