"""The storage's part: its objects as streams, and whether there are any."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import obstore
from obstore.store import ObjectStore

from signoff.backup.archive import CHUNK_BYTES, ContentDigest
from signoff.platform.errors import CommandError
from signoff.platform.settings import Settings
from signoff.platform.storage import MAX_CONCURRENT_PARTS, PART_BYTES, PROBE, open_storage, storage_folder

MARKER = ".signoff-restore"
"""An object that exists while a restore is in progress, and says of which backup."""


def find_marker(settings: Settings) -> bool:
    """Whether a restore into this storage has started and not finished. Creates nothing."""
    folder = storage_folder(settings)
    return (folder / MARKER).exists() if folder is not None else _read_marker(open_storage(settings)) is not None


def _read_marker(store: ObjectStore) -> bytes | None:
    try:
        return bytes(obstore.get(store, MARKER).bytes())
    except FileNotFoundError:
        return None


class Objects:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: ObjectStore = open_storage(settings)
        self._folder = storage_folder(settings)
        self._begun_before = False

    def read(self, key: str) -> Iterator[bytes]:
        """Read an object. Raises `FileNotFoundError`."""
        for chunk in obstore.get(self._store, key).stream(min_chunk_size=CHUNK_BYTES):
            yield bytes(chunk)

    def put(self, key: str, chunks: Iterable[bytes], content_type: str) -> None:
        attributes: Any = None if self._folder is not None else {"Content-Type": content_type}
        obstore.put(
            self._store,
            key,
            iter(chunks),
            attributes=attributes,
            chunk_size=PART_BYTES,
            max_concurrency=MAX_CONCURRENT_PARTS,
        )

    def measure(self, key: str) -> ContentDigest:
        measured = ContentDigest()
        for chunk in self.read(key):
            measured.add(chunk)
        return measured

    def begin(self, backup: str) -> None:
        """Mark that this backup is being restored here. If it already was and didn't finish, continue.

        Nothing is ever removed: an object that is written again has the same content under the same name.
        """
        mark = _read_marker(self._store)
        if mark is None and self._has_any():
            raise CommandError(
                f"The media storage {self._settings.storage} isn't empty. "
                "You can only restore into empty storage. Nothing was changed."
            )
        if mark not in (None, backup.encode()):
            raise CommandError(
                f"An earlier restore of another backup into the media storage {self._settings.storage} didn't finish. "
                "Empty the storage and try again. Nothing was changed."
            )
        self._begun_before = mark is not None
        obstore.put(self._store, MARKER, backup.encode())

    def clean_up(self) -> None:
        """Clean up after everything is written, and before the restore is committed."""
        if self._folder is not None:
            self._clean_up(self._folder)

    def end(self) -> None:
        obstore.delete(self._store, MARKER)

    def _has_any(self) -> bool:
        chunks: Any = obstore.list(self._store)
        return any(not each["path"].startswith(PROBE) for chunk in chunks for each in chunk)

    def _clean_up(self, folder: Path) -> None:
        """Remove half-written files of killed attempts; the folder's owner gets the files that root created."""
        if self._begun_before:
            for path in folder.rglob("*#*"):
                path.unlink()
        owner = folder.stat()
        # It existed for root, or we have created it: the parent directory shows who owns the data.
        if owner.st_uid == 0:
            owner = folder.parent.stat()
        if os.geteuid() != 0 or owner.st_uid == 0:
            return
        os.chown(folder, owner.st_uid, owner.st_gid, follow_symlinks=False)
        for _, folders, files, descriptor in os.fwalk(folder):
            for name in folders + files:
                os.chown(name, owner.st_uid, owner.st_gid, dir_fd=descriptor, follow_symlinks=False)
