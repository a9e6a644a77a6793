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
        lost = asyncio.Event()
        async with self._db.own_connection() as connection:
            connection.add_termination_listener(partial(_set, lost))
            await connection.add_listener(CHANNEL, self._on_notification)
            for topic in list(self._subscriptions):  # messages sent before this were missed
                self._dispatch(topic)
            await lost.wait()

    def _on_notification(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        topic, _, subject = payload.partition(" ")
        self._dispatch(topic, subject)

    def _dispatch(self, topic: str, subject: str = "") -> None:
        for subscription in self._subscriptions.get(topic, ()):
            subscription.notify(subject)


def _set(event: asyncio.Event, _connection: object) -> None:
    event.set()


class Subscription:
    def __init__(self, *, over: bool) -> None:
        self._heard = asyncio.Event()
        self._over = over
        self._subjects: dict[str, None] = {}

    def notify(self, subject: str = "") -> None:
        if subject and len(self._subjects) < MAX_SUBJECTS:
            self._subjects[subject] = None
        self._heard.set()

    def subjects(self) -> list[str]:
        """Return the subjects of the messages since the last call, for messages that have one."""
        subjects, self._subjects = list(self._subjects), {}
        return subjects

    def close(self) -> None:
        self._over = True
        self._heard.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for a message or for the timeout. Returns False when the process is stopping, so don't wait again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(0 if self._over else min(seconds, MAX_POLL_INTERVAL)):
                await self._heard.wait()
        self._heard.clear()
        return not self._over
