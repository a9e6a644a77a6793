"""Killed, stopped and out of space: never half a backup under its final name, never half a restore."""

import asyncio
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from backup_helpers import (
    Backup,
    SeededInstance,
    Target,
    contents,
    create_backup,
    files,
    ignore_progress,
    new_target,
    run,
    settings_of,
)
from support.prepared_data_dir import SIGNOFF

from signoff.backup import database, restore
from signoff.backup.media_objects import MARKER
from signoff.backup.restore import check_backup, restore_backup
from signoff.backup.writer import write_backup
from signoff.platform.errors import CommandError
from signoff.platform.migrate import migrate
from signoff.platform.settings import load_settings

LOOK_EVERY = 0.001


def kill_when(command: list[str], env: dict[str, str], moment: Callable[[], bool], number: int) -> int:
    process = subprocess.Popen([*SIGNOFF, *command], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not moment() and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(LOOK_EVERY)
    assert process.poll() in (None, 0), "it ended by itself, and badly"
    process.send_signal(number)
    return process.wait(60)


def env_of(target: Target) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_")}
    return clean | {"SIGNOFF_DATABASE_URL": target.dsn, "SIGNOFF_DATA_DIR": str(target.folder)}


class TestCreate:
    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
    def test_killed_midway(self, seeded: SeededInstance, tmp_path: Path, number: int) -> None:
        file, partial = tmp_path / "b.tar", tmp_path / "b.tar.partial"

        def begun() -> bool:
            return partial.exists() and partial.stat().st_size > 0

        kill_when(["backup", str(file)], seeded.service.env, begun, number)
        while file.exists():  # it was done before the signal came
            check_backup(file, ignore_progress)
            file.unlink()
            kill_when(["backup", str(file)], seeded.service.env, begun, number)
        assert partial.exists() == (number == signal.SIGKILL)
        create_backup(seeded.service, file)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar"]
        check_backup(file, ignore_progress)

    def test_no_space(self, seeded: SeededInstance, tmp_path: Path) -> None:
        def little_space() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

        done = run("backup", tmp_path / "b.tar", env=seeded.service.env, preexec_fn=little_space)
        assert done.returncode == 1
        assert done.stderr.startswith("signoff: Can't write the backup")
        assert list(tmp_path.iterdir()) == []

    def test_file_already_exists(self, seeded: SeededInstance, tmp_path: Path) -> None:
        file = tmp_path / "b.tar"
        file.write_text("something dear")
        with pytest.raises(CommandError, match="already exists"):
            create_backup(seeded.service, file)
        assert file.read_text() == "something dear"

    @pytest.mark.parametrize("links", [True, False], ids=["hard links", "none"])
    def test_file_appears_during_the_backup(
        self, seeded: SeededInstance, tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if not links:

            def refuse(*_: object, **__: object) -> None:
                raise PermissionError(errno.EPERM, "Operation not permitted")

            monkeypatch.setattr(os, "link", refuse)
            create_backup(seeded.service, tmp_path / "a.tar")
            check_backup(tmp_path / "a.tar", ignore_progress)
            (tmp_path / "a.tar").unlink()
        file = tmp_path / "b.tar"

        def comes(step: str, _: int | None) -> Callable[[int], None]:
            file.write_text("something dear")
            return lambda _: None

        with pytest.raises(CommandError, match="already exists"):
            write_backup(settings_of(seeded.service), file, comes)
        assert [path.read_text() for path in tmp_path.iterdir()] == ["something dear"]

    def test_killed_between_link_and_unlink(self, seeded: SeededInstance, tmp_path: Path) -> None:
        file = tmp_path / "b.tar"
        create_backup(seeded.service, file)
        os.link(file, tmp_path / "c.tar.partial")
        before = file.read_bytes()
        create_backup(seeded.service, tmp_path / "c.tar")
        assert file.read_bytes() == before
        assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "c.tar"]

    def test_no_folder_and_no_data(self, seeded: SeededInstance, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="No such file or directory"):
            create_backup(seeded.service, tmp_path / "nowhere" / "b.tar")
        with pytest.raises(CommandError, match="There's no database"):
            write_backup(load_settings(data_dir=tmp_path / "empty"), tmp_path / "b.tar", ignore_progress)
        assert list(tmp_path.iterdir()) == []

    def test_two_at_once(self, seeded: SeededInstance, tmp_path: Path) -> None:
        file = tmp_path / "b.tar"

        def second(step: str, _: int | None) -> Callable[[int], None]:
            with pytest.raises(CommandError, match="Another backup"):
                create_backup(seeded.service, file)
            return lambda _: None

        write_backup(settings_of(seeded.service), file, second)
        check_backup(file, ignore_progress)


class TestMissingFiles:
    def test_lost_changed_and_removed_during_the_backup(
        self, seeded: SeededInstance, backup: Backup, target: Target, tmp_path: Path
    ) -> None:
        target.restore(backup.file)
        lost, changed, removed, *others = sorted(files(target.media))

        def remove_one(step: str, _: int | None) -> Callable[[int], None]:
            if step == "files":  # the snapshot has been taken
                with psycopg.connect(target.dsn) as connection:
                    media_id = removed.partition("/")[2]
                    connection.execute("delete from media_uses where media_id = %s", [media_id])
                    connection.execute("delete from media where media_id = %s", [media_id])
                (target.media / removed).unlink()
            return lambda _: None

        (target.media / lost).unlink()
        (target.media / changed).write_bytes(b"something else")
        file = tmp_path / "b.tar"
        manifest = write_backup(target.settings, file, remove_one)
        assert {path.name: path.why for path in manifest.missing} == {
            lost: "missing from the storage",
            changed: "different content than expected; the backup contains what's in the storage",
            removed: "it was removed while the backup was made",
        }
        assert manifest.media.count == len(others) + 1
        again = new_target(seeded.service, tmp_path)
        again.restore(file)
        assert sorted(files(again.media)) == sorted([changed, *others])

    def test_the_command_reports_them(self, backup: Backup, target: Target, tmp_path: Path) -> None:
        target.restore(backup.file)
        lost, *others = sorted(files(target.media))
        (target.media / lost).unlink()
        done = run("backup", tmp_path / "b.tar", env=env_of(target))
        assert done.returncode == 1
        assert f"{lost}: missing from the storage" in done.stderr
        assert not any(other in done.stderr for other in others)
        check_backup(tmp_path / "b.tar", ignore_progress)


class TestRestore:
    @pytest.mark.parametrize("counts", [[3], pytest.param([0, 3], marks=pytest.mark.slow)], ids=str)
    def test_killed_while_copying_files_and_restarted(self, backup: Backup, target: Target, counts: list[int]) -> None:
        for count in counts:
            self._kill(backup, target, count)
        (target.media / "picture.png#1").write_bytes(b"half of")  # as the storage leaves an incomplete write
        target.restore(backup.file)
        assert files(target.media) == backup.files
        assert contents(target.dsn) == backup.contents

    def test_another_backup_can_not_continue_it(
        self, seeded: SeededInstance, backup: Backup, target: Target, tmp_path: Path
    ) -> None:
        self._kill(backup, target, 3)
        other = tmp_path / "other.tar"
        create_backup(seeded.service, other)
        with pytest.raises(CommandError, match="An earlier restore of another backup"):
            target.restore(other)

    def _kill(self, backup: Backup, target: Target, count: int) -> None:
        """Kills the restore once it has written this many files."""
        mark = target.media / MARKER

        def reached() -> bool:
            return mark.exists() and len(files_in(target.media)) >= count

        command = ["restore", str(backup.file)]
        assert kill_when(command, env_of(target), reached, signal.SIGKILL) == -signal.SIGKILL
        assert target.tables() == 0
        assert mark.exists()

    def test_interrupted_right_before_the_end(self, seeded: SeededInstance, backup: Backup, target: Target) -> None:
        """The tables are there, but the row that completes the restore is missing."""
        target.restore(backup.file)
        with psycopg.connect(target.dsn) as connection:
            connection.execute("delete from alembic_version")
        with pytest.raises(CommandError, match="interrupted just before it finished"):
            target.restore(backup.file)
        with pytest.raises(Exception, match="already exists"):  # so nothing starts on it
            asyncio.run(migrate(target.dsn))
        with pytest.raises(CommandError, match="interrupted just before it finished"):
            write_backup(target.settings, target.folder / "b.tar", ignore_progress)

    def test_failed_restore_leaves_the_database_empty(self, backup: Backup, target: Target) -> None:
        with psycopg.connect(target.dsn) as connection:
            connection.execute("create type jobs as enum ('in the way')")
        with pytest.raises(CommandError, match=r"pg_restore failed: .*jobs"):
            target.restore(backup.file)
        assert target.tables() == 0
        with psycopg.connect(target.dsn) as connection:
            connection.execute("drop type jobs")
        target.restore(backup.file)


class TestOlderServers:
    """Those get a script by psql, which would run a part of it if its input ended early."""

    @pytest.fixture(autouse=True)
    def _older(self, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
        monkeypatch.setattr(database, "FIRST_WITH_ALL_SETTINGS", 99)

    def test_whole(self, backup: Backup, target: Target) -> None:
        target.restore(backup.file)
        assert contents(target.dsn) == backup.contents

    @pytest.mark.parametrize("length", [0, 500, 60_000])
    def test_interrupted_script(
        self, backup: Backup, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int
    ) -> None:
        find = database._program

        def broken(name: str, connection: database.Connection) -> Path:
            path = find(name, connection)
            if name != "pg_restore":
                return path
            script = tmp_path / "pg_restore"
            script.write_text(
                f'#!/bin/sh\ncase "$*" in *--list*) exec {path} "$@";; esac\n'
                f'{path} "$@" | head -c {length}\necho "pg_restore: error: the disk is gone" >&2\nexit 1\n'
            )
            script.chmod(0o700)
            return script

        monkeypatch.setattr(database, "_program", broken)
        with pytest.raises(CommandError, match="pg_restore failed: the disk is gone"):
            target.restore(backup.file)
        assert target.tables() == 0

    def test_unreadable_backup(self, backup: Backup, target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
        read = restore._Dump.__call__
        times = 0

        def broken(dump: restore._Dump) -> Iterator[bytes]:
            nonlocal times
            times += 1
            for piece in read(dump):
                yield piece if times == 1 else piece[: len(piece) // 2]
                if times == 2:
                    raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(restore._Dump, "__call__", broken)
        with pytest.raises(CommandError, match="Input/output error"):
            target.restore(backup.file)
        assert target.tables() == 0


def test_child_processes_end_with_the_command(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = (
        "import pathlib, time; from signoff.backup import database\n"
        "with database._running(pathlib.Path('/bin/sleep'), ['600'], None) as process:\n"
        f"    pathlib.Path({str(pid_file)!r}).write_text(f'{{process.pid}}.')\n"
        "    time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while not (pid_file.exists() and pid_file.read_text().endswith(".")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    child = Path("/proc") / pid_file.read_text().rstrip(".") / "stat"
    parent.kill()
    parent.wait(60)
    # Whatever adopts orphans may leave it as a zombie.
    while child.exists() and child.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.02)


class TestNotEmpty:
    def test_a_running_service(self, seeded: SeededInstance, backup: Backup) -> None:
        before = files(seeded.service.data_dir / "media")
        with pytest.raises(CommandError, match=r"The database isn't empty.*Nothing was changed"):
            restore_backup(settings_of(seeded.service), backup.file, ignore_progress, hold=False)
        assert files(seeded.service.data_dir / "media") == before

    def test_a_foreign_table(self, backup: Backup, target: Target) -> None:
        with psycopg.connect(target.dsn) as connection:
            connection.execute("create table theirs (a integer)")
        with pytest.raises(CommandError, match="The database isn't empty"):
            target.restore(backup.file)
        assert not target.media.exists()

    def test_a_storage_with_files(self, backup: Backup, target: Target) -> None:
        (target.media / "some").mkdir(parents=True)
        (target.media / "some" / "file").write_text("theirs")
        with pytest.raises(CommandError, match="isn't empty"):
            target.restore(backup.file)
        assert target.tables() == 0
        assert files(target.media).keys() == {"some/file"}
        shutil.rmtree(target.media)
        target.restore(backup.file)


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != MARKER]
