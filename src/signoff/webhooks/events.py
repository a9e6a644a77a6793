"""Write events with their deliveries, and render them as receivers get them. Workers make all HTTP calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import orjson

from signoff.media.copies import RELEASE
from signoff.media.signed_payloads import sign_media_urls, signing_time
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue
from signoff.platform.outbox.messages import queue_messages_sql
from signoff.platform.pubsub import publish
from signoff.platform.settings import Settings
from signoff.platform.sql import Json, PgType, Rows, Sql
from signoff.webhooks.schemas import Target

WEBHOOK_CHANNEL: Final = "webhook"


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    event: str
    account_id: str
    agent_id: str
    session_id: str
    members: dict[str, Any]
    """The members of this type of event, in addition to the common ones."""
    review_id: str | None = None
    form_id: str | None = None
    form_name: str | None = None
    line_number: int | None = None
    """The position of its deliveries in their session's order; None if they can be sent in any order."""

    def payload(self, event_id: str, at: datetime) -> dict[str, Any]:
        """Return the event as it's stored and sent."""
        return {
            "event": self.event,
            "eventId": event_id,
            "accountId": self.account_id,
            "agentId": self.agent_id,
            "sessionId": self.session_id,
            "createdAt": iso(at),
            **self.members,
        }


@dataclass(frozen=True, slots=True)
class Destination:
    target: Target
    url_source: Literal["request", "form", "agent", "account"]
    url: str
    delivery_id: str = field(default_factory=lambda: new_id("whd"))


@dataclass(frozen=True, slots=True)
class EventRow:
    account_id: str
    event_id: str
    event: str
    agent_id: str
    session_id: str
    review_id: str | None
    payload: Json
    agent_delivery_id: str | None
    tool_delivery_id: str | None
    media_until: datetime | None
    form_id: str | None
    form_name: str | None
    line_number: Annotated[int | None, PgType("integer")]
    max_attempts: Annotated[int, PgType("integer")]


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    event_id: str
    delivery_id: str
    target: str
    url_source: str
    url: str
    host: str
    waits_for: str | None
    """The delivery to the tool whose response it takes along."""


EVENTS: Final = Rows("events", EventRow)
DELIVERIES: Final = Rows("deliveries", DeliveryRow)

# Parts of a statement that has a CTE `emitted`: those rows of EVENTS that are to be written.
EMIT: Final = Sql(
    """
    event as (
        insert into events
            (account_id, event_id, event, agent_id, session_id, review_id, payload, delivery_id, waits_for, media_until)
        select account_id, event_id, event, agent_id, session_id, review_id, payload, agent_delivery_id,
            tool_delivery_id, media_until
        from emitted
    ), sent as (
        select * from emitted join {deliveries} as d using (event_id)
    ), delivery as (
        insert into deliveries
            (account_id, event_id, event, agent_id, session_id, review_id, form_id, form_name, line_number,
             delivery_id, target, url_source, url, waits_for)
        select account_id, event_id, event, agent_id, session_id, review_id, form_id, form_name, line_number,
            delivery_id, target, url_source, url, waits_for
        from sent
    ), message as (
        {queue}
    ), release as (
        {release}
    )
    """,
    deliveries=DELIVERIES,
    queue=queue_messages_sql(
        Sql(
            """
            select delivery_id, account_id, {channel}, host,
                case when waits_for is null and media_until is null then now() end,
                max_attempts,
                case when line_number is not null then account_id || '/' || session_id || '/' || target end,
                line_number
            from sent
            """,
            channel=f"'{WEBHOOK_CHANNEL}'",
        ),
        more=", max_attempts, line, line_number",
    ),
    release=enqueue(
        RELEASE, "select account_id || '/' || event_id, media_until from emitted where media_until is not null"
    ),
)
_EMIT: Final = Sql("with emitted as (select * from {events} as e), {emit} select", events=EVENTS, emit=EMIT)


def build_rows(
    event: WebhookEvent, destinations: Sequence[Destination], max_attempts: int, media_until: datetime | None = None
) -> tuple[EventRow, list[DeliveryRow]]:
    """Return what `emit_event` writes, for a statement that contains EMIT."""
    tool = next((d.delivery_id for d in destinations if d.target == "tool"), None)
    event_id = new_id("evt")
    row = EventRow(
        account_id=event.account_id,
        event_id=event_id,
        event=event.event,
        agent_id=event.agent_id,
        session_id=event.session_id,
        review_id=event.review_id,
        payload=event.payload(event_id, now()),
        agent_delivery_id=next((d.delivery_id for d in destinations if d.target == "agent"), None),
        tool_delivery_id=tool,
        media_until=media_until,
        form_id=event.form_id,
        form_name=event.form_name,
        line_number=event.line_number,
        max_attempts=max_attempts,
    )
    deliveries = [
        DeliveryRow(
            event_id, d.delivery_id, d.target, d.url_source, d.url, _host(d.url), tool if d.target == "agent" else None
        )
        for d in destinations
    ]
    return row, deliveries


async def emit_event(
    tx: Executor,
    event: WebhookEvent,
    destinations: Sequence[Destination],
    max_attempts: int,
    media_until: datetime | None = None,
) -> None:
    """Write the event and queue its deliveries, in the transaction of the change it reports.

    If there is a tool webhook, the event and the agent's delivery wait for its first attempt, to include its response.
    With `media_until`, everything waits for copies of the review's media, at most until then (`media_waits.py`).
    """
    row, deliveries = build_rows(event, destinations, max_attempts, media_until)
    await _EMIT.execute(tx, events=[row], deliveries=deliveries)
    publish(tx, event.account_id)


@lru_cache(maxsize=4096)
def _host(url: str) -> str:
    """Deliveries to the same one limit each other."""
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


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
