"""The file format: a tar of plain files, streamed in both directions.

Reading is strict. Only plain files with the names that we write are accepted: no links, devices, long names, or
folders, and nothing after the end. Names are never used as paths.
"""

import hashlib
import os
import tarfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from signoff.platform.errors import CommandError

BLOCK = tarfile.BLOCKSIZE
CHUNK_BYTES = 1024 * 1024
END = bytes(2 * BLOCK)


class BackupDamaged(CommandError):
    """The file isn't a complete, unchanged backup."""


class PartSkipped(Exception):
    """Raised while writing a part, to leave it out."""


@dataclass(slots=True)
class ContentDigest:
    """Measures what passes through: its size and its hash."""

    size: int = 0
    _hash: Any = field(default_factory=hashlib.sha256)

    def add(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self._hash.update(chunk)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


class ArchiveWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._made_at = int(time.time())

    @contextmanager
    def part(self, name: str) -> Generator["PartWriter"]:
        """Write a part of any size. Raising `PartSkipped` inside removes all of it."""
        start = self._file.tell()
        self._file.write(bytes(BLOCK))  # The header contains the size, so it's written once that is known.
        writer = PartWriter(self._file)
        try:
            yield writer
        except PartSkipped:
            self._file.seek(start)
            self._file.truncate()
            return
        self._file.write(bytes(-writer.measured.size % BLOCK))
        end = self._file.tell()
        self._file.seek(start)
        self._file.write(self._header(name, writer.measured.size))
        self._file.seek(end)

    def finish(self) -> None:
        self._file.write(END)

    def _header(self, name: str, size: int) -> bytes:
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, 0o600, self._made_at
        header = info.tobuf(tarfile.GNU_FORMAT)
        assert len(header) == BLOCK
        return header


class PartWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.measured = ContentDigest()

    def write(self, chunk: bytes) -> None:
        self._file.write(chunk)
        self.measured.add(chunk)


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    name: str
    size: int
    start: int


def read_parts(file: BinaryIO) -> Iterator[ArchiveMember]:
    """Yield the parts one after the other. The consumer may move the file's position. Raises `BackupDamaged`."""
    length = os.fstat(file.fileno()).st_size
    start = 0
    while True:
        file.seek(start)
        header = file.read(BLOCK)
        if header == bytes(BLOCK):
            if file.read(BLOCK + 1) != END[BLOCK:]:
                raise BackupDamaged("The backup is damaged: unexpected data after its end.")
            return
        part = _read_header(header, start + BLOCK)
        end = part.start + part.size
        start = end + -end % BLOCK
        if start > length:
            raise BackupDamaged("The backup is incomplete.")
        yield part
        file.seek(end)
        if any(file.read(start - end)):
            raise BackupDamaged(f"The backup is damaged: unexpected data after {part.name}.")


def _read_header(header: bytes, start: int) -> ArchiveMember:
    if len(header) < BLOCK:
        raise BackupDamaged("The backup is incomplete.")
    try:
        info = tarfile.TarInfo.frombuf(header, "ascii", "strict")
    except (tarfile.HeaderError, UnicodeDecodeError) as error:
        raise BackupDamaged(f"This isn't a Signoff backup, or it's damaged: {error}.") from None
    if info.type != tarfile.REGTYPE or info.linkname or info.size < 0:
        raise BackupDamaged(f"The backup contains an entry that isn't a regular file: {info.name!r}.")
    return ArchiveMember(info.name, info.size, start)


def read_chunks(file: BinaryIO, part: ArchiveMember) -> Iterator[bytes]:
    """Yield the part's content. The file's position may change in between."""
    at, end = part.start, part.start + part.size
    while at < end:
        file.seek(at)
        chunk = file.read(min(CHUNK_BYTES, end - at))
        if not chunk:
            raise BackupDamaged("The backup is incomplete.")
        at += len(chunk)
        yield chunk


def read_lines(file: BinaryIO, part: ArchiveMember, longest: int) -> Iterator[bytes]:
    """Yield the part's lines without line endings. Raises `BackupDamaged` for one that is longer than any of ours."""
    rest = b""
    for chunk in read_chunks(file, part):
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > longest or any(len(line) > longest for line in lines):
            raise BackupDamaged("The backup is damaged: its list of files has a line that's too long.")
        yield from lines
    if rest:
        raise BackupDamaged("The backup is damaged: its list of files is incomplete.")
