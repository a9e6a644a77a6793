"""Migrate the database. Safe to call from several processes: only one migrates."""

from pathlib import Path
from typing import Any, cast

import asyncpg
import psycopg
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.engine import Connection
from sqlalchemy.pool import NullPool

MIN_POSTGRESQL_VERSION = 15
LOCK = 0x5160_0FF  # arbitrary, but the same in every process


class MigrationError(Exception):
    """The database can't be migrated. The message says what to do."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


async def migrate(dsn: str, revision: str = "head") -> None:
    """Migrate while holding a lock on a connection of its own, so a second caller waits and finds the work done.

    `revision` is the migration to stop at.
    """
    lock = cast(Any, await asyncpg.connect(dsn))
    try:
        version = lock.get_server_version().major
        if version < MIN_POSTGRESQL_VERSION:
            raise MigrationError(
                f"PostgreSQL {version} is too old. Signoff requires {MIN_POSTGRESQL_VERSION} or newer."
            )
        await lock.execute("select pg_advisory_lock($1)", LOCK)
        _upgrade(dsn, revision)
    finally:
        await lock.close()


def _upgrade(dsn: str, revision: str) -> None:
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool)
    with engine.connect() as connection:
        config = _config()
        _ensure_not_newer(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.commit()
    engine.dispose()


def known_revisions() -> set[str]:
    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def latest_revision() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


def _ensure_not_newer(connection: Connection) -> None:
    current = MigrationContext.configure(connection).get_current_revision()
    connection.rollback()
    if current is not None and current not in known_revisions():
        raise MigrationError(
            f"This database was created by a newer version of Signoff (schema {current}). "
            "Upgrade Signoff and try again."
        )
