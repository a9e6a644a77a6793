"""Sending outgoing messages: a channel of the test's own on a real database, with workers that die at any moment."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.crashed_worker import die_while_sending

from signoff.platform.clock import iso
from signoff.platform.db import Database, DatabaseUnavailable, Executor
from signoff.platform.jobs.work_loop import WorkLoop
from signoff.platform.outbox import sender
from signoff.platform.outbox.destination_limits import MIN_SLOTS, DestinationLimits, Load
from signoff.platform.outbox.messages import (
    LOST_ATTEMPT,
    MAX_HISTORY,
    WINDOW,
    AttemptRecord,
    Room,
    cancel_messages,
    claim_messages,
    queue_again,
    queue_messages_sql,
    queue_updates_sql,
    record_attempts,
    release_messages,
    stop_attempts,
    try_again,
)
from signoff.platform.outbox.retry_policy import SENT, AttemptOutcome, RetryDecision, RetryPolicy
from signoff.platform.outbox.sender import (
    INTERRUPTED,
    RECORDED_LATE,
    FinishedAttempt,
    MessageGone,
    OutboxSender,
    OutgoingMessage,
    Postponed,
)
from signoff.platform.settings import load_settings
from signoff.platform.sql import Sql

LOST_AFTER = 1.0
Send = Callable[[OutgoingMessage], Awaitable[AttemptOutcome]]

QUEUE = queue_messages_sql("select unnest(:ids::text[]), 'acc_1', :channel, :destination, now()")
UPDATE = queue_updates_sql("select 'm1', 'acc_1', 'test', 'somewhere', now() + make_interval(secs => :wait)")
QUEUE_LATER = queue_messages_sql("select 'm1', 'acc_1', 'test', 'there', null::timestamptz, 2", more=", max_attempts")
RELEASE = release_messages("select :message_id::text")
TRY_AGAIN = try_again("select :message_id::text")
STOP = stop_attempts("select :message_id::text")
CANCEL = Sql("{cancel}", cancel=cancel_messages("select :message_id::text"))


class FakeChannel:
    def __init__(
        self,
        send: Send,
        *,
        name: str = "test",
        schedule: Sequence[float] = (0.05, 0.05),
        at_most_once: bool = False,
        concurrency: int = 10,
        per_destination: int | None = None,
    ) -> None:
        self._send = send
        self.name = name
        self.policy = RetryPolicy(schedule)
        self.at_most_once = at_most_once
        self.concurrency = concurrency
        self.destination_concurrency = per_destination
        self.settled = list[tuple[str, str]]()
        self.results = list[Any]()

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        return await self._send(message)

    async def settle(self, tx: Executor, attempts: Sequence[FinishedAttempt]) -> Callable[[], None]:
        for attempt in attempts:
            if attempt.outcome.fallback is not None:
                await tx.execute("select $1::text::json", attempt.outcome.result)

        def note() -> None:
            self.settled.extend((attempt.record.message_id, attempt.record.state) for attempt in attempts)
            self.results.extend(attempt.outcome.result for attempt in attempts)

        return note


def replying(*outcomes: AttemptOutcome) -> tuple[Send, list[str]]:
    """A receiver that gives these answers in turn, and the messages it got."""
    answers, received = iter(outcomes), list[str]()

    async def send(message: OutgoingMessage) -> AttemptOutcome:
        received.append(message.message_id)
        return next(answers)

    return send, received


class Holding:
    """A receiver that answers only when it's told to."""

    def __init__(self, *, hands_over: bool = False) -> None:
        self._hands_over = hands_over
        self.reached = asyncio.Event()
        self.release = asyncio.Event()
        self.received = list[str]()

    async def __call__(self, message: OutgoingMessage) -> AttemptOutcome:
        if self._hands_over and not await message.hand_over():
            raise Postponed(0)
        self.received.append(message.message_id)
        self.reached.set()
        await self.release.wait()
        return SENT


@asynccontextmanager
async def worker(
    db: Database, *channels: FakeChannel, grace: float = 10, poll_interval: float = 0.1
) -> AsyncGenerator[asyncio.Event]:
    """A worker's loops. It stops at the end, or when the test sets the event."""
    configured = load_settings(poll_interval=poll_interval, worker_lost_after=LOST_AFTER)
    stop, sender = asyncio.Event(), OutboxSender(db, configured, channels)
    async with asyncio.timeout(60), asyncio.TaskGroup() as loops:
        loops.create_task(WorkLoop(db, configured, [sender]).run(stop))
        loops.create_task(sender.run(stop, grace))
        yield stop
        stop.set()


async def die(db: Database, channel: FakeChannel, reached: asyncio.Event) -> None:
    """A worker that is gone in the middle of an attempt, and has written nothing since."""
    await die_while_sending(db, load_settings(worker_lost_after=LOST_AFTER), channel, reached.wait())


async def queue(db: Database, *ids: str, channel: str = "test", destination: str = "somewhere") -> None:
    await QUEUE.execute(db, ids=list(ids), channel=channel, destination=destination)


