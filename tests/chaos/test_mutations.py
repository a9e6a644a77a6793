"""The reconciliation finds errors in the service. `make mutations` inserts them one by one; here some are inserted
together."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from chaos.mutations import MUTATIONS, SOURCE, Mutation, apply, mutate
from chaos.run import run_without_failures

ISSUE = ("rejections arrive as approvals", "half of the retries are not told", "a third of the messages is not told")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own folder, which only root can enter: the database runs as its own user then."""
    with tempfile.TemporaryDirectory(prefix="signoff-chaos-", ignore_cleanup_errors=True) as path:
        yield Path(path)


def test_number_of_mutations() -> None:
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 15


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_mutations_apply_to_the_current_code(mutation: Mutation) -> None:
    text = (SOURCE / mutation.file).read_text()
    mutated = apply(mutation, text)
    assert mutated != text
    # A mutation that only fails would be found for the wrong reason.
    ruff = [Path(sys.executable).with_name("ruff"), "check", "--isolated", "--quiet", "--select", "F821,E9", "-"]
    checked = subprocess.run(ruff, input=mutated, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_several_mutations_are_found(folder: Path) -> None:
    faults = [mutation for mutation in MUTATIONS if mutation.name in ISSUE]
    assert len(faults) == len(ISSUE)
    outcome = await run_without_failures(folder, 1, 5.0, print, mutate(folder, faults))
    failed = {promise for promise, lines in outcome.disagreements.items() if lines}
    assert failed == {"what arrived is what was decided", "every retry and every message was told once"}
