"""The event as receivers get it, pushed or pulled: the same bytes each time."""

from datetime import datetime

import orjson

from signoff.media.signed_payloads import sign_media_urls, signing_time
from signoff.platform.clock import now
from signoff.platform.settings import Settings


def render_event(payload: str, delivery_id: str | None, tool_result: str | None) -> str:
    """The event as it was stored, JSON text, with what stands beside it. No delivery: there was no webhook for it."""
    added = f',"deliveryId":"{delivery_id}"' if delivery_id is not None else ',"deliveryId":null'
    if tool_result is not None:
        added += f',"toolResult":{tool_result}'
    return f"{payload.rstrip()[:-1]}{added}}}"


def sign_event_urls(settings: Settings, account_id: str, event: str) -> str:
    """The event's text with media addresses that can be opened. Without signing they are as they were stored.

    With it, they are signed as of the event's own time, so that every attempt is the same to the byte, and anew each
    time half of their life is over: what is delivered late can be opened too.
    """
    if settings.media_addresses != "signed":
        return event
    members = orjson.loads(event)
    at = signing_time(settings, datetime.fromisoformat(members["createdAt"]), now())
    return orjson.dumps(sign_media_urls(settings, account_id, members, at)).decode()
