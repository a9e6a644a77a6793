"""The media storage: a folder or a bucket, behind one interface."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import obstore
from obstore.store import LocalStore, ObjectStore, from_url

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
    """Write, read back and remove a small object: a bucket that can be listed may still not be writable."""
    await obstore.put_async(store, PROBE, b"ok")
    answer = await obstore.get_async(store, PROBE)
    if bytes(await answer.bytes_async()) != b"ok":
        raise OSError("the storage gave back something else than was written")
