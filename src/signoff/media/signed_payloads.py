"""Every media address in a JSON value, signed when it goes out, plain when it comes in.

Only whole texts are looked at; an address in the middle of a text stays as it is. With open addresses nothing is
walked at all.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, cast

from signoff.media.urls import parse_media_url, sign_url, strip_signature
from signoff.platform.clock import now
from signoff.platform.json_values import exceeds_depth
from signoff.platform.settings import Settings

_MAX_DEPTH: Final = 250
"""No review nests deeper; what does is refused elsewhere."""
_MAX_URL_LENGTH: Final = 2_048
"""No address of ours is longer."""


def sign_media_urls(settings: Settings, account_id: str, value: Any, at: datetime | None = None) -> Any:
    """A copy of `value` with addresses that can be opened, from `at` (default: now) for the setting's hours.

    Those of other accounts stay closed: an agent can put any text into its data.
    """
    if settings.media_addresses != "signed":
        return value
    moment = (at or now()).timestamp()

    def sign(text: str) -> str:
        place = parse_media_url(settings, text)
        return text if place is None or place.account_id != account_id else sign_url(settings, text, moment)

    return _changed(value, sign)


def strip_media_signatures(settings: Settings, value: Any) -> Any:
    """A copy of `value` with plain addresses: what we handed out comes back as it is stored."""
    if settings.media_addresses != "signed":
        return value
    return _changed(value, lambda text: strip_signature(settings, text))


def signing_time(settings: Settings, first: datetime, at: datetime) -> datetime:
    """When to say that something was signed which goes out again and again, at first at `first`, now at `at`.

    It is the same for half of the time that addresses work, so that what goes out again within it is the same to the
    byte, and what goes out later still can be opened for the other half.
    """
    step = timedelta(hours=settings.media_address_hours) / 2
    return first + step * max(0, (at - first) // step)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    return value if exceeds_depth(value, _MAX_DEPTH) else _walk(value, change)


def _walk(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value) if len(value) <= _MAX_URL_LENGTH else value
    if isinstance(value, dict):
        return {name: _walk(held, change) for name, held in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_walk(held, change) for held in cast(list[Any], value)]
    return value
