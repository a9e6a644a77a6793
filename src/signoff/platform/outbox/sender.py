"""The worker's side of outgoing messages: claim those that are due, make one attempt each, record the results.

Whatever happens to a worker, every message ends in a correct state. A claim expires if its worker dies; the next
worker then records the attempt as lost and goes on as the message's channel says: by sending it again or, if it must
not arrive twice, by leaving it to an admin.
"""

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

import asyncpg

from signoff.platform.clock import iso
from signoff.platform.db import DATABASE_ERRORS, Database, DatabaseUnavailable, Executor
from signoff.platform.logs import get_logger
from signoff.platform.metrics import ATTEMPT_SECONDS, ATTEMPTS_UNDER_WAY, MESSAGES_PUSHED_BACK
from signoff.platform.outbox.destination_limits import DestinationLimits, Load, Slot
from signoff.platform.outbox.messages import (
    LOST_ATTEMPT,
    AttemptRecord,
    Claim,
    Room,
    claim_messages,
    delete_message,
    mark_handed_over,
    push_back_messages,
    record_attempts,
    record_late,
    renew_claims,
)
from signoff.platform.outbox.retry_policy import AttemptOutcome, RetryPolicy
from signoff.platform.settings import Settings

log = get_logger("outbox")

INTERRUPTED = AttemptOutcome(error="Signoff was shut down during this attempt.", at_once=True, counts=False)
NO_ATTEMPT_MADE = AttemptOutcome(error="Postponed.", at_once=True, counts=False)
RECORDED_LATE = "This attempt was answered, but the answer couldn't be recorded before the attempt was taken for lost."
MAX_ERROR_LENGTH = 500
REFILLED_SHARE, REFILL_WITHIN = 0.25, 0.02
"""If more is due than fits, it's claimed once that many attempts ended in relation to those under way, at the latest
after this many seconds. A claim looks at up to a thousand messages, so it should find room for several.
"""
NO_ATTEMPT = (DatabaseUnavailable, asyncpg.InsufficientResourcesError, asyncpg.TransactionRollbackError)
"""The database's errors that pass, so the message can be tried again."""
UNSTORABLE = (asyncpg.DataError, asyncpg.ProgramLimitExceededError, UnicodeError)
"""The database's errors for a record that it will never accept."""


class MessageGone(Exception):
    """Raised by a channel if there's nothing to send anymore: the message is deleted."""


class Postponed(Exception):
    """Raised by a channel that made no attempt: the message is tried again after `pause` seconds."""

    def __init__(self, pause: float) -> None:
        super().__init__(f"again in {pause:.1f} s")
        self.pause = pause


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    message_id: str
    account_id: str
    destination: str
    claimed_at: datetime
    """When the attempt started, by the database's clock."""
    attempt_count: int
    """Attempts before this one that count."""
    handed_over_at: datetime | None
    """When an earlier attempt may have reached the receiver, if that's still unknown: ask before sending again."""
    hand_over: Callable[[], Awaitable[bool]]
    """Call it right before the message may arrive, if it must not arrive twice. Don't send it if this is False."""


@dataclass(frozen=True, slots=True)
class FinishedAttempt:
    record: AttemptRecord
    outcome: AttemptOutcome


class Channel(Protocol):
    """One way of sending messages. The rest is the same for all."""

    name: str
    concurrency: int
    """How many messages a worker sends at once."""
    destination_concurrency: int | None
    """How many of them can have the same destination, if it's fast. Without a limit, destinations don't matter."""
    policy: RetryPolicy
    at_most_once: bool
    """Whether a message that may have arrived is never sent again. It calls `hand_over` then. Without this, a channel
    can still call it, and ask the receiver in the next attempt.
    """

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        """Make one attempt. Raises `Postponed` if there was none."""
        ...

    async def settle(self, tx: Executor, attempts: Sequence[FinishedAttempt]) -> Callable[[], None] | None:
        """Write what else follows from these attempts, in the transaction that records them. What it returns is
        called after the commit.
        """
        ...


@dataclass(slots=True, eq=False)
class _Attempt:
    claim: Claim
    channel: Channel
    began: datetime
    """By the database's clock."""
    is_handed_over: bool
    """Whether the receiver may have the message, because of this attempt or an earlier one."""
    slot: Slot | None
    sending: "asyncio.Task[AttemptOutcome] | None" = None