async def read(db: Database, message_id: str = "m1") -> dict[str, Any]:
    row = await db.fetchrow("select * from outgoing_messages where message_id = $1", message_id)
    assert row is not None
    return dict(row)


async def wait_for(db: Database, state: str, message_id: str = "m1") -> dict[str, Any]:
    while (row := await read(db, message_id))["state"] != state:  # noqa: ASYNC110 - another connection changes it
        await asyncio.sleep(0.02)
    return row


async def wait_for_attempts(db: Database, count: int) -> dict[str, Any]:
    while len((row := await read(db))["attempts"]) < count:  # noqa: ASYNC110 - another connection changes it
        await asyncio.sleep(0.02)
    return row


FAILED = AttemptOutcome(error="busy")


class TestPolicy:
    POLICY = RetryPolicy((10.0, 60.0))

    @pytest.mark.parametrize(
        ("outcome", "attempt", "decision"),
        [
            (SENT, 1, RetryDecision("sent")),
            (FAILED, 1, RetryDecision("queued", 10)),
            (FAILED, 2, RetryDecision("queued", 60)),
            (FAILED, 3, RetryDecision("failed")),
            (AttemptOutcome(error="no", permanent=True), 1, RetryDecision("failed")),
            (AttemptOutcome(error="?", unknown=True), 1, RetryDecision("unclear")),
            (AttemptOutcome(error="lost", at_once=True), 1, RetryDecision("queued")),
            (AttemptOutcome(error="lost", at_once=True), 3, RetryDecision("failed")),
            (AttemptOutcome(error="lost", at_once=True, counts=False), 3, RetryDecision("queued")),
            (AttemptOutcome(error="later", retry_after=7), 1, RetryDecision("queued", 7)),
            (AttemptOutcome(error="later", retry_after=7), 3, RetryDecision("failed")),
        ],
    )
    def test_decisions(self, outcome: AttemptOutcome, attempt: int, decision: RetryDecision) -> None:
        assert self.POLICY.decide(outcome, attempt=attempt, chance=0.3) == decision

    def test_no_schedule_is_a_single_attempt(self) -> None:
        assert RetryPolicy(()).decide(FAILED, attempt=1, chance=0.5) == RetryDecision("failed")
        uncounted = AttemptOutcome(error="busy", counts=False)
        assert RetryPolicy(()).decide(uncounted, attempt=1, chance=0.5) == RetryDecision("queued")

    def test_manual_attempt_is_the_only_one(self) -> None:
        decide = partial(self.POLICY.decide, attempt=1, chance=0.5, manual=True)
        assert decide(SENT) == RetryDecision("sent")
        assert decide(FAILED) == RetryDecision("failed")
        assert decide(AttemptOutcome(error="lost", at_once=True)) == RetryDecision("queued")

    def test_message_of_an_earlier_schedule_keeps_its_number_of_attempts(self) -> None:
        assert self.POLICY.decide(FAILED, attempt=4, chance=0.5, last=5) == RetryDecision("queued", 60)
        assert self.POLICY.decide(FAILED, attempt=5, chance=0.5, last=5) == RetryDecision("failed")
        assert self.POLICY.decide(FAILED, attempt=1, chance=0.5, last=1) == RetryDecision("failed")

    @given(st.floats(0, 1))
    def test_jitter(self, chance: float) -> None:
        pause = RetryPolicy((10.0,), jitter=0.2).decide(FAILED, attempt=1, chance=chance).pause
        assert 8 <= pause <= 12


