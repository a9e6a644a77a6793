"""The demo's images, drawn and stored like other media."""

import asyncio
from collections.abc import Callable

from signoff.demo.seed.content.images import PICTURES
from signoff.media.store import Media, MediaStore
from signoff.platform.db import Database
from signoff.platform.settings import Settings
from signoff.platform.storage import open_storage


async def store_images(
    db: Database, settings: Settings, account_id: str, progress: Callable[[float], None]
) -> dict[str, Media]:
    """Store the images, by name. Images of an earlier attempt that never finished are found and reused."""
    store = MediaStore(db, open_storage(settings), settings)
    stored: dict[str, Media] = {}
    try:
        for number, (name, draw) in enumerate(PICTURES.items(), 1):
            with store.temp_files.file() as file:
                file.write_bytes(await asyncio.to_thread(draw))
                stored[name] = await store.store(account_id, file)
            progress(number / len(PICTURES))
    finally:
        await store.close()
    return stored
