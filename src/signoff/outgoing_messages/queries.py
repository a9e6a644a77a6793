"""Read outgoing messages. A list takes the newest IDs of each channel from an index, and reads only what it shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import Any, Final, Literal

from signoff.accounts.context import Caller
from signoff.accounts.dependencies import missing_permission
from signoff.outgoing_messages.channels import CHANNELS, ListedChannel, describe_subject
from signoff.outgoing_messages.schemas import ChannelName, MessageAttempt, OutgoingMessage, OutgoingMessageRow
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor
from signoff.platform.errors import Forbidden, NotFound
from signoff.platform.ids import id_at
from signoff.platform.messages import msg
from signoff.platform.outbox.retry_policy import State
from signoff.platform.schemas import Page
from signoff.platform.sql import Json, Rows, Sql
from signoff.webhooks.events import WEBHOOK_CHANNEL
from signoff.webhooks.queries import CLOCKS_DIFFER, Filter, list_delivery_ids
from signoff.webhooks.schemas import Status, Target

MAX_CHECKED: Final = 1000
"""How many messages a list looks at if a filter has no index."""
_STATUSES: Final[dict[State, Status | Literal["queued"]]] = {
    "queued": "queued",
    "sending": "delivering",
    "sent": "succeeded",
    "failed": "dead",
}
"""The statuses of deliveries. They're never `unclear`."""
_AFTER_ALL: Final = "g"
"""Sorts after every hexadecimal digit."""


@dataclass(frozen=True, slots=True)
class MessageFilter:
    channel: ChannelName | None = None
    state: State | None = None
    destination: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    agent_id: str | None = None
    form_id: str | None = None
    target: Target | None = None
    event: str | None = None

    @property
    def is_for_webhooks(self) -> bool:
        return any(value is not None for value in (self.agent_id, self.form_id, self.target, self.event))


@dataclass(frozen=True, slots=True)
class _Scan:
    """The IDs of a channel's messages that a list may contain."""

    channel: str
    after: str
    before: str


_SCANS: Final = Rows("scans", _Scan)
# One backward scan of an index for each channel.
_SCAN: Final = """
    select found.message_id from {scans} as scan cross join lateral (
        select message_id from outgoing_messages
        where account_id = :account_id and channel <> 'webhook' and channel = scan.channel
          and message_id >= scan.after and message_id < scan.before
          and created_at >= coalesce(:since::timestamptz, '-infinity')
          and created_at < coalesce(:until::timestamptz, 'infinity')
          and {condition}
        order by message_id desc limit :limit
    ) as found
"""
_SCAN_ALL: Final = Sql(_SCAN, scans=_SCANS, condition="true")
_SCAN_UNSENT: Final = Sql(_SCAN, scans=_SCANS, condition="state = :state and state <> 'sent'")


@dataclass(frozen=True, slots=True)
class _MessageRow:
    message_id: str
    channel: str
    state: State
    destination: str
    canceled: bool
    can_retry: bool
    can_cancel: bool
    review_id: str | None
    agent_id: str | None
    form_name: str | None
    facts: Json
    error: str | None
    attempt_count: int
    max_attempts: int | None
    created_at: datetime
    next_attempt_at: datetime | None
    settled_at: datetime | None
    attempts: Json


# `offset 0` makes the planner look up each message by its ID, whatever the statistics say.
_READ: Final = Sql(
    """
    select o.message_id, o.channel, c.state, c.destination, c.canceled, c.can_retry, c.can_cancel, c.review_id,
        c.agent_id, c.form_name, c.facts, case when c.state <> 'sent' then o.error end as error, o.attempt_count,
        o.max_attempts, o.created_at, case when c.state = 'queued' then o.due_at end as next_attempt_at, o.settled_at,
        case when :with_attempts then o.attempts end as attempts
    from unnest(:message_ids::text[]) with ordinality as wanted (message_id, place)
    cross join lateral (
        select * from outgoing_messages where message_id = wanted.message_id and account_id = :account_id offset 0
    ) as o
    cross join lateral (
        {details} offset 0
    ) as c
    where (:state::text is null or c.state = :state) and (:destination::text is null or c.destination = :destination)
    order by wanted.place limit :limit
    """,
    _MessageRow,
    details=reduce(
        lambda left, right: Sql("{left} union all {right}", left=left, right=right),
        [channel.details for channel in CHANNELS.values()],
    ),
)


