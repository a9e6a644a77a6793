"""The media storage: a folder or a bucket behind one interface.

The library's calls run in threads: its own asynchronous calls can abort a process that exits soon after them.
"""

import asyncio
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from signoff.platform.errors import ServiceUnavailable
from signoff.platform.ids import new_id
from signoff.platform.logs import get_logger
from signoff.platform.messages import msg
from signoff.platform.settings import Settings

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

log = get_logger("storage")

PROBE = ".signoff-probe"
PART_BYTES, MAX_CONCURRENT_PARTS = 5 * 1024 * 1024, 2
"""A large object is uploaded in parts. Each part in progress is held in memory."""
MAX_CONCURRENT_CALLS = 16
"""Maximum concurrent storage calls per process: a slow storage must not take the threads that others need."""

CLIENT = {"connect_timeout": "5s", "timeout": "60s"}
CLIENT_OPTIONS = ("allow_http", "allow_invalid_certificates", "connect_timeout", "proxy_url", "timeout", "user_agent")
RETRIES: "RetryConfig" = {"max_retries": 3, "retry_timeout": timedelta(seconds=15)}
"""A caller is waiting for the response, so an unreachable bucket is reported soon."""

Result = TypeVar("Result")


class StorageUnavailable(ServiceUnavailable):
    code, title = "storage_unavailable", msg("File storage unavailable")


class ObjectNotFound(Exception):
    """No object has this key."""


def open_storage(settings: Settings) -> ObjectStore:
    if (folder := storage_folder(settings)) is not None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return LocalStore(str(folder))
    scheme = urlsplit(settings.storage).scheme
    return from_url(settings.storage, client_options=_client_options(scheme), retry_config=RETRIES)


def storage_folder(settings: Settings) -> Path | None:
    """Return the storage folder, or None for a bucket."""
    parts = urlsplit(settings.storage)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def _client_options(scheme: str) -> "ClientConfig":
    """Combine our options with those in the environment: once any option is given, the library ignores the
    environment.
    """
    prefix = {"s3": "AWS_", "gs": "GOOGLE_", "az": "AZURE_"}[scheme]
    given = {name: os.environ[prefix + name.upper()] for name in CLIENT_OPTIONS if prefix + name.upper() in os.environ}
    return cast("ClientConfig", {**CLIENT, **given})


def set_private_umask() -> None:
    """Make files that this process writes from now on, mainly in a storage folder, readable for its own user only."""
    os.umask(0o077)


class Storage:
    """Stores each object as one file, written atomically. Raises `StorageUnavailable` when the storage doesn't work.

    Only reads keys that were written before; there is no listing.
    """

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT_CALLS, thread_name_prefix="storage")

    async def put(self, key: str, file: Path, content_type: str) -> None:
        def put() -> None:
            local = isinstance(self._store, LocalStore)  # files have no attributes
            obstore.put(
                self._store,
                key,
                file,
                attributes=None if local else {"Content-Type": content_type},
                chunk_size=PART_BYTES,
                max_concurrency=MAX_CONCURRENT_PARTS,
            )

        await self._call(put)

    async def read(self, key: str, start: int, length: int) -> bytes:
        """Return a part of the object. Raises `ObjectNotFound`."""
        return await self._call(lambda: bytes(obstore.get_range(self._store, key, start=start, length=length)))

    async def remove(self, key: str) -> None:
        """Delete the object. Succeeds if it's already gone."""
        try:
            await self._call(lambda: obstore.delete(self._store, key))
        except ObjectNotFound:
            log.info("object already deleted", key=key)

    async def _call(self, call: Callable[[], Result]) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except FileNotFoundError as error:
            raise ObjectNotFound(str(error)) from error
        except (BaseError, OSError) as error:
            raise storage_unavailable(error) from error


def storage_unavailable(error: Exception) -> StorageUnavailable:
    """Build the error, and log the reason, which isn't shown to the caller."""
    # The first line has the reason. A URL in it may carry credentials in its query.
    reason = re.sub(r"\?\S+", "?…", (str(error) or repr(error)).splitlines()[0])
    log.error("storage error", error=reason)
    problem = StorageUnavailable(msg("We can't reach file storage right now. Try again in a few seconds."))
    problem.headers["Retry-After"] = "5"
    return problem


async def probe_storage(store: ObjectStore) -> None:
    """Write, read, and delete a small object: a bucket that can be listed may still not be writable."""
    await asyncio.to_thread(_write_probe, store)


def _write_probe(store: ObjectStore) -> None:
    name = f"{PROBE}-{new_id('try')}"  # a unique name: several processes may check at once
    obstore.put(store, name, b"ok")
    answer: Any = bytes(obstore.get(store, name).bytes())
    obstore.delete(store, name)
    if answer != b"ok":
        raise OSError("storage returned different data than was written")
