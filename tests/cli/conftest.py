import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.terminal import Terminal


@pytest.fixture
def new_terminal(tmp_path: Path) -> Iterator[Terminal]:
    """There is no data directory yet."""
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


@pytest.fixture(scope="session")
def prepared_data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    terminal = Terminal(tmp_path_factory.mktemp("prepared"))
    assert terminal.run("migrate").returncode == 0
    return terminal.data_dir


@pytest.fixture
def terminal(new_terminal: Terminal, prepared_data_dir: Path) -> Terminal:
    """The database is made and empty: saves each test the time to make it."""
    # With owners: as root, the database has one of its own.
    subprocess.run(["cp", "-a", prepared_data_dir, new_terminal.data_dir], check=True)
    return new_terminal
