"""Detects an interrupted restore: nothing may be started on what it left behind."""

import psycopg
from obstore.exceptions import BaseError as StorageError

from signoff.backup.database import UNFINISHED
from signoff.backup.media_objects import find_marker
from signoff.platform.errors import CommandError
from signoff.platform.logs import get_logger
from signoff.platform.settings import Settings

log = get_logger("restore")


def ensure_no_unfinished_restore(settings: Settings, dsn: str) -> None:
    """Raise `CommandError` if a new workspace would be created on top of an incomplete restore."""
    with psycopg.connect(dsn, connect_timeout=10) as connection:
        tables = connection.execute("select to_regclass('accounts'), to_regclass('alembic_version')").fetchone()
        accounts, versions = tables or (None, None)
        if versions is not None and connection.execute("select from alembic_version").fetchone() is not None:
            return  # The row that a restore writes last.
    if accounts is not None:
        raise CommandError(UNFINISHED)
    try:
        mark = find_marker(settings)
    except StorageError as error:
        log.warning("unfinished restores not checked: storage unreachable", error=str(error))
        return
    if mark:
        raise CommandError(
            f"A restore into the media storage {settings.storage} was interrupted. Run `signoff restore` with the same "
            "backup to finish it, or empty the database and the storage to start with a new workspace."
        )
