"""Rate limits of several API processes on one machine."""

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from signoff.platform.machine_buckets import MachineBuckets
from signoff.platform.rate_limits import LocalBuckets, Rate
from signoff.platform.shared_folder import shared_folder

RATE = Rate(per_second=1, burst=10)
START = 1_000_000_000


class Clock:
    now = START

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table"
    path.write_bytes(bytes(1024 * 16))
    return path


async def test_counts_like_a_bucket_in_one_process(table: Path, clock: Clock) -> None:
    shared, local = MachineBuckets(table, clock), LocalBuckets(clock)
    for pause in [0] * 12 + [700_000] * 8 + [20_000_000] + [0] * 11:
        clock.now += pause
        assert await shared.take("acc_1", RATE) == await local.take("acc_1", RATE)


async def test_processes_share_a_bucket(table: Path, clock: Clock) -> None:
    processes = [MachineBuckets(table, clock) for _ in range(3)]
    allowed = [(await process.take("acc_1", RATE)).allowed for _ in range(5) for process in processes]
    assert allowed == [True] * 10 + [False] * 5
    assert (await processes[0].take("acc_2", RATE)).allowed


async def test_full_table(tmp_path: Path, clock: Clock) -> None:
    """Further accounts are limited by each process. A bucket that is full again makes room for another."""
    path = tmp_path / "small"
    path.write_bytes(bytes(16))
    one, two = MachineBuckets(path, clock), MachineBuckets(path, clock)
    for name in ("acc_1", "acc_2"):
        allowed = [(await one.take(name, RATE)).allowed for _ in range(11)]
        assert allowed == [True] * 10 + [False]
    assert not (await two.take("acc_1", RATE)).allowed
    assert (await two.take("acc_2", RATE)).allowed
    clock.now += RATE.whole
    assert (await one.take("acc_2", RATE)).remaining == 9
    assert (await two.take("acc_2", RATE)).remaining == 8


LOCKS = """
import fcntl, sys
file = open(sys.argv[1], "r+b")
fcntl.lockf(file, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def frozen_process(table: Path) -> Iterator[None]:
    """It holds all locks."""
    with subprocess.Popen([sys.executable, "-c", LOCKS, table], stdin=PIPE, stdout=PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        yield
        holder.communicate()


@pytest.mark.usefixtures("frozen_process")
async def test_frozen_process_holds_the_lock(table: Path, clock: Clock) -> None:
    with table.open("r+b") as file, pytest.raises(BlockingIOError):
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert (await MachineBuckets(table, clock).take("acc_1", RATE)).remaining == 9


TAKES = """
import asyncio
from signoff.platform.rate_limits import Rate
from signoff.platform.machine_buckets import open_machine_buckets

buckets = open_machine_buckets()
input()

async def main():
    return sum([(await buckets.take("acc_1", Rate(1, 2000))).allowed for _ in range(1500)])

print(asyncio.run(main()))
"""


def test_concurrent_processes() -> None:
    """Together, they're allowed as many calls as the bucket holds, and one more for each second that passes."""
    with shared_folder() as environment:
        processes = [
            subprocess.Popen([sys.executable, "-c", TAKES], env=dict(environment), stdin=PIPE, stdout=PIPE)
            for _ in range(2)
        ]
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")
            process.stdin.flush()
        allowed = sum(int(process.communicate()[0]) for process in processes)
    assert 2000 <= allowed <= 2100
