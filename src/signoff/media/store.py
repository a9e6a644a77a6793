"""Store media: inspect it, transform it, and store each content once per account."""

import asyncio
import hashlib
import os
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from obstore.store import ObjectStore

from signoff.forms.fields.transform import Transform
from signoff.media.content_types import IMAGES_AND_VIDEOS, MediaKind, media_kind
from signoff.media.decoder.client import Decoder, Picture
from signoff.media.errors import MediaRejected
from signoff.media.file_signatures import detect_content_type
from signoff.media.references import DELETE_MEDIA_JOB
from signoff.media.temp_files import TempFiles
from signoff.media.urls import MediaRef
from signoff.platform.db import Database
from signoff.platform.jobs.queue import enqueue
from signoff.platform.messages import ByteSize, msg
from signoff.platform.settings import Settings
from signoff.platform.sql import PgType, Rows, Sql
from signoff.platform.storage import Storage, storage_unavailable

MAX_CONCURRENT_FILES = 3
"""Files that are read or written at once."""
MAX_CONCURRENT_STORES = 4

MEDIA_COLUMNS = "media_id, sha256, content_type, size, width, height"


@dataclass(frozen=True, slots=True)
class _NewFile:
    media_id: str
    sha256: bytes
    content_type: str
    size: int
    width: Annotated[int | None, PgType("integer")]
    height: Annotated[int | None, PgType("integer")]


