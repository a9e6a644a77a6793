"""The log subscriber: no entry is skipped or handled twice, if workers are late, killed, or concurrent."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import asyncpg
import pytest
from chat_app_helpers import wait_until
from mail_helpers import wait_until_gone
from review_mail_helpers import MailSetup, Member, open_mail_setup
from support.in_process import Service, StartService
from support.mail_server import mail_server
from support.service_process import RunningService, running_service

from signoff.notifications.log_subscriber.entries import LogEntry
from signoff.notifications.log_subscriber.subscriber import (
    PATIENCE,
    AuditLogSubscriber,
    read_position,
    try_lock,
)
from signoff.platform.db import Database, Executor

INSERT = """
    insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)
    values ($1, 'system', 'system', 'signoff', 'review.reminded', $2) returning entry_id
"""


async def test_late_commits_are_not_skipped(mail_setup: MailSetup, monkeypatch: pytest.MonkeyPatch) -> None:
    readings, note_reading = list[int](), AuditLogSubscriber.note_reading

    def note(subscriber: AuditLogSubscriber, highest: int, writers: Sequence[str]) -> None:
        note_reading(subscriber, highest, writers)
        readings.append(highest)

    monkeypatch.setattr(AuditLogSubscriber, "note_reading", note)
    ann = await mail_setup.add_member()
    review_id = await mail_setup.request(await mail_setup.make_form(), ann)
    await mail_setup.send_mail(ann)
    async with mail_setup.db.transaction() as late:
        number = await late.fetchval(INSERT, mail_setup.workspace.account_id, review_id)
        higher = await mail_setup.db.fetchval(INSERT, mail_setup.workspace.account_id, "rev_unknown")
        # Several readings, all of which find the higher number.
        await wait_until(lambda: sum(highest >= higher for highest in readings) > 2)
        assert await read_position(mail_setup.db) < number < higher
    await mail_setup.wait_until_planned()
    assert (await mail_setup.send_mail(ann)).message["Subject"] == "Reminder: Autumn"


async def test_only_one_worker_reads_the_log(mail_setup: MailSetup) -> None:
    await mail_setup.wait_until_planned()
    async with mail_setup.db.own_connection() as connection:
        assert not await try_lock(connection), "the service's worker has it"


async def test_worker_that_lost_the_lock_writes_nothing(mail_setup: MailSetup) -> None:
    """Its position isn't the stored one any more."""
    await mail_setup.wait_until_planned()
    planned: list[LogEntry] = []

    async def plan(_: Executor, entries: Sequence[LogEntry]) -> None:
        planned.extend(entries)

    position = await read_position(mail_setup.db)
    subscriber = AuditLogSubscriber(mail_setup.db, [plan], position - 1)
    async with mail_setup.db.own_connection() as connection:
        await subscriber.poll(connection)
    assert await subscriber.plan_next() == 0
    assert not planned
    assert await read_position(mail_setup.db) >= position


class _Log:
    """Ten entries in memory, and the position: everything a subscriber needs from a database."""

    def __init__(self) -> None:
        self.position = 0

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["_Log"]:
        before = self.position
        try:
            yield self
        except Exception:
            self.position = before
            raise

    async def fetchval(self, _: str) -> int:
        return self.position

    async def execute(self, _: str, position: int) -> None:
        self.position = position

    async def fetch(self, _: str, after: int, until: int, most: int) -> list[dict[str, Any]]:
        numbers = [number for number in range(1, 11) if after < number <= until][:most]
        common = {"account_id": "acc", "actor_kind": "key", "actor_id": "", "actor_name": "", "details": None}
        return [{**common, "entry_id": each, "action": "review.requested", "object_id": "rev"} for each in numbers]


