"""Verify that a backup is complete and unchanged: every part against its hash, without unpacking anything."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from pydantic import ValidationError

from signoff.backup.archive import ArchiveMember, BackupDamaged, ContentDigest, read_chunks, read_lines, read_parts
from signoff.backup.manifest import (
    DATABASE,
    INDEX,
    MANIFEST,
    MAX_LINE_BYTES,
    MAX_MANIFEST_BYTES,
    MEDIA_NAME,
    Hashed,
    Manifest,
    MediaFile,
    read_manifest,
)

Progress = Callable[[int], None]
"""Called with the number of bytes that were just processed."""


@dataclass(frozen=True, slots=True)
class Checked:
    manifest: Manifest
    database: ArchiveMember
    index: ArchiveMember


def check(file: BinaryIO, progress: Progress) -> Checked:
    """Read it once from start to end. Raises `BackupDamaged`, or `CommandError` if it's of a newer version."""
    parts = read_parts(file)
    database = next(parts, None)
    if database is None or database.name != DATABASE:
        raise BackupDamaged("This isn't a Signoff backup.")
    dump = _measure(file, database, progress)
    count, total, last = 0, 0, ""
    with tempfile.TemporaryFile() as seen:
        for part in parts:
            if part.name == INDEX:
                break
            # In ascending order, so no name occurs twice.
            if not MEDIA_NAME.fullmatch(part.name) or part.name <= last:
                raise BackupDamaged(f"The backup contains an unexpected file: {part.name!r}.")
            actual = _measure(file, part, progress)
            seen.write(_line(part.name, actual.size, actual.sha256))
            count, total, last = count + 1, total + actual.size, part.name
        else:
            raise BackupDamaged("The backup is incomplete: its list of files is missing.")
        index = _measure(file, part, progress)
        seen.seek(0)
        for each in iterate_files(file, part):
            if seen.readline() != _line(each.name, each.size, each.sha256):
                raise BackupDamaged(f"A file in the backup is damaged: {each.key}.")
        if seen.readline():
            raise BackupDamaged("The backup contains files that aren't in its list of files.")
    manifest = _manifest(file, parts)
    _compare(DATABASE, dump, manifest.database)
    _compare(INDEX, index, manifest.media)
    if (count, total) != (manifest.media.count, manifest.media.bytes):
        raise BackupDamaged("The number of files in the backup doesn't match its manifest.")
    return Checked(manifest, database, part)


def iterate_files(file: BinaryIO, index: ArchiveMember) -> Iterator[MediaFile]:
    for line in read_lines(file, index, MAX_LINE_BYTES):
        try:
            yield MediaFile.model_validate_json(line)
        except ValidationError:
            raise BackupDamaged("Can't read the backup's list of files.") from None


def _manifest(file: BinaryIO, parts: Iterator[ArchiveMember]) -> Manifest:
    part = next(parts, None)
    if part is None or part.name != MANIFEST or part.size > MAX_MANIFEST_BYTES:
        raise BackupDamaged("The backup is incomplete: its manifest is missing.")
    text = b"".join(read_chunks(file, part))
    if next(parts, None) is not None:
        raise BackupDamaged("The backup is damaged: unexpected data after its end.")
    return read_manifest(text)


def _measure(file: BinaryIO, part: ArchiveMember, progress: Progress) -> ContentDigest:
    measured = ContentDigest()
    for chunk in read_chunks(file, part):
        measured.add(chunk)
        progress(len(chunk))
    return measured


def _compare(name: str, actual: ContentDigest, expected: Hashed) -> None:
    if (actual.size, actual.sha256) != (expected.size, expected.sha256):
        raise BackupDamaged(f"A part of the backup is damaged: {name}.")


def _line(name: str, size: int, sha256: str) -> bytes:
    return f"{name} {size} {sha256}\n".encode()
