"""Write events with their deliveries, and render them as receivers get them. Workers make all HTTP calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import orjson

from signoff.media.copies import RELEASE
from signoff.media.signed_payloads import sign_media_urls, signing_time
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue_sql, wake_workers
from signoff.platform.pubsub import publish
from signoff.platform.settings import Settings
from signoff.webhooks.schemas import Target

DELIVER_JOB = "webhooks.deliver"


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


async def emit_event(
    tx: Executor,
    event: WebhookEvent,
    destinations: Sequence[Destination],
    max_attempts: int,
    media_until: datetime | None = None,
) -> None:
    """Write the event, its deliveries, and their jobs, in the transaction of the change it reports.

    If there is a tool webhook, the event and the agent's delivery wait for its first attempt, to include its response.
    With `media_until`, everything waits for copies of the review's media, at most until then (`media_waits.py`).
    """
    tool = next((d.delivery_id for d in destinations if d.target == "tool"), None)
    event_id = new_id("evt")
    await tx.execute(
        f"""
        with event as (
            insert into events
                (account_id, event_id, event, agent_id, session_id, review_id, payload, delivery_id, waits_for,
                 media_until)
            values ($1, $2, $3, $4, $5, $6, $7, $16, $17, $19::timestamptz)
        ), made as (
            insert into deliveries
                (account_id, event_id, event, agent_id, session_id, review_id, form_id, form_name, max_attempts,
                 line_number, delivery_id, target, url_source, url, waits_for)
            select $1, $2, $3, $4, $5, $6, $8, $9, $10, $18, delivery_id, target, url_source, url, waits_for
            from unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
                as d (delivery_id, target, url_source, url, waits_for)
            returning delivery_id, waits_for
        ), release as (
            {enqueue_sql(RELEASE, "select $1 || '/' || $2, $19 where $19 is not null")}
        )
        {enqueue_sql(DELIVER_JOB, "select delivery_id, now() from made where waits_for is null and $19 is null")}
        """,  # noqa: S608
        event.account_id,
        event_id,
        event.event,
        event.agent_id,
        event.session_id,
        event.review_id,
        event.payload(event_id, now()),
        event.form_id,
        event.form_name,
        max_attempts,
        [d.delivery_id for d in destinations],
        [d.target for d in destinations],
        [d.url_source for d in destinations],
        [d.url for d in destinations],
        [tool if d.target == "agent" else None for d in destinations],
        next((d.delivery_id for d in destinations if d.target == "agent"), None),
        tool,
        event.line_number,
        media_until,
    )
    wake_workers(tx)
    publish(tx, event.account_id)


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
