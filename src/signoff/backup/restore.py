"""Restore a complete backup into an empty target.

Files come first, then the whole database in one transaction and finally, in another, the one row without which no
process starts on it. Whatever interrupts this, nothing is usable yet, and the same restore can be started again.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import psycopg
from obstore.exceptions import BaseError as StorageError

from signoff.backup import database
from signoff.backup.archive import BLOCK, ArchiveMember, BackupDamaged, read_chunks
from signoff.backup.manifest import Manifest, MediaFile, ensure_supported_format
from signoff.backup.media_objects import Objects
from signoff.backup.verification import Checked, check, iterate_files
from signoff.backup.writer import Steps
from signoff.platform.data_directory import open_database
from signoff.platform.errors import CommandError
from signoff.platform.settings import Settings
from signoff.platform.storage import set_private_umask


@dataclass(frozen=True, slots=True)
class Restored:
    manifest: Manifest
    rows: dict[str, int]
    """Rows counted in the database afterwards, by table."""
    files: int
    """The number of files that were read back from the storage with the right hash."""
    held: dict[str, int] | None


def check_backup(path: Path, steps: Steps) -> Manifest:
    with _open_backup(path) as file:
        return check(file, steps("check", path.stat().st_size)).manifest


def restore_backup(settings: Settings, path: Path, steps: Steps, *, hold: bool) -> Restored:
    """Restore a backup. Raises `CommandError`; until the backup is verified and the target is known to be empty,
    nothing changes.
    """
    with _open_backup(path) as file:
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
            raise CommandError(f"The database returned an error: {str(error).partition(chr(10))[0]}") from error
        except StorageError as error:
            raise CommandError(f"The media storage returned an error: {str(error).partition(chr(10))[0]}") from error
        except OSError as error:
            raise CommandError(f"Can't restore the backup: {error.strerror or error}.") from error


def _open_backup(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise CommandError(f"Can't read {path}: {error.strerror}.") from None


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
    files = _restore_files(objects, file, checked, steps)
    objects.clean_up()
    database.restore(connection, dsn, _Dump(file, checked.database, steps))
    with connection.transaction():
        connection.execute("insert into alembic_version (version_num) values (%s)", [manifest.revision])
        rows = database.count_rows(connection)
        if rows != manifest.tables:
            wrong = sorted(
                name for name in rows.keys() | manifest.tables if rows.get(name) != manifest.tables.get(name)
            )
            raise CommandError(f"These tables have a different number of rows than in the backup: {', '.join(wrong)}.")
        held_counts = _hold_deliveries(connection) if hold else None
    objects.end()
    return Restored(manifest, rows, files, held_counts)


def _hold_deliveries(connection: database.Connection) -> dict[str, int]:
    from signoff.backup.delivery_hold import hold_deliveries  # It imports the jobs, and with them half of the service.

    return hold_deliveries(connection)


def _migrate(dsn: str) -> None:
    from signoff.platform.migrate import migrate

    asyncio.run(migrate(dsn))


def _restore_files(objects: Objects, file: BinaryIO, checked: Checked, steps: Steps) -> int:
    """Write each file, read it back, and compare. The archive has them next to each other, in the order of its list."""
    done = steps("files", checked.manifest.media.count)
    count = 0
    place = _PartPosition(checked.database)
    for each in iterate_files(file, checked.index):
        part = place.next(each)
        objects.put(each.key, read_chunks(file, part), each.content_type)
        stored_size = objects.measure(each.key)
        if (stored_size.size, stored_size.sha256) != (each.size, each.sha256):
            raise BackupDamaged(
                f"{each.key} in the storage doesn't match the backup: the storage returned different content, or the "
                "backup file changed during the restore."
            )
        count += 1
        done(1)
    return count


class _PartPosition:
    """The position of the next part: after the previous one, padded to whole blocks, and after a header."""

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
        for chunk in read_chunks(self._file, self._part):
            yield chunk
            done(len(chunk))