class TestAttempts:
    async def test_sent(self, empty_db: Database) -> None:
        send, received = replying(SENT)
        channel = FakeChannel(send)
        await queue(empty_db, "m1")
        async with worker(empty_db, channel):
            row = await wait_for(empty_db, "sent")
        assert received == ["m1"]
        assert (row["attempt_count"], row["error"], row["due_at"], row["claimed_at"]) == (1, None, None, None)
        assert [sorted(attempt) for attempt in row["attempts"]] == [["at", "durationMs", "ok"]]
        assert channel.settled == [("m1", "sent")]

    async def test_retried_until_it_is_accepted(self, empty_db: Database) -> None:
        send, received = replying(FAILED, FAILED, SENT)
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)):
            row = await wait_for(empty_db, "sent")
        assert (len(received), row["attempt_count"], row["error"]) == (3, 3, None)
        assert [attempt.get("error") for attempt in row["attempts"]] == ["busy", "busy", None]

    async def test_fails_after_the_last_attempt_and_can_be_queued_again(self, empty_db: Database) -> None:
        send, received = replying(FAILED, FAILED, FAILED, SENT)
        channel = FakeChannel(send)
        await queue(empty_db, "m1")
        async with worker(empty_db, channel):
            assert (await wait_for(empty_db, "failed"))["error"] == "busy"
            await queue_again(empty_db, "m1")
            row = await wait_for(empty_db, "sent")
        assert (len(received), row["attempt_count"], len(row["attempts"])) == (4, 1, 4)
        assert channel.settled == [("m1", "queued")] * 2 + [("m1", "failed"), ("m1", "sent")]

    async def test_postponed_is_no_attempt(self, empty_db: Database) -> None:
        calls = 0

        async def send(_: OutgoingMessage) -> AttemptOutcome:
            nonlocal calls
            calls += 1
            if calls < 5:
                raise Postponed(0.01)
            return SENT

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, schedule=())):
            row = await wait_for(empty_db, "sent")
        assert (calls, row["attempt_count"], len(row["attempts"])) == (5, 1, 1)

    async def test_nothing_left_to_send(self, empty_db: Database) -> None:
        async def send(_: OutgoingMessage) -> AttemptOutcome:
            raise MessageGone

        channel = FakeChannel(send)
        await queue(empty_db, "m1")
        async with worker(empty_db, channel):
            while await empty_db.fetchval("select true from outgoing_messages"):  # noqa: ASYNC110 - until it's deleted
                await asyncio.sleep(0.02)
        assert channel.settled == []

    async def test_unexpected_error_is_a_failed_attempt(self, empty_db: Database) -> None:
        async def send(_: OutgoingMessage) -> AttemptOutcome:
            raise ValueError("a\0b\ud800" + "c" * 1000)

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, schedule=())):
            row = await wait_for(empty_db, "failed")
        assert row["error"].startswith("Internal error: ValueError(")
        assert len(row["error"]) == 500

    async def test_unexpected_error_after_the_hand_over_is_unclear(self, empty_db: Database) -> None:
        async def send(message: OutgoingMessage) -> AttemptOutcome:
            assert await message.hand_over()
            raise DatabaseUnavailable("gone")

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, at_most_once=True)):
            row = await wait_for(empty_db, "unclear")
        assert row["attempt_count"] == 1

    async def test_full_channel_does_not_delay_others(self, empty_db: Database) -> None:
        holding = Holding()
        send, received = replying(SENT)
        await queue(empty_db, *(f"slow-{n}" for n in range(30)), channel="slow")
        async with worker(empty_db, FakeChannel(holding, name="slow", concurrency=3), FakeChannel(send)):
            await holding.reached.wait()
            await queue(empty_db, "m1")
            await wait_for(empty_db, "sent")
            assert len(holding.received) == 3
            holding.release.set()
            for n in range(30):
                await wait_for(empty_db, "sent", f"slow-{n}")
        assert received == ["m1"]
        assert sorted(Counter(holding.received).values()) == [1] * 30

    @pytest.mark.parametrize(("share", "within"), [(0.25, 3600), (10, 0.01)], ids=["enough ended", "after a while"])
    async def test_full_channel_is_refilled(
        self, empty_db: Database, monkeypatch: pytest.MonkeyPatch, share: float, within: float
    ) -> None:
        monkeypatch.setattr(sender, "REFILLED_SHARE", share)
        monkeypatch.setattr(sender, "REFILL_WITHIN", within)
        ids = [f"m{number}" for number in range(30)]
        send, received = replying(*[SENT] * len(ids))
        await queue(empty_db, *ids)
        async with worker(empty_db, FakeChannel(send, concurrency=4), poll_interval=60):
            for message_id in ids:
                await wait_for(empty_db, "sent", message_id)
        assert sorted(received) == sorted(ids)

    @pytest.mark.parametrize(
        "trouble", [DatabaseUnavailable, asyncpg.DiskFullError, asyncpg.DeadlockDetectedError, asyncpg.OutOfMemoryError]
    )
    async def test_database_error_before_the_hand_over_is_no_attempt(
        self, empty_db: Database, trouble: Callable[[str], Exception]
    ) -> None:
        errors = [trouble("not now") for _ in range(3)]

        async def send(_: OutgoingMessage) -> AttemptOutcome:
            if errors:
                raise errors.pop()
            return SENT

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, schedule=())):
            row = await wait_for(empty_db, "sent")
        assert (row["attempt_count"], len(row["attempts"])) == (1, 1)

    @pytest.mark.parametrize(
        "trouble", [DatabaseUnavailable, asyncpg.DiskFullError, asyncpg.DeadlockDetectedError, asyncpg.OutOfMemoryError]
    )
    async def test_record_waits_for_the_database(
        self, empty_db: Database, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[str], Exception]
    ) -> None:
        errors = [trouble("not now") for _ in range(5)]

        async def fail_first(*args: Any) -> Any:
            if errors:
                raise errors.pop()
            return await record_attempts(*args)

        monkeypatch.setattr(sender, "record_attempts", fail_first)
        send, received = replying(SENT)
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)):
            row = await wait_for(empty_db, "sent")
        assert (received, row["attempt_count"], errors) == (["m1"], 1, [])

    async def test_result_that_can_not_be_stored_is_left_out(self, empty_db: Database) -> None:
        """The attempt still counts, and those that are recorded with it too."""
        without = AttemptOutcome(details={"note": "not stored"})
        outcomes = {
            "m1": AttemptOutcome(details={"code": 200}, result="[1,", fallback=without),
            "m2": AttemptOutcome(details={"code": 201}, result="[1]", fallback=without),
        }

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            return outcomes[message.message_id]

        await queue(empty_db, "m1", "m2")
        async with worker(empty_db, FakeChannel(send)):
            rows = [await wait_for(empty_db, "sent", message_id) for message_id in outcomes]
        [[first], [second]] = [row["attempts"] for row in rows]
        assert (first["code"], first["note"], second["code"], "note" in second) == (200, "not stored", 201, False)

    async def test_waits_until_it_is_released(self, empty_db: Database) -> None:
        send, received = replying(SENT, FAILED, FAILED)
        await QUEUE_LATER.execute(empty_db)
        await queue(empty_db, "m2")
        async with worker(empty_db, FakeChannel(send)):
            await wait_for(empty_db, "sent", "m2")
            assert (await read(empty_db))["state"] == "queued"
            await RELEASE.execute(empty_db, message_id="m1")
            row = await wait_for(empty_db, "failed")
        assert (received, row["attempt_count"]) == (["m2", "m1", "m1"], 2)

    async def test_released_while_it_is_postponed(self, empty_db: Database) -> None:
        """The channel decided to wait before it was released, and doesn't know yet."""
        reached, release = asyncio.Event(), asyncio.Event()
        calls = list[str]()

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            calls.append(message.message_id)
            if len(calls) > 1:
                return SENT
            reached.set()
            await release.wait()
            raise Postponed(3600)

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)):
            await reached.wait()
            await RELEASE.execute(empty_db, message_id="m1")
            release.set()
            await wait_for(empty_db, "sent")
        assert calls == ["m1", "m1"]

    @pytest.mark.parametrize("outcome", [SENT, FAILED])
    async def test_released_during_an_attempt(self, empty_db: Database, outcome: AttemptOutcome) -> None:
        """It isn't sent again because of that, and a failed attempt isn't repeated earlier."""
        reached, release = asyncio.Event(), asyncio.Event()

        async def send(_: OutgoingMessage) -> AttemptOutcome:
            reached.set()
            await release.wait()
            return outcome

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, schedule=(3600,))):
            await reached.wait()
            await RELEASE.execute(empty_db, message_id="m1")
            release.set()
            row = await wait_for_attempts(empty_db, 1)
        assert (row["state"], row["due_at"] is None) == (("sent", True) if outcome is SENT else ("queued", False))
        assert not await empty_db.fetchval(
            "select is_released or due_at < now() + interval '1 hour' / 2 from outgoing_messages"
        )

    async def test_one_more_attempt_on_request(self, empty_db: Database) -> None:
        send, received = replying(SENT, FAILED, SENT)
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)):
            await wait_for(empty_db, "sent")
            for state in ("failed", "sent"):
                await TRY_AGAIN.execute(empty_db, message_id="m1")
                await TRY_AGAIN.execute(empty_db, message_id="m1")
                row = await wait_for(empty_db, state)
        assert (len(received), row["attempt_count"], row["is_manual"]) == (3, 1, False)
        assert [attempt.get("isManual") for attempt in row["attempts"]] == [None, True, True]


