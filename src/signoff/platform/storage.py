"""The media storage: a folder or a bucket, behind one interface."""

import asyncio
from pathlib import Path
from urllib.parse import unquote, urlsplit

import obstore
from obstore.store import LocalStore, ObjectStore, from_url

from signoff.platform.ids import new_id
from signoff.platform.settings import Settings

PROBE = ".signoff-probe"


def open_storage(settings: Settings) -> ObjectStore:
    url = settings.storage
    parts = urlsplit(url)
    if parts.scheme == "file":
        folder = Path(unquote(parts.path))
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return LocalStore(str(folder))
    return from_url(url)


async def reach(store: ObjectStore) -> None:
    """Write, read back and remove a small object: a bucket that can be listed may still not be writable.

    In a thread: the library's own asynchronous calls can abort a process that ends soon after them.
    """
    await asyncio.to_thread(_try_out, store)


def _try_out(store: ObjectStore) -> None:
    name = f"{PROBE}-{new_id('try')}"  # of its own: several may be trying at once
    obstore.put(store, name, b"ok")
    answer = bytes(obstore.get(store, name).bytes())
    obstore.delete(store, name)
    if answer != b"ok":
        raise OSError("the storage gave back something else than was written")
