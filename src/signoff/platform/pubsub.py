"""Pub/sub between processes, for code that waits for changes.

A topic is a string such as an account's ID. A message carries only its topic and sometimes the ID of its subject;
subscribers then read what's new since their last position. So no data is lost if a message is, as long as subscribers
also poll now and then.
"""

import asyncio
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from signoff.platform.db import DATABASE_ERRORS, Database, Executor
from signoff.platform.logs import get_logger

log = get_logger("pubsub")

CHANNEL = "signoff_live"
MAX_POLL_INTERVAL = 5.0
"""Maximum seconds a subscriber sleeps: a process that died may not have sent its message."""
RECONNECT_AFTER = 1.0
MAX_SUBJECTS = 1_000


def account_topic(account_id: str) -> str:
    """The topic for all changes in the account, not only those with an event."""
    return f"{account_id}/changes"


def publish(db: Executor, *topics: str) -> None:
    """Publish to the topics, after the commit if `db` is a transaction."""
    for topic in topics:
        db.notify(CHANNEL, topic)


def publish_subject(db: Executor, topic: str, subject: str) -> None:
    """Publish with the ID of the subject, for changes that subscribers can't find by polling."""
    db.notify(CHANNEL, f"{topic} {subject}")


class PubSub:
    """The subscriptions of this process."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._subscriptions: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._stopping = False

    @contextmanager
    def subscribe(self, *topics: str) -> Generator["Subscription"]:
        """Subscribe. Do this before the first read, so that no change in between is missed."""
        subscription = Subscription(over=self._stopping)
        for topic in topics:
            self._subscriptions[topic].add(subscription)
        try:
            yield subscription
        finally:
            for topic in topics:
                self._subscriptions[topic].discard(subscription)
                if not self._subscriptions[topic]:
                    del self._subscriptions[topic]

    def stop(self) -> None:
        """Wake up all subscribers, because the process is about to exit."""
        self._stopping = True
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.close()

    async def listen(self) -> None:
        """Listen until the process exits. While the database is unreachable no messages arrive, and subscribers
        fall back to polling.
        """
        while True:
            try:
                await self._listen_until_lost()
            except DATABASE_ERRORS as error:
                log.warning("LISTEN failed; retrying", error=str(error))
            await asyncio.sleep(RECONNECT_AFTER)

    async def _listen_until_lost(self) -> None:
        async with self._db.own_connection() as connection:
            await (await self.listen_on(connection)).wait()

    async def listen_on(self, connection: Any) -> asyncio.Event:
        """Listen on a connection that's also used for something else. Returns an event that's set when it's lost."""
        lost = asyncio.Event()
        connection.add_termination_listener(partial(self._on_termination, lost))
        await connection.add_listener(CHANNEL, self._on_notification)
        self._dispatch_all()  # messages sent before this were missed
        return lost

    def _on_termination(self, lost: asyncio.Event, _connection: object) -> None:
        lost.set()
        self._dispatch_all()

    def _on_notification(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        topic, _, subject = payload.partition(" ")
        self._dispatch(topic, subject)

    def _dispatch_all(self) -> None:
        for topic in list(self._subscriptions):
            self._dispatch(topic)

    def _dispatch(self, topic: str, subject: str = "") -> None:
        for subscription in self._subscriptions.get(topic, ()):
            subscription.notify(subject)


class Subscription:
    def __init__(self, *, over: bool) -> None:
        self._heard = asyncio.Event()
        self._closed = asyncio.Event()
        if over:
            self._closed.set()
        self._subjects: dict[str, None] = {}

    def notify(self, subject: str = "") -> None:
        if subject and len(self._subjects) < MAX_SUBJECTS:
            self._subjects[subject] = None
        self._heard.set()

    def subjects(self) -> list[str]:
        """Return the subjects of the messages since the last call, for messages that have one."""
        subjects, self._subjects = list(self._subjects), {}
        return subjects

    @property
    def is_over(self) -> bool:
        """Whether the process is stopping."""
        return self._closed.is_set()

    def close(self) -> None:
        self._closed.set()
        self._heard.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for a message or for the timeout. Returns False when the process is stopping, so don't wait again."""
        await _wait_for(self._heard, 0 if self.is_over else min(seconds, MAX_POLL_INTERVAL))
        self._heard.clear()
        return not self.is_over

    async def rest(self, seconds: float) -> None:
        """Wait, whatever is heard, unless the process is stopping. The next `wait` returns what was heard."""
        await _wait_for(self._closed, seconds)


async def _wait_for(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
