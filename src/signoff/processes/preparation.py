"""Prepare the database: migrate it, create a workspace in it, and plan the demo.

`signoff serve` does this in a process of its own, because it would keep the 40 MB that migrations need.
"""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass

import psycopg

from signoff.platform.db import DATABASE_ERRORS
from signoff.platform.errors import CommandError
from signoff.platform.logs import configure_logs
from signoff.platform.parent_process import SUPERVISOR_PID_ENV, exit_with_supervisor
from signoff.platform.settings import Settings, load_settings

DSN = "SIGNOFF_PREPARED_DATABASE"
"""Environment variable with the database to prepare. `SIGNOFF_DATABASE_URL` would mean that it's an external one."""


@dataclass(frozen=True, slots=True)
class Preparation:
    has_demo: bool
    """Whether the workspace is a demo, whose program should run."""
    sign_in_link: str | None
    """For the first owner, if nobody has ever signed in."""


def prepare(dsn: str) -> Preparation:
    """Raises `CommandError`."""
    # In a new session, Ctrl-C doesn't reach it: a migration is finished first.
    done = subprocess.run(
        [sys.executable, "-P", "-m", "signoff.processes.preparation"],
        env={**os.environ, DSN: dsn, SUPERVISOR_PID_ENV: str(os.getpid())},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
        check=False,
    )
    if done.returncode:
        raise CommandError("Can't prepare the database. See the log above.")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise CommandError(answer["error"])
    return Preparation(**answer)


def main() -> None:
    exit_with_supervisor()
    settings = load_settings()
    configure_logs(settings)
    print(json.dumps(_answer(settings, os.environ[DSN])))  # noqa: T201


def _answer(settings: Settings, dsn: str) -> dict[str, object]:
    from sqlalchemy.exc import SQLAlchemyError

    from signoff.backup.unfinished import ensure_no_unfinished_restore
    from signoff.platform.migrate import MigrationError

    try:
        ensure_no_unfinished_restore(settings, dsn)
        return asdict(asyncio.run(_prepare(settings, dsn)))
    except (CommandError, MigrationError) as error:
        return {"error": str(error)}
    except (*DATABASE_ERRORS, psycopg.Error, SQLAlchemyError) as error:
        return {"error": f"Can't prepare the database: {str(error).partition(chr(10))[0]}"}


async def _prepare(settings: Settings, dsn: str) -> Preparation:
    from signoff.accounts.setup import create_first_run_link, ensure_workspace, find_unclaimed_owner
    from signoff.demo.availability import plan_demo
    from signoff.platform.db import Database
    from signoff.platform.migrate import migrate

    await migrate(dsn)
    db = await Database.connect(dsn, size=2, application="signoff serve")
    try:
        await ensure_workspace(db)
        has_demo = await plan_demo(settings, db)
        owner = await find_unclaimed_owner(db)
        return Preparation(has_demo, await create_first_run_link(db, settings, owner) if owner else None)
    finally:
        await db.close()


if __name__ == "__main__":
    main()