class TestDestinations:
    """A destination that doesn't answer holds up no other."""

    async def test_claims_only_what_fits(self, empty_db: Database) -> None:
        await queue(empty_db, *(f"a{n}" for n in range(5)), destination="a")
        await queue(empty_db, *(f"b{n}" for n in range(5)), destination="b")
        busy = [Load("test", "a", 1, 0.1, 0)]
        batch = await claim_messages(empty_db, [Room("test", 10, 3)], busy, lost_after=60)
        assert Counter(claim.destination for claim in batch.claims) == {"a": 1, "b": 3}
        assert (batch.is_waiting, batch.crowded, batch.next_due) == (True, [], None)
        batch = await claim_messages(empty_db, [Room("test", 2, 3)], [], lost_after=60)
        assert (len(batch.claims), batch.is_waiting) == (2, True)

    async def test_busy_destination(self, empty_db: Database) -> None:
        holding = Holding()
        await queue(empty_db, *(f"a{n}" for n in range(8)), destination="a")
        async with worker(empty_db, FakeChannel(holding, per_destination=2)):
            await holding.reached.wait()
            await queue(empty_db, "b1", destination="b")
            while "b1" not in holding.received:  # noqa: ASYNC110 - until it's sent
                await asyncio.sleep(0.02)
            assert len(holding.received) == 3
            holding.release.set()
            for n in range(8):
                await wait_for(empty_db, "sent", f"a{n}")
        assert Counter(holding.received) == Counter(["b1", *(f"a{n}" for n in range(8))])

    async def test_more_than_a_worker_looks_at(self, empty_db: Database) -> None:
        """All of them are older than the message for another destination."""
        count = 2 * WINDOW + 10
        holding, others = Holding(), list[str]()

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            if message.destination == "a":
                return await holding(message)
            others.append(message.message_id)
            return SENT

        await queue(empty_db, *(f"a{n}" for n in range(count)), destination="a")
        await queue(empty_db, "b1", destination="b")
        channel = FakeChannel(send, per_destination=2)
        async with worker(empty_db, channel, grace=0):
            await wait_for(empty_db, "sent", "b1")
            assert len(holding.received) == 2
        queued = "select count(*) from outgoing_messages where state = 'queued' and due_at > now()"
        assert await empty_db.fetchval(queued) >= count - WINDOW - 2
        assert others == ["b1"]


