"""News within moments, whichever process made it: for those who wait for something to happen.

A topic is a word, like an account's ID. News carries nothing but its topic, and sometimes the ID of what it is about:
whoever hears it reads what is new, from where it stood before. So nothing is lost when a word is, as long as who
follows also looks now and then by itself.
"""

import asyncio
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial

from signoff.platform.db import DATABASE_ERRORS, Database
from signoff.platform.logs import get_logger
from signoff.platform.pg_notify import NotifyBatcher

log = get_logger("live")

CHANNEL = "signoff_live"
MAX_POLL_INTERVAL = 5.0
"""How long a follower sleeps at most, in seconds: a process that died may have taken a word with it."""
RECONNECT_AFTER = 1.0
SOON = 0.05
MOST_SUBJECTS = 1_000


def account_topic(account_id: str) -> str:
    """For those who want to know of everything in the account, and not only of what makes an event."""
    return f"{account_id}/changes"


class PubSub:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._notifier = NotifyBatcher(db, CHANNEL)
        self._followers: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._soon: set[str] = set()
        self._stopping = False

    def publish(self, *topics: str) -> None:
        """To be called after the commit, by the process that made it."""
        for topic in topics:
            self._notifier.notify(topic)

    def publish_subject(self, topic: str, subject: str) -> None:
        """The same, for what nobody could find out by looking: with the ID of what it is about."""
        self._notifier.notify(f"{topic} {subject}")

    def publish_debounced(self, topic: str) -> None:
        """The same within a moment, once for all of it: for what happens hundreds of times in a second."""
        if topic not in self._soon:
            self._soon.add(topic)
            asyncio.get_running_loop().call_later(SOON, self._tell_now, topic)

    def _tell_now(self, topic: str) -> None:
        self._soon.discard(topic)
        self.publish(topic)

    @contextmanager
    def subscribe(self, *topics: str) -> Generator["Subscription"]:
        """Begin to follow before looking for the first time: what happens in between is heard."""
        follower = Subscription(over=self._stopping)
        for topic in topics:
            self._followers[topic].add(follower)
        try:
            yield follower
        finally:
            for topic in topics:
                self._followers[topic].discard(follower)
                if not self._followers[topic]:
                    del self._followers[topic]

    def stop(self) -> None:
        """Nobody waits any longer: the process is about to end."""
        self._stopping = True
        for followers in self._followers.values():
            for follower in followers:
                follower.close()

    async def listen(self) -> None:
        """For as long as the process runs. Without the database nobody hears anything, and everybody looks anyway."""
        while True:
            try:
                await self._hear()
            except DATABASE_ERRORS as error:
                log.warning("LISTEN failed; retrying", error=str(error))
            await asyncio.sleep(RECONNECT_AFTER)

    async def _hear(self) -> None:
        lost = asyncio.Event()
        async with self._db.own_connection() as connection:
            connection.add_termination_listener(partial(_set, lost))
            await connection.add_listener(CHANNEL, self._on_word)
            for topic in list(self._followers):  # what was said until now was heard by nobody
                self._pass_on(topic)
            await lost.wait()

    def _on_word(self, _connection: object, _pid: int, _channel: str, word: str) -> None:
        topic, _, subject = word.partition(" ")
        self._pass_on(topic, subject)

    def _pass_on(self, topic: str, subject: str = "") -> None:
        for follower in self._followers.get(topic, ()):
            follower.notify(subject)


def _set(event: asyncio.Event, _connection: object) -> None:
    event.set()


class Subscription:
    def __init__(self, *, over: bool) -> None:
        self._heard = asyncio.Event()
        self._over = over
        self._subjects: dict[str, None] = {}

    def notify(self, subject: str = "") -> None:
        if subject and len(self._subjects) < MOST_SUBJECTS:
            self._subjects[subject] = None
        self._heard.set()

    def subjects(self) -> list[str]:
        """What the news since the last call were about, as far as they said so."""
        subjects, self._subjects = list(self._subjects), {}
        return subjects

    def close(self) -> None:
        self._over = True
        self._heard.set()

    async def wait(self, seconds: float) -> bool:
        """Returns when there may be something new, or when the time is over. False: do not wait again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(0 if self._over else min(seconds, MAX_POLL_INTERVAL)):
                await self._heard.wait()
        self._heard.clear()
        return not self._over
