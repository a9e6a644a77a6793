"""The event as receivers get it, pushed or pulled: the same bytes each time."""

from datetime import datetime

import orjson

from signoff.media.signed_payloads import sign_media_urls, signing_time
from signoff.platform.clock import now
from signoff.platform.settings import Settings


def render_event(payload: str, delivery_id: str | None, tool_result: str | None) -> str:
    """Return the stored event as JSON text with its additional members. No delivery means there was no webhook for
    it.
    """
    added = f',"deliveryId":"{delivery_id}"' if delivery_id is not None else ',"deliveryId":null'
    if tool_result is not None:
        added += f',"toolResult":{tool_result}'
    return f"{payload.rstrip()[:-1]}{added}}}"


def sign_event_urls(settings: Settings, account_id: str, event: str) -> str:
    """Return the event's text with working media URLs. Without signing, they're as stored.

    With signing, they're signed as of the event's own time, so that every attempt is identical byte for byte, and
    signed again each time half of their lifetime is over, so that late deliveries also have working URLs.
    """
    if settings.media_addresses != "signed":
        return event
    members = orjson.loads(event)
    at = signing_time(settings, datetime.fromisoformat(members["createdAt"]), now())
    return orjson.dumps(sign_media_urls(settings, account_id, members, at)).decode()