class OutboxSender:
    def __init__(self, db: Database, settings: Settings, channels: Sequence[Channel]) -> None:
        self._db = db
        self._lost_after = settings.worker_lost_after
        self._retry_after = settings.poll_interval
        self._channels = {channel.name: channel for channel in channels}
        self._limits = {
            channel.name: DestinationLimits(channel.name, channel.destination_concurrency)
            for channel in channels
            if channel.destination_concurrency is not None
        }
        self.attempts: dict[asyncio.Task[None], _Attempt] = {}
        """Those under way."""
        self._claiming = asyncio.Lock()
        self._is_waiting = False
        self._ended = 0
        """Attempts that ended since the last claim."""
        self._refill: asyncio.TimerHandle | None = None
        self._is_stopping = False
        self._notice: Callable[[], None] = lambda: None
        for name in self._channels:
            ATTEMPTS_UNDER_WAY.labels(name).set_function(lambda name=name: self._count_attempts()[name])

    async def start_due(self, notice: Callable[[], None]) -> float | None:
        """Start the attempts that are due and fit. Returns the seconds until the next one is due, if any.

        `notice` is called when there may be more to start.
        """
        self._notice = notice
        async with self._claiming:
            self._ended = 0
            if self._refill is not None:
                self._refill.cancel()
                self._refill = None
            rooms = [] if self._is_stopping else self._rooms()
            self._is_waiting = len(rooms) < len(self._channels)
            if not rooms:
                return None
            batch = await claim_messages(self._db, rooms, self._loads(), lost_after=self._lost_after)
            self._is_waiting |= batch.is_waiting
            under_way = {(each.claim.message_id, each.claim.claimed_at): each for each in self.attempts.values()}
            for claim in batch.claims:
                if claim.lost_at is not None and (own := under_way.get((claim.message_id, claim.lost_at))) is not None:
                    own.claim = claim  # this worker was too busy to renew it in time
                    continue
                limits = self._limits.get(claim.channel)
                slot = limits.start(claim.destination) if limits is not None else None
                is_handed_over = claim.handed_over_at is not None
                began = claim.claimed_at if claim.lost_at is None else claim.lost_at
                attempt = _Attempt(claim, self._channels[claim.channel], began, is_handed_over, slot)
                task = asyncio.create_task(self._make_attempt(attempt))
                self.attempts[task] = attempt
                task.add_done_callback(self._end_attempt)
            pushed_back = [await self._push_back(room) for room in rooms if room.channel in batch.crowded]
        return 0.0 if any(pushed_back) else batch.next_due

    def _end_attempt(self, task: asyncio.Task[None]) -> None:
        del self.attempts[task]
        if not self._is_waiting:
            return
        self._ended += 1
        if self._ended >= len(self.attempts) * REFILLED_SHARE:
            self._notice()
        elif self._refill is None:
            self._refill = asyncio.get_running_loop().call_later(REFILL_WITHIN, self._notice)

    async def _push_back(self, room: Room) -> bool:
        """Push back messages that would hide those for other destinations. Returns whether there were any."""
        limits = self._limits.get(room.channel)
        if limits is None:
            return False
        counts = await push_back_messages(self._db, room, limits.loads())
        limits.push_back(counts)
        MESSAGES_PUSHED_BACK.labels(room.channel).inc(sum(counts.values()))
        return bool(counts)

    async def run(self, stop: asyncio.Event, grace: float) -> None:
        """Keep the claims of attempts that take long. After `stop`, give running attempts some time, interrupt those
        that no receiver has yet, and wait for the others.
        """
        renewing = asyncio.create_task(self._renew_claims())
        try:
            await stop.wait()
            self._is_stopping = True
            async with self._claiming:  # nothing starts from here on
                pass
            if self.attempts:
                await asyncio.wait(self.attempts, timeout=grace)
            for attempt in self.attempts.values():
                if attempt.sending is not None and not attempt.is_handed_over:
                    attempt.sending.cancel()
            if self.attempts:
                await asyncio.wait(self.attempts)
        finally:
            renewing.cancel()

    def _count_attempts(self) -> Counter[str]:
        return Counter(attempt.claim.channel for attempt in self.attempts.values())

    def _rooms(self) -> list[Room]:
        busy = self._count_attempts()
        free = {name: channel.concurrency - busy[name] for name, channel in self._channels.items()}
        return [
            Room(name, count, self._limits[name].widest if name in self._limits else None)
            for name, count in free.items()
            if count > 0
        ]

    def _loads(self) -> list[Load]:
        return [load for limits in self._limits.values() for load in limits.loads()]

    async def _make_attempt(self, attempt: _Attempt) -> None:
        claim, began, seconds = attempt.claim, time.monotonic(), None
        try:
            if claim.lost_at is not None:
                log.warning("attempt lost: worker stopped", message=claim.message_id, channel=claim.channel)
                finished = _finish(attempt, _lost(attempt))
            else:
                outcome = await self._send(attempt)
                seconds = time.monotonic() - began if outcome.seconds is None else outcome.seconds
                finished = _finish(attempt, outcome, seconds)
        except MessageGone:
            finished = None
        except Postponed as postponed:
            finished = _postpone(attempt, postponed.pause)
        finally:
            if attempt.slot is not None:
                attempt.slot.end(seconds)  # the next attempt doesn't wait for our record
        await self._save(attempt, finished)
        if finished is not None and finished.record.state == "queued" and finished.record.pause < self._retry_after:
            self._notice()

    async def _send(self, attempt: _Attempt) -> AttemptOutcome:
        claim = attempt.claim
        if self._is_stopping:
            raise Postponed(0)

        async def hand_over() -> bool:
            is_ours = await mark_handed_over(self._db, attempt.claim)
            attempt.is_handed_over |= is_ours
            return is_ours

        message = OutgoingMessage(
            message_id=claim.message_id,
            account_id=claim.account_id,
            destination=claim.destination,
            claimed_at=claim.claimed_at,
            attempt_count=claim.attempt_count,
            handed_over_at=claim.handed_over_at,
            hand_over=hand_over,
        )
        attempt.sending = asyncio.create_task(attempt.channel.send(message))
        try:
            return await attempt.sending
        except (MessageGone, Postponed):
            raise
        except asyncio.CancelledError:
            if attempt.sending.cancelled() and self._is_stopping:
                return INTERRUPTED
            attempt.sending.cancel()
            raise
        except Exception as error:
            if isinstance(error, NO_ATTEMPT) and not attempt.is_handed_over:
                log.warning("no attempt: database error", message=claim.message_id, error=str(error))
                raise Postponed(self._retry_after) from error
            log.exception("attempt failed", message=claim.message_id, channel=claim.channel)
            return replace(_uncertain(attempt), error=f"Internal error: {error!r}")

    async def _save(self, attempt: _Attempt, finished: FinishedAttempt | None) -> None:
        """Retry until the attempt is recorded: otherwise it would be taken for lost."""
        message_id = attempt.claim.message_id
        while True:
            try:
                if finished is None:
                    await delete_message(self._db, attempt.claim)
                else:
                    await self._record_result(attempt, finished)
                return
            except DATABASE_ERRORS as error:
                if self._is_stopping:
                    log.error("attempt not recorded", message=message_id, error=str(error))
                    return
                log.warning("attempt not recorded yet; retrying", message=message_id, error=str(error))
                await asyncio.sleep(self._retry_after)

    async def _record_result(self, attempt: _Attempt, finished: FinishedAttempt) -> None:
        try:
            is_recorded = await self._db.batched(self._record, (attempt.channel, finished))
        except UNSTORABLE as error:
            fallback = finished.outcome.fallback
            if fallback is None:
                raise
            log.error("receiver's response can't be stored", message=attempt.claim.message_id, error=str(error))
            shown = {**finished.record.attempt, **fallback.details}
            finished = FinishedAttempt(replace(finished.record, attempt=shown), fallback)
            is_recorded = await self._db.batched(self._record, (attempt.channel, finished))
        if not is_recorded and finished.record.claimed_at != attempt.claim.claimed_at:
            renewed = replace(finished.record, claimed_at=attempt.claim.claimed_at)
            is_recorded = await self._db.batched(self._record, (attempt.channel, replace(finished, record=renewed)))
        if not is_recorded:
            log.warning("claim expired during the attempt", message=attempt.claim.message_id)
            if finished.record.attempt is not None and finished.record.error != INTERRUPTED.error:
                await self._record_late(attempt.channel, finished)

    @staticmethod
    async def _record(db: Database, results: Sequence[tuple[Channel, FinishedAttempt]]) -> Sequence[bool]:
        async with db.transaction() as tx:
            states = await record_attempts(tx, [finished.record for _, finished in results])
            valid = list[bool]()
            attempts = defaultdict[Channel, list[FinishedAttempt]](list)
            for channel, finished in results:
                record = finished.record
                state = states.get((record.message_id, record.claimed_at))
                valid.append(state is not None)
                if state is None or record.attempt is None:
                    continue
                if state != record.state:
                    finished = replace(finished, record=replace(record, state=state))
                attempts[channel].append(finished)
            after_commit = [await channel.settle(tx, of_channel) for channel, of_channel in attempts.items()]
        for call in after_commit:
            if call is not None:
                call()
        return valid

    async def _record_late(self, channel: Channel, finished: FinishedAttempt) -> None:
        """Record the result although another worker has taken the attempt for lost."""
        shown = {**finished.record.attempt, "note": RECORDED_LATE}
        late = replace(finished.record, attempt=shown, counts=False)  # the lost attempt counted
        async with self._db.transaction() as tx:
            is_settled = await record_late(tx, late)
            after_commit = await channel.settle(tx, [replace(finished, record=late)]) if is_settled else None
        if after_commit is not None:
            after_commit()

    async def _renew_claims(self) -> None:
        while True:
            await asyncio.sleep(self._lost_after / 3)
            try:
                claims = [attempt.claim for attempt in self.attempts.values()]
                if claims:
                    await renew_claims(self._db, claims, lost_after=self._lost_after)
            except DATABASE_ERRORS as error:
                log.error("couldn't renew claims", error=str(error))


