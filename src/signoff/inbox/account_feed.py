"""Changes in an account, read once for all browsers of this process that have it open."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final

from signoff.accounts.audit_log.writer import follow_audit_log
from signoff.inbox.audit_log_tail import LIVE, Entry, open_live_reader
from signoff.inbox.live_messages import RESET, LiveMessage, build_messages, format_messages, presence
from signoff.platform.db import DATABASE_ERRORS, Database
from signoff.platform.event_log import EventLog
from signoff.platform.log_reader import follow
from signoff.platform.logs import get_logger
from signoff.platform.pubsub import PubSub, Subscription, account_topic
from signoff.reviews.presence import list_present

log = get_logger("inbox")

POLL_INTERVAL: Final = 0.75
"""Seconds. Not every log entry is published, and messages can get lost, so the feed also polls."""
MIN_READ_INTERVAL: Final = 0.15
"""Minimum seconds between two reads: changes within that time are sent together, which limits the number of reads."""
MAX_QUEUED: Final = 1_000
"""A browser that is this many updates behind is too slow. It's disconnected, and resumes where it was."""


@dataclass(frozen=True)
class FeedUpdate:
    """The changes found by one read."""

    messages: list[LiveMessage]
    before: int
    """Where a browser that doesn't have all of this resumes."""
    position: int
    """Where a browser that has all of this resumes."""
    people: frozenset[str] = frozenset()
    """People whose account or session changed: they may no longer be signed in."""
    _texts: dict[tuple[str | None, bool, int, int], bytes] = field(
        default_factory=dict[tuple[str | None, bool, int, int], bytes], init=False, repr=False
    )

    @cached_property
    def _named(self) -> frozenset[str]:
        """Members who see other messages than everyone else."""
        return frozenset[str]().union(*(each.named for each in self.messages))

    def format_for(self, user_id: str, *, may_administer: bool, lowest: int) -> bytes:
        """Format the messages once for all browsers that see the same ones. `lowest` is the position that the browser
        already had.
        """
        before, position = max(self.before, lowest), max(self.position, lowest)
        view = (user_id if user_id in self._named else None, may_administer, before, position)
        text = self._texts.get(view)
        if text is None:
            text = format_messages(self.messages, before, position, user_id, may_administer=may_administer)
            self._texts[view] = text
        return text


@dataclass(slots=True, eq=False)
class Subscriber:
    """The subscription of one browser."""

    queue: "asyncio.Queue[FeedUpdate | None]" = field(
        default_factory=lambda: asyncio.Queue[FeedUpdate | None](MAX_QUEUED)
    )
    """None means the end."""

    def put(self, update: FeedUpdate | None) -> bool:
        try:
            self.queue.put_nowait(update)
        except asyncio.QueueFull:
            return False
        return True


@dataclass(slots=True)
class _UnsentEntries:
    """What was read from the log but hasn't been sent yet."""

    before: int
    entries: list[Entry] = field(default_factory=list[Entry])
    subjects: dict[str, None] = field(default_factory=dict[str, None])
    is_too_much: bool = False

    def add(self, entries: list[Entry] | None, subjects: list[str]) -> None:
        self.is_too_much = self.is_too_much or entries is None
        self.entries += entries or ()
        self.subjects |= dict.fromkeys(subjects)


class Feed:
    """The feed of one account. It runs as long as there is a subscriber."""

    def __init__(self, db: Database, pubsub: PubSub, audit_log: EventLog, account_id: str) -> None:
        self._db = db
        self._pubsub = pubsub
        self._account_id = account_id
        self._log = open_live_reader(audit_log, account_id)
        self._untold = _UnsentEntries(0)
        self.lines: set[Subscriber] = set()
        self.present: dict[str, list[dict[str, str]]] = {}
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._running = asyncio.create_task(self._run())

    @property
    def position(self) -> int:
        """Everything up to here has been sent. What was read since then may still be lost if this process dies."""
        return self._untold.before

    @property
    def is_over(self) -> bool:
        return self._running.done()

    def stop(self) -> None:
        self._running.cancel()

    async def _run(self) -> None:
        try:
            with self._pubsub.subscribe(account_topic(self._account_id)) as subscription:
                if not await self._begin():
                    return
                read = partial(self._read_changes, subscription)
                await follow(
                    LIVE, subscription, lambda: nullcontext(read), interval=POLL_INTERVAL, rest=MIN_READ_INTERVAL
                )
        finally:
            self.ready.cancel()
            for line in list(self.lines):
                self._end(line)

    async def _begin(self) -> bool:
        try:
            await self._log.begin(self._db)
            self._untold = _UnsentEntries(self._log.position)
            self.present = await list_present(self._db, self._account_id)
        except DATABASE_ERRORS as error:
            self.ready.set_exception(error)
            return False
        self.ready.set_result(None)
        return True

    async def _read_changes(self, subscription: Subscription) -> None:
        # Kept until it's sent: the reader doesn't return an entry twice, and the next steps can fail.
        untold = self._untold
        untold.add(await self._log.read(self._db), subscription.subjects())
        if untold.is_too_much:
            messages = [RESET]
        elif untold.entries or untold.subjects:
            messages = await build_messages(self._db, self._account_id, untold.entries, list(untold.subjects))
        else:
            messages = []
        present = await list_present(self._db, self._account_id)
        if present != self.present:
            self.present = present
            messages.append(presence(present))
        self._untold = _UnsentEntries(self._log.position)
        if messages:
            people = frozenset(entry.object_id for entry in untold.entries if entry.action.startswith("user."))
            update = FeedUpdate(messages, untold.before, self.position, people)
            for line in list(self.lines):
                if not line.put(update):
                    log.warning("slow live-update client disconnected", account=self._account_id)
                    self._end(line)

    def _end(self, line: Subscriber) -> None:
        self.lines.discard(line)
        while not line.put(None):
            line.queue.get_nowait()


class Feeds:
    """The feeds of this process."""

    def __init__(self, db: Database, pubsub: PubSub) -> None:
        self._db = db
        self._pubsub = pubsub
        self.audit_log = follow_audit_log()
        self._feeds: dict[str, Feed] = {}

    @asynccontextmanager
    async def subscribe(self, account_id: str) -> AsyncGenerator[tuple[Feed, Subscriber]]:
        """Subscribe to all changes from now on."""
        feed = self._feeds.get(account_id)
        if feed is None or feed.is_over:
            feed = self._feeds[account_id] = Feed(self._db, self._pubsub, self.audit_log, account_id)
        line = Subscriber()
        feed.lines.add(line)
        try:
            await asyncio.shield(feed.ready)
            yield feed, line
        finally:
            feed.lines.discard(line)
            if not feed.lines and self._feeds.get(account_id) is feed:
                del self._feeds[account_id]
                feed.stop()
