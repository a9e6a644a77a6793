"""Sign every media URL in outgoing JSON, and remove the signatures from incoming JSON.

Only strings that are nothing but a URL are changed; a URL within a longer text stays as it is. If URLs aren't signed,
values aren't traversed at all.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, cast

from signoff.media.urls import parse_media_url, sign_url, strip_signature
from signoff.platform.clock import now
from signoff.platform.json_values import exceeds_depth
from signoff.platform.settings import Settings

_MAX_DEPTH: Final = 250
"""No review is nested more deeply; deeper values are refused elsewhere."""
_MAX_URL_LENGTH: Final = 2_048
"""None of our URLs is longer."""


def sign_media_urls(settings: Settings, account_id: str, value: Any, at: datetime | None = None) -> Any:
    """Return a copy of `value` with working media URLs, valid from `at` (default: now) for the setting's hours.

    URLs of other accounts aren't signed: an agent can put any text into its data.
    """
    if settings.media_addresses != "signed":
        return value
    timestamp = (at or now()).timestamp()

    def sign(text: str) -> str:
        place = parse_media_url(settings, text)
        return text if place is None or place.account_id != account_id else sign_url(settings, text, timestamp)

    return _change_strings(value, sign)


def strip_media_signatures(settings: Settings, value: Any) -> Any:
    """Return a copy of `value` without signatures, so that URLs that we sent out come back in their stored form."""
    if settings.media_addresses != "signed":
        return value
    return _change_strings(value, lambda text: strip_signature(settings, text))


def signing_time(settings: Settings, first: datetime, at: datetime) -> datetime:
    """Return the signing time to use for content that is sent repeatedly: first at `first`, now at `at`.

    It stays the same for half of the URLs' lifetime, so repeated content is identical byte for byte within that time,
    and URLs remain valid for at least the other half.
    """
    step = timedelta(hours=settings.media_address_hours) / 2
    return first + step * max(0, (at - first) // step)


def _change_strings(value: Any, change: Callable[[str], str]) -> Any:
    return value if exceeds_depth(value, _MAX_DEPTH) else _map_strings(value, change)


def _map_strings(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value) if len(value) <= _MAX_URL_LENGTH else value
    if isinstance(value, dict):
        return {name: _map_strings(held, change) for name, held in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_map_strings(item, change) for item in cast(list[Any], value)]
    return value