_RECORD_STORED = Sql(
    """
    with arrived as (
        delete from media_arriving where account_id = :account_id and media_id = any(:media_ids) returning media_id
    ), kept as (
        insert into media (account_id, {columns})
        select :account_id, {columns} from {files} as new join arrived using (media_id)
        order by sha256
        on conflict (account_id, sha256) do nothing
        returning {columns}
    ), beaten as (
        {enqueue}
    )
    select k.* from arrived left join kept k using (media_id)
    """,
    columns=MEDIA_COLUMNS,
    files=Rows("files", _NewFile),
    enqueue=enqueue(
        DELETE_MEDIA_JOB,
        """
        select :account_id || '/' || media_id, now() from arrived
        where media_id not in (select media_id from kept)
        """,
    ),
)
_MINE = "account_id = :account_id and sha256 = any(:hashes)"
_LOCK = Sql("select from media where {mine} order by media_id for no key update", mine=_MINE)
_TOUCH = Sql(
    "update media set kept_at = clock_timestamp() where {mine} returning {columns}", mine=_MINE, columns=MEDIA_COLUMNS
)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Media:
    media_id: str
    content_type: str
    size: int
    width: int | None
    height: int | None


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A validated file, as it will be stored."""

    file: Path
    content_type: str
    size: int
    width: int | None
    height: int | None
    sha256: bytes


class MediaStore:
    """The media store, one per process."""

    def __init__(self, db: Database, store: ObjectStore, settings: Settings) -> None:
        self.storage = Storage(store)
        self.temp_files = TempFiles(settings)
        self._db = db
        self._settings = settings
        self._decoder = Decoder(settings)
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT_FILES, thread_name_prefix="media")
        self._storing = asyncio.Semaphore(MAX_CONCURRENT_STORES)

    async def store(
        self,
        account_id: str,
        file: Path,
        transform: Transform | None = None,
        *,
        kinds: frozenset[MediaKind] = IMAGES_AND_VIDEOS,
    ) -> Media:
        """Inspect, transform, and store a file. The same content of one account is stored once.

        Raises `MediaRejected`. Doesn't delete `file`.
        """
        async with self.prepared(file, transform, kinds=kinds) as ready:
            return (await self.store_prepared(account_id, [ready]))[0]

    @asynccontextmanager
    async def prepared(
        self, file: Path, transform: Transform | None = None, *, kinds: frozenset[MediaKind] = IMAGES_AND_VIDEOS
    ) -> AsyncGenerator[PreparedFile]:
        """Inspect and transform a file for as long as the block runs; nothing is stored. Raises `MediaRejected`."""
        content_type = await self.work(lambda: detect_content_type(file))
        kind = media_kind(content_type)
        if kind not in kinds:
            expected = msg("an image") if kind is MediaKind.VIDEO else msg("a video")
            message = msg("is {type}; expected {expected}", type=content_type, expected=expected)
            raise MediaRejected("wrong_kind", message)
        # Without a width or height there's nothing to change.
        resizing = transform if transform is not None and (transform.width or transform.height) else None
        if kind is MediaKind.VIDEO:
            if resizing is not None:
                raise MediaRejected("wrong_kind", msg("is a video; only images can be resized"))
            await self._decoder.check_video(file, content_type)
            yield await self.work(lambda: _measure(file, content_type))
            return
        picture = await self._inspect(file, content_type)
        if resizing is None:
            size = picture.header.width, picture.header.height
            yield await self.work(lambda: _measure(file, content_type, *size))
            return
        with self.temp_files.file() as target:
            yield await self._resize(picture, resizing, target)

    async def store_prepared(self, account_id: str, files: Sequence[PreparedFile]) -> list[Media]:
        """Store all files that aren't stored yet, or none, and return the media of each."""
        existing = await self._touch(account_id, [file.sha256 for file in files])
        while new := list({file.sha256: file for file in files if file.sha256 not in existing}.values()):
            existing |= await self._store(account_id, new)
            if beaten := [file.sha256 for file in new if file.sha256 not in existing]:
                existing |= await self._touch(
                    account_id, beaten
                )  # unless it was removed right away: then try once more
        return [existing[file.sha256] for file in files]

    async def remove(self, key: str) -> None:
        """The job `media.remove`. `key` is `<account>/<media>`."""
        await self.storage.remove(key)

    async def work(self, call: Callable[[], Result]) -> Result:
        """Run in one of the few threads for files. Disk errors are raised as storage errors."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except OSError as error:
            raise storage_unavailable(error) from error

    async def close(self) -> None:
        await self._decoder.close()
        self.temp_files.close()

    async def _inspect(self, file: Path, content_type: str) -> Picture:
        size = await self.work(lambda: file.stat().st_size)
        if size > (most := self._settings.max_file_bytes):
            raise MediaRejected("too_large", msg("must be at most {limit}", limit=ByteSize(most)))
        return await self._decoder.inspect_image(file, content_type)

    async def _resize(self, picture: Picture, transform: Transform, target: Path) -> PreparedFile:
        image = await self._decoder.resize_image(picture, transform, target)
        return await self.work(lambda: _measure(target, image.content_type, image.width, image.height))

    async def _touch(self, account_id: str, hashes: list[bytes]) -> dict[bytes, Media]:
        """Return the contents that are already stored. They count as uploaded just now, so that they aren't removed
        as unused.
        """
        async with self._db.transaction() as tx:
            # Two statements, because the lock may have to wait for a transaction that touches the same rows. An update
            # in the same statement would still use the rows as they were before, and could deadlock with transactions
            # that wait for us.
            await _LOCK.execute(tx, account_id=account_id, hashes=hashes)
            rows = await _TOUCH.fetch(tx, account_id=account_id, hashes=hashes)
        return {row["sha256"]: _to_media(row) for row in rows}

    async def _store(self, account_id: str, new: Sequence[PreparedFile]) -> dict[bytes, Media]:
        """Announce, store, then record the objects, so that they can be found again if the process dies in between.

        What someone else stored in the meantime is skipped, and its row isn't touched here: rows are locked in the
        order of their IDs, but these come in the order of their contents.
        """
        media_ids = [new_media_id() for _ in new]
        await self._db.execute(
            "insert into media_arriving (account_id, media_id) select $1, unnest($2::text[])", account_id, media_ids
        )
        puts = [
            asyncio.create_task(self._put(MediaRef(account_id, media_id).key, file))
            for media_id, file in zip(media_ids, new, strict=True)
        ]
        try:
            await asyncio.gather(*puts)
        finally:
            for put in puts:
                put.cancel()
            await asyncio.wait(puts)  # their files may be deleted once we return
        stored = [
            _NewFile(media_id, file.sha256, file.content_type, file.size, file.width, file.height)
            for media_id, file in zip(media_ids, new, strict=True)
        ]
        rows = await _RECORD_STORED.fetch(self._db, account_id=account_id, media_ids=media_ids, files=stored)
        if len(rows) < len(new):
            raise storage_unavailable(TimeoutError("upload took too long: objects removed"))
        return {row["sha256"]: _to_media(row) for row in rows if row["sha256"] is not None}

    async def _put(self, key: str, file: PreparedFile) -> None:
        async with self._storing:
            await self.storage.put(key, file.file, file.content_type)


def new_media_id() -> str:
    """Create an ID with 128 random bits, because anyone who knows a media URL can open it."""
    return f"med_{time.time_ns() // 1_000_000:012x}{os.urandom(16).hex()}"


def _measure(file: Path, content_type: str, width: int | None = None, height: int | None = None) -> PreparedFile:
    with file.open("rb") as content:
        sha256 = hashlib.file_digest(content, "sha256").digest()
        return PreparedFile(file, content_type, content.tell(), width, height, sha256)


def _to_media(row: Any) -> Media:
    return Media(row["media_id"], row["content_type"], row["size"], row["width"], row["height"])