@pytest.mark.parametrize(
    ("error", "left_out"),
    [(ValueError("no"), [4]), (asyncpg.UndefinedTableError("no"), [4]), (asyncpg.DiskFullError("full"), None)],
)
async def test_failing_entry_does_not_block_the_log(
    error: Exception, left_out: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It's skipped in the end, so that the others are handled; but not after a temporary error."""
    # Its log lines are long and take longer to write than everything else here.
    monkeypatch.setattr("signoff.notifications.log_subscriber.subscriber.log", Mock())
    log, batches = _Log(), list[list[int]]()

    async def plan(_: Executor, entries: Sequence[LogEntry]) -> None:
        if any(entry.entry_id == 4 for entry in entries):
            raise error
        batches.append([entry.entry_id for entry in entries])

    subscriber = AuditLogSubscriber(cast(Database, log), [plan], 0)
    subscriber.note_reading(10, [])
    if left_out is None:
        with pytest.raises(type(error)):
            await subscriber.plan_next()
        assert (log.position, batches) == (0, [])
        return
    for _ in range(PATIENCE + 20):
        await subscriber.plan_next()
    assert log.position == 10
    assert [number for batch in batches for number in batch] == [
        number for number in range(1, 11) if number not in left_out
    ]
    assert batches == [[1], [2, 3], [5], [6, 7], [8, 9, 10]], "it goes on with few, and then with more"


def count_in(subject: str) -> int:
    found = re.match(r"([\d,]+) reviews are waiting", subject)
    return int(found[1].replace(",", "")) if found else 1


async def wait_until_all_notified(mail_setup: MailSetup, member: Member, wanted: int) -> int:
    """The number of reviews in all mails together, once it's high enough."""
    until = time.monotonic() + 90
    while True:
        # As if the time for collecting news were over.
        await mail_setup.db.execute(
            "update notified_people set mail_at = now() where user_id = $1 and mail_at > now()", member.user_id
        )
        subjects = [mail.message["Subject"] for mail in mail_setup.server.mails_to(member.email)]
        told = sum(count_in(subject) for subject in subjects if "invited you" not in subject)
        if told >= wanted:
            return told
        assert time.monotonic() < until, f"{told} of {wanted} were told of"
        await asyncio.sleep(0.1)


async def kill_worker(service: RunningService) -> None:
    before = service.child("worker")
    os.kill(before, signal.SIGKILL)
    until = time.monotonic() + 60
    while True:
        try:
            if service.child("worker") != before:
                return
        except (LookupError, OSError):
            pass
        assert time.monotonic() < until, "no worker came"
        await asyncio.sleep(0.05)


async def cut_off_worker(service: Service) -> None:
    """A worker that was cut off: its open transactions are rolled back, and another one continues."""
    connection = await asyncpg.connect(service.dsn())
    try:
        cut = await connection.fetch(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'signoff worker'
            """
        )
        assert cut
    finally:
        await connection.close()
    await service.worker.stop()
    await service.worker.start()


async def check_all_notified(mail_setup: MailSetup, interrupt: Callable[[], Awaitable[None]]) -> None:
    """The collected news survives, and so does the position; everything is mailed, and nothing twice."""
    await mail_setup.owner.set_preferences(email="none")
    ann = await mail_setup.add_member()
    form = await mail_setup.make_form()
    first = await mail_setup.request(form)
    assert await mail_setup.next_mail_at(ann) is not None
    await interrupt()
    assert await wait_until_all_notified(mail_setup, ann, 1) == 1
    await wait_until_gone(mail_setup.db, "select 1 from outgoing_messages where channel = 'mail' and state <> 'sent'")
    await mail_setup.copy_review(first, 100)
    await interrupt()
    await asyncio.gather(*(mail_setup.request(form) for _ in range(20)))
    wanted = await mail_setup.db.fetchval(
        "select count(*) from audit_log where account_id = $1 and action = 'review.requested'",
        mail_setup.workspace.account_id,
    )
    assert await wait_until_all_notified(mail_setup, ann, wanted) == wanted
    await mail_setup.wait_until_planned()
    assert await mail_setup.next_mail_at(ann) is None
    await wait_until_gone(mail_setup.db, "select 1 from outgoing_messages where channel = 'mail' and state <> 'sent'")


COLLECTED = {"mail_collect_seconds": 3600, "mail_pause_seconds": 0}


async def test_disconnected_between_planning_and_sending(start_service: StartService) -> None:
    with mail_server() as server:
        async with (
            start_service(**server.settings, **COLLECTED) as service,
            open_mail_setup(service, server) as mail_setup,
        ):
            await check_all_notified(mail_setup, partial(cut_off_worker, service))


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_killed_between_planning_and_sending(tmp_path: Path) -> None:
    with (
        mail_server() as server,
        running_service(tmp_path, **server.settings, **COLLECTED, sign_in_failures=1000) as service,
    ):
        async with open_mail_setup(service, server) as mail_setup:
            await check_all_notified(mail_setup, partial(kill_worker, service))