class TestDestinationLimits:
    def limits(self, widest: int) -> tuple[DestinationLimits, list[float]]:
        clock = [1000.0]
        return DestinationLimits("test", widest, clock=lambda: clock[0]), clock

    def free(self, limits: DestinationLimits, destination: str = "a") -> int:
        return next((load.free for load in limits.loads() if load.destination == destination), limits.widest)

    def test_each_destination_has_its_own(self) -> None:
        limits, _ = self.limits(3)
        slots = [limits.start("a") for _ in range(3)]
        assert (self.free(limits, "a"), self.free(limits, "b")) == (0, 3)
        slots[0].end(None)
        assert self.free(limits) == 1

    def test_shrinks_for_slow_destinations_and_recovers(self) -> None:
        limits, clock = self.limits(10)
        for seconds, free in ((15.0, MIN_SLOTS), (0.01, 10)):
            for _ in range(60):
                slot = limits.start("a")
                clock[0] += seconds
                slot.end(seconds)
            assert self.free(limits) == free

    def test_notices_a_hanging_destination_before_its_first_timeout(self) -> None:
        limits, clock = self.limits(10)
        limits.start("a")
        clock[0] += 4
        [load] = limits.loads()
        assert (load.free, load.seconds_each) == (1, 2.0)

    def test_only_the_receivers_time_counts(self) -> None:
        limits, clock = self.limits(2)
        for _ in range(50):
            slot = limits.start("a")
            clock[0] += 60
            slot.end(0.01)
        assert limits.loads() == []

    def test_turn_of_pushed_back_messages(self) -> None:
        limits, _ = self.limits(2)
        slots = [limits.start("a"), limits.start("a")]
        limits.push_back({"a": 10, "unknown": 5})
        assert [load.pushed_back for load in limits.loads()] == [10]
        for slot in slots:
            slot.end(None)
        limits.start("a")
        assert [load.pushed_back for load in limits.loads()] == [9]


class TestManyWorkers:
    async def test_each_message_is_sent_once(self, empty_db: Database) -> None:
        received = Counter[str]()

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            received[message.message_id] += 1
            await asyncio.sleep(0)
            return SENT

        ids = [f"m{n}" for n in range(400)]
        await queue(empty_db, *ids)
        async with worker(empty_db, FakeChannel(send)), worker(empty_db, FakeChannel(send)):
            for message_id in ids:
                await wait_for(empty_db, "sent", message_id)
        assert received == Counter(ids)


