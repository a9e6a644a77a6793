"""Notifications miss no entry of the audit log and repeat none, if workers are late, killed, or concurrent."""

import asyncio
import os
import re
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import asyncpg
import pytest
from chat_app_helpers import wait_until
from mail_helpers import wait_until_gone
from review_mail_helpers import MailSetup, Member, open_mail_setup
from support.in_process import Service, StartService
from support.mail_server import mail_server
from support.service_process import RunningService, running_service

from signoff.accounts.actors import system_actor
from signoff.accounts.audit_log.writer import record_audit
from signoff.notifications.log_entries import LogEntry
from signoff.notifications.notification_loop import READER, NotificationLoop, try_lock
from signoff.platform import pubsub as pubsub_module
from signoff.platform.db import Database, Executor
from signoff.platform.event_log import EventLog, LogEnd
from signoff.platform.ids import new_id
from signoff.platform.log_reader import read_position
from signoff.platform.pubsub import PubSub

INSERT = """
    insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)
    values ($1, 'system', 'system', 'signoff', 'review.reminded', $2) returning entry_id
"""


async def test_late_commits_are_not_skipped(mail_setup: MailSetup, monkeypatch: pytest.MonkeyPatch) -> None:
    readings, note_reading = list[int](), EventLog.note

    def note(log: EventLog, highest: int, writers: Sequence[str]) -> LogEnd:
        readings.append(highest)
        return note_reading(log, highest, writers)

    monkeypatch.setattr(EventLog, "note", note)
    ann = await mail_setup.add_member()
    review_id = await mail_setup.request(await mail_setup.make_form(), ann)
    await mail_setup.send_mail(ann)
    async with mail_setup.db.transaction() as late:
        number = await late.fetchval(INSERT, mail_setup.workspace.account_id, review_id)
        higher = await mail_setup.db.fetchval(INSERT, mail_setup.workspace.account_id, "rev_unknown")
        # Several readings, all of which find the higher number.
        await wait_until(lambda: sum(highest >= higher for highest in readings) > 2)
        assert await read_position(mail_setup.db, READER) < number < higher
    await mail_setup.wait_until_planned()
    assert (await mail_setup.send_mail(ann)).message["Subject"] == "Reminder: Autumn"


async def test_only_one_worker_reads_the_log(mail_setup: MailSetup) -> None:
    await mail_setup.wait_until_planned()
    async with mail_setup.db.own_connection() as connection:
        assert not await try_lock(connection), "the service's worker has it"


async def test_entries_wake_the_worker(empty_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without polling."""
    monkeypatch.setattr(pubsub_module, "MAX_POLL_INTERVAL", 3600.0)
    planned, pubsub, account_id = list[str](), PubSub(empty_db), new_id("acc")

    async def plan(_: Executor, entries: Sequence[LogEntry]) -> None:
        planned.extend(entry.object_id for entry in entries)

    await empty_db.execute(
        "insert into accounts (account_id, name, audit_webhook_secret) values ($1, 'A', 's')", account_id
    )
    running = asyncio.create_task(NotificationLoop(empty_db, pubsub, [plan], interval=3600).run())
    for object_id in ("agt_before", "agt_later"):  # when the first one has been read, the loop listens
        await record_audit(empty_db, system_actor(account_id), "agent.changed", object_id)
        await wait_until(lambda each=object_id: each in planned)
    pubsub.stop()
    await running
    assert planned == ["agt_before", "agt_later"]


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
