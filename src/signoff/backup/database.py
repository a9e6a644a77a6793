"""The database's part: one snapshot, PostgreSQL's own programs, and row counts to compare."""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from signoff.backup.archive import CHUNK_BYTES
from signoff.platform.embedded_postgres.binaries import installed_programs
from signoff.platform.errors import CommandError

ONE_AT_A_TIME = 0x5160_BAC
"""The key of an advisory lock: arbitrary, but the same in every process."""

FIRST_WITH_ALL_SETTINGS = 17
"""The oldest PostgreSQL with all settings that a newer version's `pg_restore` starts with."""
UNKNOWN_SETTING = b"SET transaction_timeout = 0;\n"
MAX_SETTINGS_LINES = 30

Connection = psycopg.Connection[tuple[Any, ...]]

# The restore writes this row itself: without it, no process starts on an incomplete database. Extensions come with the
# database; only a superuser could create them.
_NOT_RESTORED = re.compile(r"^\d+; \d+ \d+ (TABLE DATA \S+ alembic_version |EXTENSION |COMMENT - EXTENSION )")


@contextmanager
def connect(dsn: str) -> Generator[Connection]:
    with psycopg.connect(dsn, autocommit=True, application_name="signoff backup") as connection:
        yield connection


@contextmanager
def snapshot(connection: Connection) -> Generator[str]:
    """Open a snapshot: everything read on this connection, or by others that import it by name, is from the same
    moment.
    """
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        yield str(_fetch_one(connection, "select pg_export_snapshot()"))


def read_revision(connection: Connection) -> str:
    row = connection.execute("select version_num from alembic_version").fetchone()
    if row is None:
        raise CommandError(UNFINISHED)
    return str(row[0])


def server_version(connection: Connection) -> int:
    return connection.info.server_version // 10_000


def count_rows(connection: Connection) -> dict[str, int]:
    """Count the rows of every logged table."""
    tables = connection.execute(
        """
        select relname from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'p'
        order by relname
        """
    ).fetchall()
    return {
        name: _fetch_one(connection, sql.SQL("select count(*) from {}").format(sql.Identifier(name)))
        for (name,) in tables
    }


def media_rows(connection: Connection) -> Iterator[tuple[str, str, bytes, str]]:
    """Yield the rows sorted bytewise by name. Requires a transaction; never loads all rows at once."""
    with connection.cursor("media") as cursor:
        cursor.execute(
            """
            select account_id, media_id, sha256, content_type from media
            order by account_id collate "C", media_id collate "C"
            """
        )
        yield from cursor


def has_media(connection: Connection, key: str) -> bool:
    account_id, _, media_id = key.partition("/")
    query = "select exists (select from media where account_id = %s and media_id = %s)"
    return bool(_fetch_one(connection, query, [account_id, media_id]))


@contextmanager
def connect_exclusively(connection: Connection) -> Generator[None]:
    if not _fetch_one(connection, "select pg_try_advisory_lock(%s)", [ONE_AT_A_TIME]):
        raise CommandError("Another restore into this database is in progress.")
    try:
        yield
    finally:
        connection.execute("select pg_advisory_unlock(%s)", [ONE_AT_A_TIME])


UNFINISHED = (
    "An earlier restore into this database was interrupted just before it finished. Empty the database, or delete "
    "`postgres` from the data directory, and try again."
)


def ensure_empty(connection: Connection) -> None:
    table_count: int = _fetch_one(
        connection,
        """
        select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        """,
    )
    if not table_count:
        return
    ours = "select to_regclass('accounts') is not null and to_regclass('alembic_version') is not null"
    if _fetch_one(connection, ours) and not _fetch_one(connection, "select exists (select from alembic_version)"):
        raise CommandError(UNFINISHED)
    raise CommandError("The database isn't empty. You can only restore into an empty database. Nothing was changed.")