class TestLostWorkers:
    async def test_repeated_if_it_may_arrive_twice(self, empty_db: Database) -> None:
        holding = Holding()
        await queue(empty_db, "m1")
        await die(empty_db, FakeChannel(holding), holding.reached)
        holding.release.set()
        async with worker(empty_db, FakeChannel(holding)):
            row = await wait_for(empty_db, "sent")
        assert (holding.received, row["attempt_count"]) == (["m1", "m1"], 2)
        assert [attempt.get("error") for attempt in row["attempts"]] == [LOST_ATTEMPT, None]

    async def test_message_that_kills_every_worker_ends(self, empty_db: Database) -> None:
        holding = Holding()
        await queue(empty_db, "m1")
        channel = FakeChannel(holding, schedule=())
        await die(empty_db, channel, holding.reached)
        async with worker(empty_db, channel):
            row = await wait_for(empty_db, "failed")
        assert (holding.received, row["error"], channel.settled) == (["m1"], LOST_ATTEMPT, [("m1", "failed")])

    async def test_not_repeated_after_the_hand_over(self, empty_db: Database) -> None:
        holding = Holding(hands_over=True)
        await queue(empty_db, "m1")
        await die(empty_db, FakeChannel(holding, at_most_once=True), holding.reached)
        async with worker(empty_db, FakeChannel(holding, at_most_once=True)):
            row = await wait_for(empty_db, "unclear")
        assert (holding.received, row["error"], row["attempt_count"]) == (["m1"], LOST_ATTEMPT, 1)

    async def test_repeated_before_the_hand_over(self, empty_db: Database) -> None:
        holding, send = Holding(), replying(SENT)[0]
        await queue(empty_db, "m1")
        await die(empty_db, FakeChannel(holding, at_most_once=True, schedule=()), holding.reached)
        async with worker(empty_db, FakeChannel(send, at_most_once=True, schedule=())):
            row = await wait_for(empty_db, "sent")
        assert row["attempt_count"] == 1

    async def test_long_attempt_keeps_its_claim(self, empty_db: Database) -> None:
        holding = Holding()
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(holding)), worker(empty_db, FakeChannel(holding)):
            await holding.reached.wait()
            first = (await read(empty_db))["due_at"]
            while (await read(empty_db))["due_at"] == first:  # noqa: ASYNC110 - until it's renewed
                await asyncio.sleep(0.02)
            holding.release.set()
            await wait_for(empty_db, "sent")
        assert holding.received == ["m1"]

    @pytest.mark.parametrize("at_most_once", [True, False])
    async def test_answer_after_the_claim_expired_still_counts(self, empty_db: Database, at_most_once: bool) -> None:
        """A worker that slept through its claim: the answer it got is recorded, and the message isn't sent again."""
        holding = Holding(hands_over=at_most_once)
        channel = FakeChannel(holding, at_most_once=at_most_once, schedule=(3600, 3600))
        await queue(empty_db, "m1")
        sleeper = OutboxSender(empty_db, load_settings(worker_lost_after=LOST_AFTER), [channel])
        await sleeper.start_due(lambda: None)
        await holding.reached.wait()
        await empty_db.execute("update outgoing_messages set due_at = now()")
        [claim] = (await claim_messages(empty_db, [Room("test", 1)], lost_after=60)).claims
        state = "unclear" if at_most_once else "queued"
        assert claim.lost_at is not None
        at = (await read(empty_db))["claimed_at"]
        assert at == claim.claimed_at
        lost = {"at": iso(claim.lost_at), "ok": False, "error": LOST_ATTEMPT}
        await record_attempts(empty_db, [AttemptRecord("m1", claim.claimed_at, state, 3600, True, LOST_ATTEMPT, lost)])
        holding.release.set()
        await asyncio.wait(sleeper.attempts)
        row = await read(empty_db)
        assert (row["state"], row["error"], row["due_at"]) == ("sent", None, None)
        assert [(attempt["ok"], attempt["note"]) for attempt in row["attempts"]] == [(True, RECORDED_LATE)]
        assert channel.settled == [("m1", "sent")]

    async def test_answer_after_another_attempt_changes_nothing(self, empty_db: Database) -> None:
        holding = Holding()
        await queue(empty_db, "m1")
        channel = FakeChannel(holding)
        sleeper = OutboxSender(empty_db, load_settings(worker_lost_after=LOST_AFTER), [channel])
        await sleeper.start_due(lambda: None)
        await holding.reached.wait()
        await empty_db.execute("update outgoing_messages set due_at = now()")
        async with worker(empty_db, FakeChannel(replying(SENT)[0])):
            before = await wait_for(empty_db, "sent")
        holding.release.set()
        await asyncio.wait(sleeper.attempts)
        after = await read(empty_db)
        assert [attempt["ok"] for attempt in after["attempts"]] == [True, True]
        assert channel.settled == []
        assert {**after, "attempts": None} == {**before, "attempts": None}


