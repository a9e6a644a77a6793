"""The worker's notification loop: follow the audit log of all accounts, then write the mails that are due."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Protocol

from signoff.accounts.audit_log.writer import AUDIT_LOG_TOPIC, follow_audit_log
from signoff.notifications.log_entries import EntryPlanner, LogEntry, read_entries
from signoff.notifications.review_mails.digests import Digests
from signoff.notifications.review_mails.instant_mails import InstantMails
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor
from signoff.platform.log_reader import Read, StoredReader, follow, is_transient, read_position
from signoff.platform.logs import get_logger
from signoff.platform.pubsub import PubSub
from signoff.platform.sql import Sql

log = get_logger("notifications")

READER: Final = "notifications"
LOCK: Final = 4_811_903_272
"""The key of an advisory lock that nothing else uses."""
REST: Final = 0.1
"""Minimum seconds between two reads of the log: changes within that time are planned together."""
PLAN_DIGESTS_EVERY: Final = timedelta(seconds=10)
MAX_CONCURRENT: Final = 20
"""Maximum number of mails written between two reads of the log."""
AFTER_FAILURE: Final = timedelta(minutes=5)

# `due_at` is when someone's next mail is due. It's part of the query, so that an idle worker sends one query per poll.
_POLL: Final = """
    select log.highest, log.writers,
           least((select min(mail_at) from notified_people where mail_at is not null),
                 (select min(least(next_hourly_at, next_daily_at)) from notified_people)) as due_at
    from ({reading}) as log
"""


async def try_lock(connection: Any) -> bool:
    """Take the lock, which is held until the connection ends."""
    return await connection.fetchval("select pg_try_advisory_lock($1)", LOCK)


class MailSource(Protocol):
    """Mails of one type."""

    async def list_due(self, most: int) -> list[str]: ...
    async def send(self, user_id: str) -> int: ...


class NotificationLoop:
    def __init__(
        self,
        db: Database,
        pubsub: PubSub,
        plans: Sequence[EntryPlanner],
        *,
        interval: float,
        clock: Callable[[], datetime] = now,
    ) -> None:
        """`interval` is the maximum number of seconds between two reads of the log."""
        self._interval = interval
        self._db = db
        self._pubsub = pubsub
        self._plans = plans
        self._clock = clock
        self._log = follow_audit_log()
        self._poll = Sql(_POLL, reading=self._log.reading)
        self._reader: StoredReader[LogEntry] | None = None
        """None while another process has the lock."""
        self._digests = Digests(db, clock)
        self._sources: Sequence[MailSource] = (InstantMails(db, clock), self._digests)
        self._digests_planned_at: datetime | None = None
        self._left_until: dict[str, datetime] = {}
        """People whose mail failed, and when to retry."""

    async def run(self) -> None:
        """Run until the process stops. Only one process does at a time; others wait until it's gone."""
        with self._pubsub.subscribe(AUDIT_LOG_TOPIC) as subscription:
            # Whatever the error is, it must not stop the worker's other loops.
            await follow(READER, subscription, self._open, interval=self._interval, rest=REST, retry_on=(Exception,))

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[Read]:
        self._reader = None
        async with self._db.own_connection() as connection:
            yield partial(self._read, connection)

    async def _read(self, connection: Any) -> float | None:
        if self._reader is None:
            if not await try_lock(connection):
                return None
            await self._pubsub.listen_on(connection)
            position = await read_position(connection, READER)
            self._reader = StoredReader(READER, self._db, read_entries, self._plan, position)
        # On the connection that holds the lock: without it nobody follows.
        row = await self._poll.fetch_one(connection)
        assert row is not None
        pause = await self._reader.read(self._log.note(row["highest"], row["writers"]))
        if self._is_time_to_plan_digests():
            await self._digests.plan()
        if row["due_at"] is not None and row["due_at"] <= self._clock() and await self._send_due():
            return 0
        return pause

    async def _plan(self, tx: Executor, entries: Sequence[LogEntry]) -> None:
        for plan in self._plans:
            await plan(tx, entries)

    def _is_time_to_plan_digests(self) -> bool:
        now = self._clock()
        if self._digests_planned_at is not None and now - self._digests_planned_at < PLAN_DIGESTS_EVERY:
            return False
        self._digests_planned_at = now
        return True

    async def _send_due(self) -> int:
        count, now = 0, self._clock()
        self._left_until = {who: until for who, until in self._left_until.items() if until > now}
        for source in self._sources:
            waiting = await source.list_due(MAX_CONCURRENT + len(self._left_until))
            for user_id in [user_id for user_id in waiting if user_id not in self._left_until][:MAX_CONCURRENT]:
                count += await self._send_one(source, user_id)
        return count

    async def _send_one(self, source: MailSource, user_id: str) -> int:
        try:
            await source.send(user_id)
        except Exception as error:
            if is_transient(error):
                raise
            log.exception("couldn't create a member's email; retrying later", user=user_id)
            self._left_until[user_id] = self._clock() + AFTER_FAILURE
            return 0
        return 1