def dump(connection: Connection, dsn: str, name: str) -> Iterator[bytes]:
    """Yield the output of `pg_dump` for the snapshot with this name."""
    program = _program("pg_dump", connection)
    options = ["--format=custom", "--no-unlogged-table-data", "--no-password", f"--snapshot={name}"]
    with _running(program, options, dsn, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        while chunk := process.stdout.read(CHUNK_BYTES):
            yield chunk


def restore(connection: Connection, dsn: str, chunks: "Restorable") -> None:
    """Restore everything in one transaction, except for the row with the schema version."""
    program = _program("pg_restore", connection)
    with tempfile.NamedTemporaryFile("w", suffix=".list") as contents:
        contents.writelines(f"{line}\n" for line in _contents(program, chunks) if not _NOT_RESTORED.match(line))
        contents.flush()
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--use-list={contents.name}"]
        if server_version(connection) >= FIRST_WITH_ALL_SETTINGS:
            options += ["--single-transaction", "--exit-on-error", "--no-password"]
            with _running(program, options, dsn, stdin=subprocess.PIPE) as process:
                _write_input(process, chunks())
        else:
            _restore_by_script(program, options, _program("psql", connection), dsn, chunks)


def _restore_by_script(program: Path, options: list[str], psql: Path, dsn: str, chunks: "Restorable") -> None:
    """Restore to an older server, without the setting that it doesn't have.

    The script starts with `\\restrict`, so that psql runs no meta-commands that the data might contain.
    """
    carefully = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--no-password", "--file=-"]
    trouble = list[BaseException]()
    with (
        _running(program, [*options, "--file=-"], None, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as maker,
        suppress(_ScriptIncomplete),  # The producer's exit then says why.
        _running(psql, carefully, dsn, stdin=subprocess.PIPE) as taker,
    ):
        feeding = threading.Thread(target=_feed_or_kill, args=(maker, chunks(), trouble))
        feeding.start()
        has_started = False
        try:
            has_started = _write_input(taker, _read_script(maker))
        finally:
            if not has_started:
                maker.kill()  # Nobody reads its output, so it would wait forever, and so would whoever feeds it.
            feeding.join()
            if trouble:
                raise trouble[0]


class _ScriptIncomplete(Exception):
    """Raised before psql sees the end of its input, which would make it commit the incomplete script."""


def _read_script(maker: "subprocess.Popen[bytes]") -> Iterator[bytes]:
    """Yield the script, and raise `_ScriptIncomplete` if it's incomplete."""
    assert maker.stdout is not None
    beginning = [maker.stdout.readline() for _ in range(MAX_SETTINGS_LINES)]
    if not any(line.startswith(b"\\restrict ") for line in beginning):
        if not beginning[-1] and maker.wait() != 0:
            raise _ScriptIncomplete
        raise CommandError(
            "The output of this version of pg_restore isn't safe to pass to psql. Use PostgreSQL 17 or newer."
        )
    yield from (line for line in beginning if line != UNKNOWN_SETTING)
    while chunk := maker.stdout.read(CHUNK_BYTES):
        yield chunk
    if maker.wait() != 0:
        raise _ScriptIncomplete


def _feed_or_kill(process: "subprocess.Popen[bytes]", chunks: Iterable[bytes], trouble: list[BaseException]) -> None:
    """Feed in a thread: an error while reading also kills the process, which would otherwise wait for more."""
    try:
        _write_input(process, chunks)
    except BaseException as error:  # noqa: BLE001 - raised again by whoever joins the thread
        trouble.append(error)
        process.kill()


class Restorable:
    """Yields the dump, from the beginning on each call."""

    def __call__(self) -> Iterable[bytes]:
        raise NotImplementedError


def _contents(program: Path, chunks: Restorable) -> list[str]:
    """Return the dump's own table of contents."""
    # To a file, because it may exceed a pipe's buffer, and is written before all input has been read.
    with tempfile.TemporaryFile() as output:
        with _running(program, ["--format=custom", "--list"], None, stdin=subprocess.PIPE, stdout=output) as process:
            _write_input(process, chunks())
        output.seek(0)
        return output.read().decode().splitlines()


def _write_input(process: "subprocess.Popen[bytes]", chunks: Iterable[bytes]) -> bool:
    """Return whether it took everything. If not, it has read enough, or has failed, which its exit status shows.

    If the input fails with an error, the process doesn't see an end of input: the caller must kill it.
    """
    assert process.stdin is not None
    try:
        for chunk in chunks:
            process.stdin.write(chunk)
        process.stdin.close()
    except BrokenPipeError:
        return False
    return True


_C_LIBRARY = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _exit_with_parent() -> None:
    """Run in the new process: if we're killed, it must not keep writing to a database that is being restored again."""
    if sys.platform == "linux":
        _C_LIBRARY.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@contextmanager
def _running(
    program: Path,
    options: list[str],
    dsn: str | None,
    stdin: int = subprocess.DEVNULL,
    stdout: int | IO[bytes] = subprocess.DEVNULL,
) -> Generator["subprocess.Popen[bytes]"]:
    """Run one of PostgreSQL's programs, which must succeed. It ends with us, and its errors are reported."""
    environment = {**os.environ, "LC_ALL": "C"}
    if dsn is not None:
        conninfo = conninfo_to_dict(dsn)
        if (password := conninfo.pop("password", None)) is not None:
            environment["PGPASSWORD"] = str(password)  # On the command line everyone could read it.
        options = [*options, f"--dbname={make_conninfo('', **conninfo)}"]
    with tempfile.TemporaryFile() as errors:
        command = [str(program), *options]
        process = subprocess.Popen(  # noqa: S603
            command, env=environment, stdin=stdin, stdout=stdout, stderr=errors, preexec_fn=_exit_with_parent
        )
        try:
            yield process
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()
            code = process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if code != 0:
            raise CommandError(f"{program.name} failed: {_read_error(errors)}")


def _read_error(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = [line for line in errors.read(100_000).decode(errors="replace").splitlines() if line.strip()]
    error_lines = [line for line in lines if "error:" in line.lower()] or lines[-1:] or ["no error message."]
    return re.split("error: +", error_lines[0], maxsplit=1, flags=re.IGNORECASE)[-1]


def _program(name: str, connection: Connection) -> Path:
    """Return the embedded program, unless it's too old for the server, or the connection needs TLS, which it
    doesn't support.
    """
    server = server_version(connection)
    encrypted = connection.pgconn.ssl_in_use
    installed = installed_programs()
    newest = max(installed, default=0)
    if newest >= server and not encrypted:
        return installed[newest] / name
    program_path = shutil.which(name)
    if program_path is not None and _major(program_path) >= server:
        return Path(program_path)
    unsupported = "TLS connections" if encrypted else f"PostgreSQL {server}"
    raise CommandError(
        f"The included {name} doesn't support {unsupported}. "
        f"Install the client programs of PostgreSQL {server} or newer, and add them to the PATH."
    )


def _major(program: str) -> int:
    version_output = subprocess.run([program, "--version"], capture_output=True, text=True)  # noqa: S603
    number = re.search(r"\d+", version_output.stdout)
    return int(number[0]) if number else 0


def _fetch_one(connection: Connection, query: Any, values: list[Any] | None = None) -> Any:
    row = connection.execute(query, values).fetchone()
    assert row is not None
    return row[0]
