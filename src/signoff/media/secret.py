"""The secret that signs media URLs: the configured one, or one that the first process creates for all."""

import secrets

from signoff.platform.db import Database
from signoff.platform.settings import Settings

_NAME = "media_addresses"


async def load_media_secret(db: Database, settings: Settings) -> Settings:
    """Return the settings, with the secret if it's needed."""
    if settings.media_addresses == "open" or settings.media_secret is not None:
        return settings
    await db.execute(
        "insert into installation_secrets (name, secret) values ($1, $2) on conflict do nothing",
        _NAME,
        secrets.token_urlsafe(32),
    )
    secret = await db.fetchval("select secret from installation_secrets where name = $1", _NAME)
    return settings.model_copy(update={"media_secret": secret})