def _lost(attempt: _Attempt) -> AttemptOutcome:
    counts = attempt.is_handed_over or not attempt.channel.at_most_once
    return replace(_uncertain(attempt), error=LOST_ATTEMPT, at_once=True, counts=counts)


def _uncertain(attempt: _Attempt) -> AttemptOutcome:
    """The outcome of an attempt that ended without an answer."""
    may_have_arrived, at_most_once = attempt.is_handed_over, attempt.channel.at_most_once
    return AttemptOutcome(unknown=may_have_arrived and at_most_once, ask_first=may_have_arrived and not at_most_once)


def _postpone(attempt: _Attempt, pause: float) -> FinishedAttempt:
    claim = attempt.claim
    record = AttemptRecord(
        message_id=claim.message_id,
        claimed_at=claim.claimed_at,
        state="queued",
        pause=pause,
        counts=False,
        error=None,
        attempt=None,
        ask_first=attempt.is_handed_over,
    )
    return FinishedAttempt(record, NO_ATTEMPT_MADE)


def _finish(attempt: _Attempt, outcome: AttemptOutcome, seconds: float | None = None) -> FinishedAttempt:
    claim = attempt.claim
    decision = attempt.channel.policy.decide(
        outcome,
        attempt=claim.attempt_count + 1,
        chance=random.random(),  # noqa: S311
        last=claim.max_attempts,
        manual=claim.is_manual,
    )
    error = None if outcome.error is None else to_storable(outcome.error)
    shown = {
        "at": iso(attempt.began),
        "ok": error is None,
        "error": error,
        "durationMs": None if seconds is None else int(seconds * 1000),
        "isManual": claim.is_manual or None,
        **outcome.details,
    }
    ATTEMPT_SECONDS.labels(claim.channel, "ok" if error is None else "failed").observe(seconds or 0)
    record = AttemptRecord(
        message_id=claim.message_id,
        claimed_at=claim.claimed_at,
        state=decision.state,
        pause=decision.pause,
        counts=outcome.counts and not claim.is_manual,
        error=error,
        attempt={name: value for name, value in shown.items() if value is not None},
        ask_first=outcome.ask_first,
    )
    return FinishedAttempt(record, outcome)


def to_storable(text: str) -> str:
    """Return the text as the database can store it, however strange the receiver's answer was."""
    return text.encode(errors="replace").decode().replace("\0", "")[:MAX_ERROR_LENGTH]
