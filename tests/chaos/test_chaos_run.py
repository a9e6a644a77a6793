"""The cluster and `signoff serve`, for some seconds, with one failure of each kind. `make chaos` takes longer."""

import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from chaos.failures import DISK_FULL, EMBEDDED_FAILURES, FAILURES
from chaos.report import report
from chaos.run import run

SECONDS = 12.0
CAN_MOUNT = sys.platform == "linux" and os.geteuid() == 0


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own folder, which only root can enter: the database runs as its own user then."""
    with tempfile.TemporaryDirectory(prefix="signoff-chaos-", ignore_cleanup_errors=True) as path:
        yield Path(path)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("embedded", [False, True], ids=["cluster", "serve"])
async def test_run_is_consistent(folder: Path, embedded: bool) -> None:
    seed = random.SystemRandom().randrange(10**9)
    said: list[str] = []
    outcome = await run(folder, seed, SECONDS, said.append, embedded=embedded, each_once=True, pace=0.2)
    evidence = outcome.evidence
    story = "\n".join([*said, report(evidence, outcome.disagreements, outcome.failure_counts, seed)])
    assert outcome.adds_up, story
    # Each failure happened, and there was data of every kind for it to affect.
    expected = EMBEDDED_FAILURES if embedded else FAILURES
    assert expected.keys() - outcome.failure_counts.keys() <= {
        "a worker is frozen",
        *([] if CAN_MOUNT else [DISK_FULL]),
    }
    assert set(outcome.failure_counts.values()) == {1}
    for things in (evidence.requests, evidence.decisions, evidence.sent_messages, evidence.calls, evidence.messages):
        assert len(things) > 5, story
    assert any(review.copies for review in evidence.reviews), story
