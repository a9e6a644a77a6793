"""Create a backup, whether or not the service is running."""

import errno
import fcntl
import json
import os
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import psycopg
from obstore.exceptions import BaseError as StorageError

from signoff import __version__
from signoff.backup import database
from signoff.backup.archive import ArchiveWriter, ContentDigest, PartSkipped
from signoff.backup.manifest import (
    DATABASE,
    FORMAT,
    INDEX,
    MANIFEST,
    MAX_MISSING,
    MEDIA,
    Files,
    Hashed,
    Manifest,
    MediaFile,
    Missing,
)
from signoff.backup.media_objects import Objects
from signoff.platform.clock import iso, now
from signoff.platform.data_directory import ensure_database_ready, open_database
from signoff.platform.errors import CommandError
from signoff.platform.settings import Settings

Steps = Callable[[str, int | None], Callable[[int], None]]
"""Receives the next step and, if known, its size; returns a function to call with each bit of progress."""

REMOVED = "it was removed while the backup was made"
LOST = "missing from the storage"
_ALREADY_EXISTS = "{} already exists. Nothing was changed."
_NO_HARD_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
CHANGED = "different content than expected; the backup contains what's in the storage"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A media file that the database names."""

    key: str
    sha256: str
    content_type: str


def write_backup(settings: Settings, target: Path, steps: Steps) -> Manifest:
    """Write a backup next to `target`, and rename it once it's complete. Raises `CommandError`."""
    if target.exists():
        raise CommandError(_ALREADY_EXISTS.format(target))
    if settings.database_url is None and not (settings.data_dir / "postgres").exists():
        raise CommandError(
            f"There's no database in data directory {settings.data_dir.absolute()}. "
            "Set SIGNOFF_DATA_DIR if your data is elsewhere."
        )
    try:
        with open_database(settings, "backup") as dsn:
            ensure_database_ready(dsn, migrated=True)
            with _open_partial(target) as file, database.connect(dsn) as connection:
                return _write(settings, dsn, connection, file, steps)
    except psycopg.Error as error:
        raise CommandError(f"Can't read the database: {str(error).partition(chr(10))[0]}") from error
    except StorageError as error:
        raise CommandError(f"Can't read the media storage: {str(error).partition(chr(10))[0]}") from error
    except OSError as error:
        raise CommandError(f"Can't write the backup: {error.strerror or error}.") from error


@contextmanager
def _open_partial(target: Path) -> Generator[BinaryIO]:
    """Open a file readable only for its owner, which becomes `target` at the end of the block and is deleted after
    an error.
    """
    path = target.with_name(f"{target.name}.partial")
    with _open_locked(path, target) as file:
        try:
            os.fchmod(file.fileno(), 0o600)
            file.truncate()  # A killed attempt may have left something.
            yield file
            file.flush()
            os.fsync(file.fileno())
            _rename_to_target(path, target)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    folder = os.open(target.absolute().parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _open_locked(path: Path, target: Path) -> BinaryIO:
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "w+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise CommandError(f"Another backup is being written to {target}.") from None
    if os.fstat(file.fileno()).st_nlink > 1:
        # An earlier attempt was killed while its file had both names. That backup is complete and must not be
        # overwritten.
        file.close()
        path.unlink(missing_ok=True)
        return _open_locked(path, target)
    return file


def _rename_to_target(path: Path, target: Path) -> None:
    """Rename it without ever replacing a file that appeared in the meantime, which a plain rename would."""
    try:
        os.link(path, target, follow_symlinks=False)
    except FileExistsError:
        raise CommandError(_ALREADY_EXISTS.format(target)) from None
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # Such a file system has no safe way; checking first leaves only a short race.
        if target.exists():
            raise CommandError(_ALREADY_EXISTS.format(target)) from None
        path.rename(target)
    else:
        path.unlink()


def _write(settings: Settings, dsn: str, connection: database.Connection, file: BinaryIO, steps: Steps) -> Manifest:
    archive = ArchiveWriter(file)
    with tempfile.TemporaryFile() as wanted_media:
        with database.snapshot(connection) as name:
            made_at = now()
            revision = database.read_revision(connection)
            tables = database.count_rows(connection)
            for account_id, media_id, sha256, content_type in database.media_rows(connection):
                wanted_media.write(
                    json.dumps([f"{account_id}/{media_id}", sha256.hex(), content_type]).encode() + b"\n"
                )
            dump = _add_database(archive, connection, dsn, name, steps)
        # The snapshot has ended: reading the files may take long, and the database should be able to vacuum in the
        # meantime.
        wanted_media.seek(0)
        media, missing = _add_media(archive, Objects(settings), connection, wanted_media, tables.get("media", 0), steps)
    manifest = Manifest(
        format=FORMAT,
        signoff=__version__,
        revision=revision,
        made_at=iso(made_at),
        postgresql=database.server_version(connection),
        database=dump,
        tables=tables,
        media=media,
        missing=missing[:MAX_MISSING],
        missing_count=len(missing),
        settings=sorted(f"SIGNOFF_{name.upper()}" for name in settings.model_fields_set),
    )
    with archive.part(MANIFEST) as part:
        part.write(manifest.model_dump_json(indent=2).encode())
    archive.finish()
    return manifest


def _add_database(
    archive: ArchiveWriter, connection: database.Connection, dsn: str, snapshot: str, steps: Steps
) -> Hashed:
    done = steps("database", None)
    with archive.part(DATABASE) as part:
        for chunk in database.dump(connection, dsn, snapshot):
            part.write(chunk)
            done(len(chunk))
    return _to_hashed(part.measured)


def _add_media(
    archive: ArchiveWriter,
    objects: Objects,
    connection: database.Connection,
    wanted_media: BinaryIO,
    expected: int,
    steps: Steps,
) -> tuple[Files, list[Missing]]:
    """Add the media, after the snapshot: it doesn't name files added later, and deleted ones may be missing."""
    done = steps("files", expected)
    missing = list[Missing]()
    count = total = 0
    with tempfile.TemporaryFile() as index:
        for line in wanted_media:
            file = NamedFile(*json.loads(line))
            content_digest = _add_file(archive, objects, file)
            if content_digest is None:
                missing.append(
                    Missing(name=file.key, why=LOST if database.has_media(connection, file.key) else REMOVED)
                )
            else:
                if content_digest.sha256 != file.sha256:
                    missing.append(Missing(name=file.key, why=CHANGED))
                count, total = count + 1, total + content_digest.size
                media_file = MediaFile(
                    name=MEDIA + file.key,
                    size=content_digest.size,
                    sha256=content_digest.sha256,
                    content_type=file.content_type,
                )
                index.write(media_file.model_dump_json().encode() + b"\n")
            done(1)
        index.seek(0)
        with archive.part(INDEX) as part:
            for line in index:
                part.write(line)
    return Files(count=count, bytes=total, **_to_hashed(part.measured).model_dump()), missing


def _add_file(archive: ArchiveWriter, objects: Objects, file: NamedFile) -> ContentDigest | None:
    with archive.part(MEDIA + file.key) as part:
        try:
            for chunk in objects.read(file.key):
                part.write(chunk)
        except FileNotFoundError:
            raise PartSkipped from None
        return part.measured
    return None


def _to_hashed(measured: ContentDigest) -> Hashed:
    return Hashed(size=measured.size, sha256=measured.sha256)
