import subprocess
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from support.forked_commands import RunForked
from support.real_fixtures import service, workspace
from support.terminal import Serving, Terminal

__all__ = ["service", "workspace"]


@pytest.fixture(scope="session")
def new_database(postgres: str) -> Callable[[], str]:
    """Creates databases that are completely empty."""
    numbers = count(1)

    def make() -> str:
        name = f"blank_{next(numbers)}"
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"create database {name}")
        return postgres.replace("/signoff?", f"/{name}?")

    return make


@pytest.fixture
def new_terminal(tmp_path: Path, forked: RunForked) -> Iterator[Terminal]:
    """A terminal without a data directory."""
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


@pytest.fixture(scope="session")
def prepared_data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    terminal = Terminal(tmp_path_factory.mktemp("prepared"))
    assert terminal.run_anew("migrate").returncode == 0
    return terminal.data_dir


@pytest.fixture
def terminal(new_terminal: Terminal, prepared_data_dir: Path) -> Terminal:
    """A terminal with an empty database, which saves each test the time to create it."""
    # With owners: as root, the database runs as its own user.
    subprocess.run(["cp", "-a", prepared_data_dir, new_terminal.data_dir], check=True)
    return new_terminal


@pytest.fixture
def serving(terminal: Terminal) -> Serving:
    """A service after its first start."""
    serving = terminal.serve()
    serving.wait_for("Sign in")
    return serving
