"""The cluster for some seconds, with one of each trouble. `make chaos` does the same for as long as one likes."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from chaos.report import report
from chaos.run import run
from chaos.trouble import KINDS

SECONDS = 12.0


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own, which as root nobody else may enter: the database has a user of its own then."""
    with tempfile.TemporaryDirectory(prefix="signoff-chaos-", ignore_cleanup_errors=True) as made:
        yield Path(made)


@pytest.mark.timeout(600)
async def test_everything_adds_up(folder: Path) -> None:
    seed = random.SystemRandom().randrange(10**9)
    said: list[str] = []
    outcome = await run(folder, seed, SECONDS, said.append, one_of_each=True, pace=0.2)
    evidence = outcome.evidence
    story = "\n".join([*said, report(evidence, outcome.disagreements, outcome.troubles, seed)])
    assert outcome.adds_up, story
    # And it was no empty stage: each trouble came, and there was something of everything for it to hit.
    assert outcome.troubles.keys() == KINDS.keys() - {"a worker is frozen"}
    assert set(outcome.troubles.values()) == {1}
    for things in (evidence.asked, evidence.decided, evidence.written, evidence.calls, evidence.messages):
        assert len(things) > 5, story
    assert any(review.copies for review in evidence.reviews), story
