"""Buckets, in this process and in Redis, and how they behave when Redis is unavailable."""

import asyncio
import itertools
import random
import re
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import redis
import structlog
from hypothesis import given
from hypothesis import strategies as st
from rate_limit_helpers import Clock, Valkey
from support.service_process import free_port

from signoff.doctor import State, check_redis
from signoff.platform.rate_limits import (
    REDIS_RETRY_AFTER,
    SECOND,
    BucketsUnreachable,
    LocalBuckets,
    Rate,
    RateLimiter,
    RateLimitResult,
    build_result,
    take_token,
)
from signoff.platform.redis_buckets import TAKE_SCRIPT, RedisBuckets, limit_time
from signoff.platform.settings import SettingsError, load_settings

RATE = Rate(per_second=1, burst=10)
RATES = st.builds(Rate, st.sampled_from([1, 2, 5, 10]), st.integers(1, 20))
PAUSES = st.lists(st.integers(0, 3 * SECOND), min_size=1, max_size=60)
names = (f"account-{number}" for number in itertools.count())


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Generator[Valkey]:
    server = Valkey(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.kill()


def simulate_calls(rate: Rate, pauses: list[int]) -> list[tuple[int, RateLimitResult]]:
    """Calls after these pauses, each with its time and result."""
    full_at, moment = 0, 1_000 * SECOND
    calls: list[tuple[int, RateLimitResult]] = []
    for pause in pauses:
        moment += pause
        allowed, full_at = take_token(full_at, moment, rate)
        calls.append((moment, build_result(allowed, full_at - moment, rate)))
    return calls


class TestTake:
    @given(RATES, PAUSES)
    def test_never_more_than_the_rate_and_a_burst(self, rate: Rate, pauses: list[int]) -> None:
        moments = [moment for moment, outcome in simulate_calls(rate, pauses) if outcome.allowed]
        for (first, start), (last, end) in itertools.combinations(enumerate(moments), 2):
            assert last - first + 1 <= rate.burst + (end - start) / rate.step

    @given(RATES, PAUSES)
    def test_allows_calls_within_the_rate(self, rate: Rate, pauses: list[int]) -> None:
        assert all(outcome.allowed for _, outcome in simulate_calls(rate, [max(pause, rate.step) for pause in pauses]))

    @given(RATES, PAUSES)
    def test_reports_remaining_calls(self, rate: Rate, pauses: list[int]) -> None:
        """Exactly this many more calls; one more after the reported time, and not a moment earlier."""
        left = simulate_calls(rate, pauses)[-1][1]
        assert 0 <= left.remaining < rate.burst
        at_once = [outcome.allowed for _, outcome in simulate_calls(rate, [*pauses, *[0] * (left.remaining + 1)])]
        assert at_once[len(pauses) :] == [True] * left.remaining + [False]
        drained = [*pauses, *[0] * left.remaining]
        assert simulate_calls(rate, [*drained, left.next_in])[-1][1].allowed
        assert not simulate_calls(rate, [*drained, left.next_in - 1])[-1][1].allowed

    @given(RATES, st.integers(1, 50))
    def test_constant_calls_get_the_rate(self, rate: Rate, seconds: int) -> None:
        every = rate.step // 10
        calls = simulate_calls(rate, [every] * (seconds * SECOND // every))
        allowed = sum(outcome.allowed for _, outcome in calls)
        assert abs(allowed - min(len(calls), rate.burst + seconds * rate.per_second)) <= 1

    def test_recovers_after_the_clock_goes_back(self) -> None:
        _, full_at = take_token(0, 1_000 * SECOND, RATE)
        allowed, full_at = take_token(full_at, 0, RATE)
        assert not allowed
        assert take_token(full_at, RATE.step, RATE)[0]


class TestOwnBuckets:
    async def test_a_burst_then_one_a_second(self) -> None:
        clock = Clock()
        buckets = LocalBuckets(clock)
        assert [(await buckets.take("a", RATE)).remaining for _ in range(10)] == list(range(9, -1, -1))
        refused = await buckets.take("a", RATE)
        assert (refused.allowed, refused.seconds_to_next) == (False, 1)
        clock.pass_seconds(0.999_999)
        assert not (await buckets.take("a", RATE)).allowed
        clock.pass_seconds(0.000_001)
        assert (await buckets.take("a", RATE)).allowed
        assert not (await buckets.take("a", RATE)).allowed
        clock.pass_seconds(3600)
        assert (await buckets.take("a", RATE)).remaining == 9

    async def test_allows_one_a_second_with_jitter(self) -> None:
        clock, chance = Clock(), random.Random(1)  # noqa: S311
        buckets, began = LocalBuckets(clock), clock.moment
        for second in range(1000):
            clock.moment = began + second * SECOND + chance.randint(-50_000, 50_000)
            assert (await buckets.take("a", RATE)).allowed

    async def test_buckets_are_independent(self) -> None:
        buckets = LocalBuckets(Clock())
        for _ in range(20):
            await buckets.take("a", RATE)
        assert (await buckets.take("b", RATE)).remaining == 9

    async def test_forgets_only_full_buckets(self) -> None:
        clock = Clock()
        buckets = LocalBuckets(clock)
        for number in range(10_000):
            await buckets.take(f"early-{number}", RATE)
        clock.pass_seconds(5)
        for _ in range(11):
            await buckets.take("a", RATE)
        for number in range(10_000):
            await buckets.take(f"late-{number}", RATE)
        assert not (await buckets.take("a", RATE)).allowed
        assert len(buckets._full_at) < 20_000


class TestSharedBuckets:
    @given(rate=RATES, pauses=PAUSES)
    def test_redis_gives_the_same_results(self, valkey: Valkey, rate: Rate, pauses: list[int]) -> None:
        script = TAKE_SCRIPT.replace("redis.call('TIME')", "{ARGV[3], ARGV[4]}")
        # By this clock, Redis would expire a bucket on its own.
        script = re.sub(r", 'PX', math\.ceil\(.*\)\)$", ")", script, flags=re.MULTILINE)
        assert "PX" not in script
        name = next(names)
        with redis.Redis(port=valkey.port) as client:
            for moment, outcome in simulate_calls(rate, pauses):
                allowed, missing = client.eval(
                    script, 1, name, rate.step, rate.whole, moment // SECOND, moment % SECOND
                )
                assert build_result(allowed == 1, missing, rate) == outcome

    @pytest.mark.parametrize("way", ["tcp", "socket"])
    async def test_two_processes_share_one(self, valkey: Valkey, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("signoff.platform.redis_buckets.REDIS_TIMEOUT", 60)  # this machine may be busy
        url = valkey.url if way == "tcp" else f"unix://{valkey.socket}?db=1"
        buckets, took = [RedisBuckets(url), RedisBuckets(url)], 1.0
        while took >= 1:  # after a second, one more call is allowed
            name, began = next(names), time.monotonic()
            outcomes = await asyncio.gather(*(bucket.take(name, RATE) for bucket in buckets for _ in range(15)))
            took = time.monotonic() - began
            remaining = [outcome.remaining for outcome in outcomes if outcome.allowed]
        assert sorted(remaining) == list(range(10))
        for limiter in buckets:
            await limiter.close()

    def test_full_buckets_are_not_stored(self, valkey: Valkey) -> None:
        with redis.Redis(port=valkey.port) as client:
            name = next(names)
            with client.pipeline() as both:
                both.eval(TAKE_SCRIPT, 1, name, RATE.step, RATE.whole)
                both.pttl(name)
                assert 0 < both.execute()[1] <= 1000


class FakeRedisBuckets:
    """Buckets in Redis, as `RateLimiter` sees them."""

    def __init__(self) -> None:
        self.asked = 0
        self.trouble: Exception | None = None
        self.outcome = RateLimitResult(True, 9, SECOND)

    async def take(self, name: str, rate: Rate) -> RateLimitResult:
        self.asked += 1
        await asyncio.sleep(0)
        if self.trouble is not None:
            raise self.trouble
        return self.outcome


def count_redis_logs(log: list[Any], level: str) -> int:
    """Log lines about Redis: other services in this process may log something at the same time."""
    return sum(entry["log_level"] == level and "Redis" in entry["event"] for entry in log)


class TestRates:
    @pytest.mark.parametrize("trouble", [redis.ConnectionError(), redis.ResponseError("READONLY"), TimeoutError()])
    async def test_redis_error_means_unreachable(self, trouble: Exception) -> None:
        with pytest.raises(BucketsUnreachable):
            async with limit_time():
                raise trouble

    async def test_counts_locally_without_redis(self) -> None:
        clock, shared = Clock(), FakeRedisBuckets()
        rates = RateLimiter(shared, clock=clock)  # type: ignore[arg-type]
        shared.trouble = BucketsUnreachable("no response")
        with structlog.testing.capture_logs() as log:
            allowed = [(await rates.take("a", RATE)).allowed for _ in range(20)]
        assert allowed == [True] * 10 + [False] * 10
        assert shared.asked == 1
        assert count_redis_logs(log, "warning") == 1

    async def test_reconnects_to_redis(self) -> None:
        clock, shared = Clock(), FakeRedisBuckets()
        rates = RateLimiter(shared, clock=clock)  # type: ignore[arg-type]
        shared.trouble = BucketsUnreachable("no response")
        with structlog.testing.capture_logs() as log:
            for _ in range(5):
                await asyncio.gather(*(rates.take("a", RATE) for _ in range(30)))
                clock.moment += REDIS_RETRY_AFTER
            assert (shared.asked, count_redis_logs(log, "warning")) == (30 + 4, 1)
            shared.trouble = None
            await rates.take("a", RATE)
            assert await rates.take("a", RATE) is shared.outcome
            assert (count_redis_logs(log, "warning"), count_redis_logs(log, "info")) == (1, 1)
            shared.trouble = BucketsUnreachable("no response")
            await rates.take("a", RATE)
            assert count_redis_logs(log, "warning") == 2

    async def test_rejected_calls_do_not_reach_redis(self) -> None:
        clock, shared = Clock(), FakeRedisBuckets()
        rates = RateLimiter(shared, clock=clock)  # type: ignore[arg-type]
        shared.outcome = RateLimitResult(False, 0, 600_000)
        waits = [await rates.take("a", RATE)]
        for _ in range(10):
            clock.pass_seconds(0.05)
            waits.append(await rates.take("a", RATE))
        assert shared.asked == 1
        assert [wait.next_in for wait in waits] == [600_000 - number * 50_000 for number in range(11)]
        shared.outcome = RateLimitResult(True, 0, SECOND)
        assert (await rates.take("b", RATE)).allowed
        clock.pass_seconds(0.1)
        assert (await rates.take("a", RATE)).allowed

    async def test_does_not_wait_for_an_unresponsive_redis(self, tmp_path: Path) -> None:
        server = Valkey(tmp_path)
        server.start()
        rates = RateLimiter(RedisBuckets(server.url))
        try:
            assert (await rates.take("a", RATE)).remaining == 9
            server.freeze()
            outcomes = await asyncio.gather(*(rates.take("a", RATE) for _ in range(100)))
            assert sum(outcome.allowed for outcome in outcomes) >= 9
            assert not all(outcome.allowed for outcome in outcomes)
            server.thaw()
            await wait_until_shared(rates)
            server.kill()
            assert (await rates.take("c", RATE)).remaining == 9
            server.start()
            await wait_until_shared(rates)
        finally:
            server.kill()
            await rates.close()


async def wait_until_shared(rates: RateLimiter) -> None:
    """Waits until Redis counts again after a restart or pause."""
    async with asyncio.timeout(30):
        while True:
            with structlog.testing.capture_logs() as log:
                await rates.take(next(names), RATE)
            if any("Redis reconnected" in entry["event"] for entry in log):
                return
            await asyncio.sleep(0.05)


class TestDoctor:
    def test_reports_whether_redis_responds(self, valkey: Valkey) -> None:
        [finding] = check_redis(load_settings(redis_url=valkey.url))
        assert (finding.subject, finding.state) == ("Redis", State.OK)
        assert not list(check_redis(load_settings()))

    @pytest.mark.parametrize(
        "url", ["redis://:secret@127.0.0.1:{port}", "unix:///nowhere/signoff.sock?password=secret"]
    )
    def test_warns_without_the_password(self, url: str) -> None:
        [finding] = check_redis(load_settings(redis_url=url.format(port=free_port())))
        assert finding.state is State.WARNING
        assert finding.advice
        assert "secret" not in finding.found + finding.advice

    @pytest.mark.parametrize(
        "url",
        ["", "localhost:6379", "http://localhost:6379", "memcached://localhost",
         "redis://localhost:port", "redis://localhost?unheard_of=1", "redis://localhost?socket_timeout=soon"],
    )  # fmt: skip
    def test_invalid_url_prevents_startup(self, url: str) -> None:
        with pytest.raises(SettingsError, match="SIGNOFF_REDIS_URL"):
            load_settings(redis_url=url)
