"""Restoring a backup, into what is empty, and all of it.

Files come first, then the whole database in one transaction, and last, in another, the one row without which no
process starts on it. Whatever ends us in between, nothing counts yet, and the same restore can be begun again.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import psycopg
from obstore.exceptions import BaseError as StorageError

from signoff.backup import database
from signoff.backup.archive import BLOCK, ArchiveMember, BackupDamaged, read_pieces
from signoff.backup.manifest import Manifest, MediaFile, ensure_supported_format
from signoff.backup.media_objects import Objects
from signoff.backup.verification import Checked, check, iterate_files
from signoff.backup.writer import Steps
from signoff.platform.process import CommandError, open_database
from signoff.platform.settings import Settings
from signoff.platform.storage import set_private_umask


@dataclass(frozen=True, slots=True)
class Restored:
    manifest: Manifest
    rows: dict[str, int]
    """As they were counted in the database afterwards, by table."""
    files: int
    """So many were read back from the storage and had their hashes."""
    held: dict[str, int] | None


def check_backup(path: Path, steps: Steps) -> Manifest:
    with _opened(path) as file:
        return check(file, steps("check", path.stat().st_size)).manifest


def restore_backup(settings: Settings, path: Path, steps: Steps, *, hold: bool) -> Restored:
    """Raises `CommandError`; until the backup is known to be sound and the target to be empty, nothing is changed."""
    with _opened(path) as file:
        checked = check(file, steps("check", path.stat().st_size))
        ensure_supported_format(checked.manifest)
        set_private_umask()
        try:
            with open_database(settings, "restore") as dsn, database.connect(dsn) as connection:
                with database.connect_exclusively(connection):
                    database.ensure_empty(connection)
                    restored = _restore(settings, dsn, connection, file, checked, steps, hold=hold)
                _migrate(dsn)
                return restored
        except psycopg.Error as error:
            raise CommandError(f"The database refused: {str(error).partition(chr(10))[0]}") from error
        except StorageError as error:
            raise CommandError(f"The media storage refused: {str(error).partition(chr(10))[0]}") from error
        except OSError as error:
            raise CommandError(f"The backup could not be restored: {error.strerror or error}.") from error


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None


def _restore(
    settings: Settings,
    dsn: str,
    connection: database.Connection,
    file: BinaryIO,
    checked: Checked,
    steps: Steps,
    *,
    hold: bool,
) -> Restored:
    manifest = checked.manifest
    objects = Objects(settings)
    objects.begin(manifest.database.sha256)
    files = _put_files(objects, file, checked, steps)
    objects.clean_up()
    database.restore(connection, dsn, _Dump(file, checked.database, steps))
    with connection.transaction():
        connection.execute("insert into alembic_version (version_num) values (%s)", [manifest.revision])
        rows = database.count_rows(connection)
        if rows != manifest.tables:
            wrong = sorted(
                name for name in rows.keys() | manifest.tables if rows.get(name) != manifest.tables.get(name)
            )
            raise CommandError(f"The database has not as many rows as the backup says, in {', '.join(wrong)}.")
        held = _hold(connection) if hold else None
    objects.end()
    return Restored(manifest, rows, files, held)


def _hold(connection: database.Connection) -> dict[str, int]:
    from signoff.backup.delivery_hold import hold_deliveries  # It knows the jobs, and with them half of the service.

    return hold_deliveries(connection)


def _migrate(dsn: str) -> None:
    from signoff.platform.migrate import migrate

    asyncio.run(migrate(dsn))


def _put_files(objects: Objects, file: BinaryIO, checked: Checked, steps: Steps) -> int:
    """Each is put, read back and compared. The archive has them in the order of its list, one behind the other."""
    done = steps("files", checked.manifest.media.count)
    count = 0
    place = _Place(checked.database)
    for each in iterate_files(file, checked.index):
        part = place.next(each)
        objects.put(each.key, read_pieces(file, part), each.content_type)
        found = objects.measure(each.key)
        if (found.size, found.sha256) != (each.size, each.sha256):
            raise BackupDamaged(
                f"The storage gave something else back than was put: {each.key}. Or the backup was changed."
            )
        count += 1
        done(1)
    return count


class _Place:
    """Where the next part begins: behind the one before it, filled up to whole blocks, and after a header."""

    def __init__(self, first: ArchiveMember) -> None:
        self._last = first

    def next(self, file: MediaFile) -> ArchiveMember:
        behind = self._last.start + self._last.size
        self._last = ArchiveMember(file.name, file.size, behind + -behind % BLOCK + BLOCK)
        return self._last


class _Dump(database.Restorable):
    def __init__(self, file: BinaryIO, part: ArchiveMember, steps: Steps) -> None:
        self._file, self._part, self._steps = file, part, steps

    def __call__(self) -> Iterable[bytes]:
        done = self._steps("database", self._part.size)
        for piece in read_pieces(self._file, self._part):
            yield piece
            done(len(piece))