async def list_messages(
    caller: Caller, only: MessageFilter, cursor: str | None, limit: int
) -> Page[OutgoingMessageRow]:
    """Return the newest first: those that the caller may see."""
    if only.channel is not None:
        _ensure_may_read(caller, CHANNELS[only.channel])
    channels = [
        channel
        for channel in CHANNELS.values()
        if only.channel in {None, channel.name} and caller.actor.can(channel.read)
        if channel.name == WEBHOOK_CHANNEL or not only.is_for_webhooks
    ]
    is_checked = only.destination is not None or only.state == "sent"
    reach = MAX_CHECKED if is_checked else limit + 1
    found = await _find_ids(caller, only, channels, cursor, reach)
    rows = await _read(
        caller.db, caller.account_id, found, state=only.state, destination=only.destination, limit=limit + 1
    )
    if len(rows) > limit:
        next_cursor = _place(rows[limit - 1].message_id)
    else:
        next_cursor = _place(found[-1]) if len(found) == reach else None
    return Page(items=[OutgoingMessageRow(**_members(caller, row)) for row in rows[:limit]], next_cursor=next_cursor)


async def get_message(caller: Caller, message_id: str) -> OutgoingMessage:
    row = await _find(caller, message_id, with_attempts=True)
    attempts = [MessageAttempt.model_validate({"isManual": False, **attempt}) for attempt in row.attempts]
    return OutgoingMessage(**_members(caller, row), attempts=attempts)


async def get_channel(caller: Caller, message_id: str) -> ListedChannel:
    """Return a message's channel."""
    return CHANNELS[(await _find(caller, message_id)).channel]


async def _find(caller: Caller, message_id: str, *, with_attempts: bool = False) -> _MessageRow:
    rows = await _read(caller.db, caller.account_id, [message_id], limit=1, with_attempts=with_attempts)
    if not rows:
        raise NotFound(msg("message"), message_id)
    _ensure_may_read(caller, CHANNELS[rows[0].channel])
    return rows[0]


async def _find_ids(
    caller: Caller, only: MessageFilter, channels: Collection[ListedChannel], cursor: str | None, limit: int
) -> list[str]:
    """Return the IDs of the newest messages, as far as an index can tell them."""
    found = list[str]()
    place = cursor or _AFTER_ALL
    scans = [
        _Scan(
            channel.name,
            id_at(channel.id_prefix, only.since, -CLOCKS_DIFFER) if only.since else f"{channel.id_prefix}_",
            min(
                f"{channel.id_prefix}_{place}",
                id_at(channel.id_prefix, only.until, CLOCKS_DIFFER) if only.until else f"{channel.id_prefix}_{place}",
            ),
        )
        for channel in channels
        if channel.name != WEBHOOK_CHANNEL
    ]
    if scans:
        values = {"account_id": caller.account_id, "since": only.since, "until": only.until, "limit": limit}
        rows = (
            await _SCAN_ALL.fetch(caller.db, scans=scans, **values)
            if only.state in {None, "sent"}
            else await _SCAN_UNSENT.fetch(caller.db, scans=scans, state=only.state, **values)
        )
        found += [row["message_id"] for row in rows]
    if len(scans) < len(channels) and only.state != "unclear":
        status = None if only.state is None else _STATUSES[only.state]
        deliveries = Filter(
            agent_id=only.agent_id,
            form_id=only.form_id,
            status=status,
            target=only.target,
            event=only.event,
            since=only.since,
            until=only.until,
        )
        before = cursor and f"{CHANNELS[WEBHOOK_CHANNEL].id_prefix}_{cursor}"
        found += await list_delivery_ids(caller.db, caller.account_id, deliveries, before, limit)
    return sorted(found, key=_place, reverse=True)[:limit]


async def _read(
    db: Executor,
    account_id: str,
    message_ids: Sequence[str],
    *,
    limit: int,
    state: State | None = None,
    destination: str | None = None,
    with_attempts: bool = False,
) -> list[_MessageRow]:
    return await _READ.fetch(
        db,
        account_id=account_id,
        message_ids=message_ids,
        limit=limit,
        state=state,
        destination=destination,
        with_attempts=with_attempts,
    )


def _members(caller: Caller, row: _MessageRow) -> dict[str, Any]:
    channel = CHANNELS[row.channel]
    may_act = caller.actor.can(channel.act)
    return {
        "message_id": row.message_id,
        "channel": row.channel,
        "destination": row.destination,
        "state": row.state,
        "canceled": row.canceled,
        "subject": describe_subject(channel, row.message_id, row.facts, row.review_id, row.agent_id, row.form_name),
        "error": row.error,
        "attempt_count": row.attempt_count,
        "max_attempts": row.max_attempts,
        "created_at": iso(row.created_at),
        "next_attempt_at": iso_or_none(row.next_attempt_at),
        "settled_at": iso_or_none(row.settled_at),
        "actions": [
            name
            for name, is_possible in (("retry", row.can_retry), ("cancel", row.can_cancel))
            if may_act and is_possible
        ],
    }


def _ensure_may_read(caller: Caller, channel: ListedChannel) -> None:
    if not caller.actor.can(channel.read):
        raise Forbidden(missing_permission(caller.actor, channel.read), needed=channel.read.value)


def _place(message_id: str) -> str:
    """Return a message's place among those of all channels: its ID says when it was created."""
    return message_id.partition("_")[2]