class TestUpdates:
    """The last content is always sent, and never by two workers at once."""

    async def test_new_message(self, empty_db: Database) -> None:
        await UPDATE.execute(empty_db, wait=0)
        async with worker(empty_db, FakeChannel(replying(SENT)[0])):
            await wait_for(empty_db, "sent")

    async def test_waits_with_the_message(self, empty_db: Database) -> None:
        """More updates of a queued message don't change when it's sent."""
        await UPDATE.execute(empty_db, wait=3600)
        before = await read(empty_db)
        await UPDATE.execute(empty_db, wait=0)
        assert (await read(empty_db))["due_at"] == before["due_at"]

    async def test_not_before_it_is_released(self, empty_db: Database) -> None:
        await queue(empty_db, "m1")
        await empty_db.execute("update outgoing_messages set due_at = null")
        await UPDATE.execute(empty_db, wait=0)
        assert (await read(empty_db))["due_at"] is None

    async def test_keeps_the_last_attempts(self, empty_db: Database) -> None:
        await queue(empty_db, "m1")
        await empty_db.execute(
            """
            update outgoing_messages set attempts = (
                select jsonb_agg(jsonb_build_object('number', n) order by n) from generate_series(1, $1::integer) as n)
            """,
            MAX_HISTORY,
        )
        async with worker(empty_db, FakeChannel(replying(SENT)[0])):
            attempts = (await wait_for(empty_db, "sent"))["attempts"]
        assert [attempt.get("number") for attempt in attempts] == [*range(2, MAX_HISTORY + 1), None]

    async def test_keeps_the_pause_before_a_retry(self, empty_db: Database) -> None:
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(replying(FAILED)[0], schedule=(3600,))):
            await wait_for_attempts(empty_db, 1)
        before = await read(empty_db)
        await UPDATE.execute(empty_db, wait=0)
        after = await read(empty_db)
        assert (after["due_at"], after["attempt_count"]) == (before["due_at"], 1)

    @pytest.mark.parametrize("ending", [SENT, AttemptOutcome(error="no", permanent=True)])
    async def test_after_the_last_attempt(self, empty_db: Database, ending: AttemptOutcome) -> None:
        send, received = replying(ending, SENT)
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, schedule=())):
            await wait_for(empty_db, "sent" if ending is SENT else "failed")
            await UPDATE.execute(empty_db, wait=0)
            await wait_for_attempts(empty_db, 2)
        row = await read(empty_db)
        assert (received, row["state"], row["attempt_count"], row["again_at"]) == (["m1", "m1"], "sent", 1, None)

    @pytest.mark.parametrize("ending", [SENT, AttemptOutcome(error="no", permanent=True)])
    async def test_during_an_attempt(self, empty_db: Database, ending: AttemptOutcome) -> None:
        reached, go_on, contents = asyncio.Event(), asyncio.Event(), ["old"]
        received = list[str]()

        async def send(_: OutgoingMessage) -> AttemptOutcome:
            received.append(contents[-1])
            reached.set()
            await go_on.wait()
            return ending if len(received) == 1 else SENT

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)), worker(empty_db, FakeChannel(send)):
            await reached.wait()
            for content in ("new", "newer"):
                contents.append(content)
                await UPDATE.execute(empty_db, wait=0)
            go_on.set()
            await wait_for_attempts(empty_db, 2)
        row = await read(empty_db)
        assert (received, row["state"], row["attempt_count"]) == (["old", "newer"], "sent", 1)

    async def test_during_an_attempt_that_is_retried(self, empty_db: Database) -> None:
        """The retry sends the new content, so there's no third attempt. It still waits for its pause."""
        holding = Holding()

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            await holding(message)
            return FAILED

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, schedule=(3600, 3600))):
            await holding.reached.wait()
            await UPDATE.execute(empty_db, wait=0)
            holding.release.set()
            row = await wait_for_attempts(empty_db, 1)
        assert await empty_db.fetchval("select due_at > now() + interval '50 minutes' from outgoing_messages")
        assert (row["state"], row["attempt_count"]) == ("queued", 1)
        await queue_again(empty_db, "m1")
        async with worker(empty_db, FakeChannel(replying(SENT)[0])):
            row = await wait_for(empty_db, "sent")
        assert (len(row["attempts"]), row["again_at"]) == (2, None)

    async def test_during_an_attempt_that_is_lost(self, empty_db: Database) -> None:
        """An answer that arrives after all is about the old content."""
        holding = Holding()
        await queue(empty_db, "m1")
        channel = FakeChannel(holding)
        sleeper = OutboxSender(empty_db, load_settings(worker_lost_after=LOST_AFTER), [channel])
        await sleeper.start_due(lambda: None)
        await holding.reached.wait()
        await empty_db.execute("update outgoing_messages set due_at = now()")
        [claim] = (await claim_messages(empty_db, [Room("test", 1)], lost_after=60)).claims
        assert claim.lost_at is not None
        lost = {"at": iso(claim.lost_at), "ok": False, "error": LOST_ATTEMPT}
        await record_attempts(empty_db, [AttemptRecord("m1", claim.claimed_at, "queued", 0, True, LOST_ATTEMPT, lost)])
        await UPDATE.execute(empty_db, wait=0)
        holding.release.set()
        await asyncio.wait(sleeper.attempts)
        assert ((await read(empty_db))["state"], channel.settled) == ("queued", [])
        async with worker(empty_db, FakeChannel(replying(SENT)[0])):
            row = await wait_for(empty_db, "sent")
        assert len(row["attempts"]) == 2


class TestAskingFirst:
    """A channel that can ask the receiver: a message that may have arrived is sent again only if it didn't."""

    @staticmethod
    async def send(message: OutgoingMessage) -> AttemptOutcome:
        if message.handed_over_at is None:
            raise AssertionError("the receiver isn't asked")
        return AttemptOutcome(result="asked")

    async def test_worker_lost_after_the_hand_over(self, empty_db: Database) -> None:
        holding = Holding(hands_over=True)
        await queue(empty_db, "m1")
        await die(empty_db, FakeChannel(holding), holding.reached)
        channel = FakeChannel(self.send)
        async with worker(empty_db, channel):
            row = await wait_for(empty_db, "sent")
        assert [attempt.get("error") for attempt in row["attempts"]] == [LOST_ATTEMPT, None]
        assert (row["handed_over_at"], channel.results) == (None, [None, "asked"])

    async def test_error_after_the_hand_over(self, empty_db: Database) -> None:
        async def send(message: OutgoingMessage) -> AttemptOutcome:
            if message.handed_over_at is None:
                assert await message.hand_over()
                raise ValueError("no idea")
            return await self.send(message)

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)):
            row = await wait_for(empty_db, "sent")
        assert len(row["attempts"]) == 2

    async def test_still_asks_after_attempts_that_could_not(self, empty_db: Database) -> None:
        ending = iter([AttemptOutcome(error="busy", ask_first=True), Postponed(0), SENT])
        asked = list[bool]()

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            asked.append(message.handed_over_at is not None)
            if len(asked) == 1:
                assert await message.hand_over()
            outcome = next(ending)
            if isinstance(outcome, Postponed):
                raise outcome
            return outcome

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)):
            await wait_for(empty_db, "sent")
        assert asked == [False, True, True]

    async def test_does_not_ask_if_nothing_was_done(self, empty_db: Database) -> None:
        asked = list[bool]()

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            assert message.attempt_count == len(asked)
            asked.append(message.handed_over_at is not None)
            assert await message.hand_over()
            return FAILED if len(asked) == 1 else SENT

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send)):
            await wait_for(empty_db, "sent")
        assert asked == [False, False]

    async def test_own_claim_that_was_not_renewed_in_time(self, empty_db: Database) -> None:
        """A worker that was too busy to renew a claim doesn't take its own attempt for lost."""
        holding = Holding()
        channel = FakeChannel(holding, schedule=())
        await queue(empty_db, "m1")
        busy = OutboxSender(empty_db, load_settings(worker_lost_after=LOST_AFTER), [channel])
        await busy.start_due(lambda: None)
        await holding.reached.wait()
        began = (await read(empty_db))["claimed_at"]
        await empty_db.execute("update outgoing_messages set due_at = now()")
        await busy.start_due(lambda: None)
        assert len(busy.attempts) == 1
        holding.release.set()
        await asyncio.wait(busy.attempts)
        row = await read(empty_db)
        assert (row["state"], holding.received, channel.settled) == ("sent", ["m1"], [("m1", "sent")])
        assert [attempt["at"] for attempt in row["attempts"]] == [iso(began)]


