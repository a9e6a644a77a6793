"""Media URLs: `{cdn_url}/<account>/<media>`, with an expiry and a signature if the settings require them.

The plain URL is stored; it's signed when it's sent out. The secret for it is the configured one, or one that the first
process creates for all.
"""

import hmac
import re
import secrets
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from signoff.platform.db import Database
from signoff.platform.settings import Settings

MEDIA_PATH = "/media"
HOUR = 3600
_STORED_AS = "media_addresses"
"""The name of the stored secret."""
_MEDIA_PATH = re.compile(r"/([A-Za-z0-9_]{1,64})/([A-Za-z0-9_]{1,64})")


class HasMediaId(Protocol):
    @property
    def media_id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class MediaRef:
    """The account and the media that a URL leads to."""

    account_id: str
    media_id: str

    @property
    def key(self) -> str:
        """Return the object's key in the storage."""
        return f"{self.account_id}/{self.media_id}"


def media_url(settings: Settings, account_id: str, media: HasMediaId | str) -> str:
    """Return the URL to send out. `media` is the media or its ID."""
    return sign_url(settings, stored_media_url(settings, account_id, media))


def stored_media_url(settings: Settings, account_id: str, media: HasMediaId | str) -> str:
    """Return the URL to store."""
    media_id = media if isinstance(media, str) else media.media_id
    return f"{settings.cdn}/{account_id}/{media_id}"


def parse_media_url(settings: Settings, address: str) -> MediaRef | None:
    """Return what the URL leads to if it's one of ours; doesn't check whether it exists."""
    plain = strip_signature(settings, address)
    for root in _roots(settings):
        if plain.startswith(root) and (match := _MEDIA_PATH.fullmatch(plain, len(root))):
            return MediaRef(match[1], match[2])
    return None


def strip_signature(settings: Settings, address: str) -> str:
    """Remove the signature from one of our URLs; other URLs stay as they are."""
    bare = address.partition("#")[0].partition("?")[0]
    for root in _roots(settings):
        if bare.startswith(root) and _MEDIA_PATH.fullmatch(bare, len(root)):
            return bare
    return address


def sign_url(settings: Settings, address: str, at: float | None = None) -> str:
    """Sign a URL, valid from `at` (default: now) for the setting's hours.

    URLs that aren't ours stay unchanged, as do all with the setting off.

    The expiry is rounded up to a full hour, so that the same URL is used for a while and browsers can cache its
    content.
    """
    if settings.media_addresses != "signed" or (place := parse_media_url(settings, address)) is None:
        return address
    expires = (int(time.time() if at is None else at) // HOUR + 1 + settings.media_address_hours) * HOUR
    return f"{strip_signature(settings, address)}?expires={expires}&signature={_signature(settings, place, expires)}"


def remaining_seconds(settings: Settings, place: MediaRef, query: str) -> int | None:
    """Return how long the URL with this query string is still valid; None if it isn't (anymore)."""
    given = dict(parse_qsl(query))
    expires, signature = given.get("expires", ""), given.get("signature", "")
    if not re.fullmatch(r"[0-9]{1,12}", expires):
        return None
    good = hmac.compare_digest(_signature(settings, place, int(expires)).encode(), signature.encode())
    left = int(expires) - int(time.time())
    return left if good and left > 0 else None


def _signature(settings: Settings, place: MediaRef, expires: int) -> str:
    assert settings.media_secret is not None, "the secret is read at the start"
    return hmac.new(settings.media_secret.encode(), f"{place.key}\n{expires}".encode(), sha256).hexdigest()


def _roots(settings: Settings) -> tuple[str, ...]:
    """Return the prefixes of our URLs: without a host, with the service's own, and with the configured one."""
    own = f"{urlsplit(settings.url).path}{MEDIA_PATH}"
    return tuple(dict.fromkeys((settings.cdn, f"{settings.url}{MEDIA_PATH}", own, MEDIA_PATH)))


async def load_media_secret(db: Database, settings: Settings) -> Settings:
    """Return the settings, with the secret if it's needed."""
    if settings.media_addresses == "open" or settings.media_secret is not None:
        return settings
    await db.execute(
        "insert into installation_secrets (name, secret) values ($1, $2) on conflict do nothing",
        _STORED_AS,
        secrets.token_urlsafe(32),
    )
    secret = await db.fetchval("select secret from installation_secrets where name = $1", _STORED_AS)
    return settings.model_copy(update={"media_secret": secret})
