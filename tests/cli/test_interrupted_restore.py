"""Nothing creates a new workspace where a restore was interrupted.

`tests/backup/test_backup_interrupted.py` shows what a killed restore leaves behind: its mark in the storage, or tables
without the row that is written last.
"""

from collections.abc import Callable

import psycopg
import pytest
from support.terminal import Terminal

from signoff.backup.media_objects import MARKER

STARTS = [["serve"], ["migrate"], ["init", "--email", "a@example.com", "--password", "correct horse"]]


@pytest.fixture
def empty_database(new_database: Callable[[], str]) -> str:
    return new_database()


def tables(dsn: str) -> int:
    with psycopg.connect(dsn) as connection:
        row = connection.execute("select count(*) from pg_tables where schemaname = 'public'").fetchone()
    assert row
    return row[0]


@pytest.mark.parametrize("command", STARTS, ids=lambda command: command[0])
def test_killed_while_copying_files(empty_database: str, new_terminal: Terminal, command: list[str]) -> None:
    media = new_terminal.data_dir / "media"
    media.mkdir(parents=True)
    (media / MARKER).write_text("the backup's hash")
    refused = new_terminal.run(*command, database_url=empty_database)
    assert refused.returncode == 1
    assert "was interrupted. Run `signoff restore` with the same backup to finish it" in refused.stderr
    assert tables(empty_database) == 0


def test_killed_right_before_the_end(empty_database: str, new_terminal: Terminal) -> None:
    with psycopg.connect(empty_database) as connection:
        connection.execute("create table accounts (); create table alembic_version (version_num text)")
    refused = new_terminal.run("serve", database_url=empty_database)
    assert refused.returncode == 1
    assert "was interrupted just before it finished" in refused.stderr
    assert tables(empty_database) == 2