class TestStopping:
    async def test_interrupted_attempt_is_made_again(self, empty_db: Database) -> None:
        holding = Holding()
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(holding, schedule=()), grace=0.05) as stop:
            await holding.reached.wait()
            stop.set()
        row = await read(empty_db)
        assert (row["state"], row["attempt_count"]) == ("queued", 0)
        assert [attempt["error"] for attempt in row["attempts"]] == [INTERRUPTED.error]
        holding.release.set()
        async with worker(empty_db, FakeChannel(holding, schedule=())):
            await wait_for(empty_db, "sent")

    async def test_handed_over_is_waited_for(self, empty_db: Database) -> None:
        """It's answered only once the worker has interrupted everything that no receiver has."""
        holding, reached = Holding(hands_over=True), asyncio.Event()

        async def wait_for_interruption(_: OutgoingMessage) -> AttemptOutcome:
            reached.set()
            try:
                await asyncio.Event().wait()
            finally:
                holding.release.set()
            raise AssertionError

        await queue(empty_db, "m1")
        await queue(empty_db, "m2", channel="other")
        channels = FakeChannel(holding, at_most_once=True), FakeChannel(wait_for_interruption, name="other")
        async with worker(empty_db, *channels, grace=0.05) as stop:
            await holding.reached.wait()
            await reached.wait()
            stop.set()
        assert (await read(empty_db))["state"] == "sent"
        assert (await read(empty_db, "m2"))["state"] == "queued"


class TestCanceling:
    async def test_before_the_hand_over(self, empty_db: Database) -> None:
        reached, go_on, sent = asyncio.Event(), asyncio.Event(), list[str]()

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            reached.set()
            await go_on.wait()
            if not await message.hand_over():
                raise Postponed(0)
            sent.append(message.message_id)
            return SENT

        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(send, at_most_once=True)):
            await reached.wait()
            await CANCEL.execute(empty_db, message_id="m1", reason="no longer needed")
            go_on.set()
        row = await read(empty_db)
        assert (row["state"], row["error"], sent) == ("failed", "no longer needed", [])

    async def test_not_after_the_hand_over(self, empty_db: Database) -> None:
        holding = Holding(hands_over=True)
        await queue(empty_db, "m1")
        async with worker(empty_db, FakeChannel(holding, at_most_once=True)):
            await holding.reached.wait()
            await CANCEL.execute(empty_db, message_id="m1", reason="too late")
            holding.release.set()
            await wait_for(empty_db, "sent")

    async def test_stopped_during_an_attempt(self, empty_db: Database) -> None:
        """Its result still counts, but there's no other attempt."""
        holding = Holding()
        answers = iter([FAILED, SENT])

        async def send(message: OutgoingMessage) -> AttemptOutcome:
            await holding(message)
            return next(answers)

        for message_id, state in (("m1", "failed"), ("m2", "sent")):
            holding.reached.clear()
            holding.release.clear()
            await queue(empty_db, message_id)
            channel = FakeChannel(send)
            async with worker(empty_db, channel):
                await holding.reached.wait()
                await STOP.execute(empty_db, message_id=message_id)
                holding.release.set()
                row = await wait_for(empty_db, state, message_id)
            assert (row["due_at"], channel.settled) == (None, [(message_id, state)])

    async def test_stopped_before_the_next_attempt(self, empty_db: Database) -> None:
        send, received = replying(FAILED)
        await queue(empty_db, "m1")
        channel = FakeChannel(send, schedule=(3600,))
        async with worker(empty_db, channel):
            while not (await read(empty_db))["attempts"]:  # noqa: ASYNC110 - until the first one is over
                await asyncio.sleep(0.02)
            await STOP.execute(empty_db, message_id="m1")
        row = await read(empty_db)
        assert (row["state"], row["due_at"], row["settled_at"] is not None, received) == ("failed", None, True, ["m1"])
