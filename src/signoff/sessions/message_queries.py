"""Read messages."""

from typing import Any, Final

from signoff.accounts.context import Caller
from signoff.media.urls import media_url, stored_media_url
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.sessions.queries import ensure_session_exists
from signoff.webhooks.delivery_status import STATUS

STREAM_TIMEOUT: Final = "interval '2 minutes'"
"""A streaming message without a new piece for this long counts as interrupted."""
BEYOND_ALL: Final = 2**31 - 1

_MESSAGE: Final = Sql(
    """
    select m.account_id, m.session_id, m.number, m.message_id, m.role, m.text, m.attachments, m.review_id,
           m.created_at, m.updated_at, s.agent_id, u.user_id, u.email, u.name as user_name, d.delivery_id,
           {delivery_status} as delivery_status,
           case when not m.streaming then 'complete'
                when m.heard_at < now() - {quiet_for} then 'interrupted' else 'streaming' end as state
    from messages m
    join sessions s using (account_id, session_id)
    left join users u on m.role = 'human' and u.account_id = m.account_id and u.user_id = m.author_id
    left join deliveries d on d.delivery_id = m.delivery_id
    left join outgoing_messages o on o.message_id = d.delivery_id
    """,
    delivery_status=STATUS,
    quiet_for=STREAM_TIMEOUT,
)


SELECT_AFTER = Sql(
    """
    {message} where m.account_id = :account_id and m.session_id = :session_id and m.number > :number
    order by m.number limit :limit
    """,
    message=_MESSAGE,
)


async def list_messages(
    caller: Caller, session_id: str, after: str | None, before: str | None, limit: int
) -> dict[str, Any]:
    """List messages, oldest first. Without `after` or `before`, the latest ones."""
    db, account_id = caller.db, caller.account_id
    if after is not None:
        number = await message_number(db, account_id, session_id, after)
        rows = await SELECT_AFTER.fetch(db, account_id=account_id, session_id=session_id, number=number, limit=limit)
        return {"items": [to_message(caller.settings, row) for row in rows]}
    number = None if before is None else await message_number(db, account_id, session_id, before)
    if number is None:
        await ensure_session_exists(db, account_id, session_id)
    rows = await rows_before(db, account_id, session_id, number, limit + 1)
    shown = [to_message(caller.settings, row) for row in reversed(rows[:limit])]
    return {"items": shown, **({"nextBefore": shown[0]["messageId"]} if len(rows) > limit else {})}


SELECT_BEFORE = Sql(
    """
    {message} where m.account_id = :account_id and m.session_id = :session_id and m.number < :number
    order by m.number desc limit :limit
    """,
    message=_MESSAGE,
)


async def rows_before(db: Executor, account_id: str, session_id: str, number: int | None, limit: int) -> list[Row]:
    """Return messages with lower numbers, newest first; None means no upper limit."""
    return await SELECT_BEFORE.fetch(
        db, account_id=account_id, session_id=session_id, number=BEYOND_ALL if number is None else number, limit=limit
    )


SELECT_MESSAGE = Sql(
    "{message} where m.account_id = :account_id and m.session_id = :session_id and m.message_id = :message_id",
    message=_MESSAGE,
)


async def get_message(caller: Caller, session_id: str, message_id: str) -> dict[str, Any]:
    row = await SELECT_MESSAGE.fetch_one(
        caller.db, account_id=caller.account_id, session_id=session_id, message_id=message_id
    )
    if row is None:
        raise NotFound(msg("message"), message_id)
    return to_message(caller.settings, row)


async def message_number(db: Executor, account_id: str, session_id: str, message_id: str) -> int:
    number = await db.fetchval(
        "select number from messages where account_id = $1 and session_id = $2 and message_id = $3",
        account_id,
        session_id,
        message_id,
    )
    if number is None:
        raise NotFound(msg("message"), message_id)
    return number


def to_message(settings: Settings, row: Row) -> dict[str, Any]:
    message: dict[str, Any] = {
        "messageId": row["message_id"],
        "sessionId": row["session_id"],
        "number": row["number"],
        "role": row["role"],
        "text": row["text"],
        "attachments": [
            _attachment(each, media_url(settings, row["account_id"], each["mediaId"]))
            for each in row["attachments"] or ()
        ],
        "state": row["state"],
        "createdAt": iso(row["created_at"]),
        "updatedAt": iso(row["updated_at"]),
        "agentId": row["agent_id"],
    }
    if row["review_id"] is not None:
        message["reviewId"] = row["review_id"]
    if row["user_id"] is not None:
        message["user"] = _user(row)
    if row["delivery_id"] is not None:
        message["delivery"] = {"deliveryId": row["delivery_id"], "status": row["delivery_status"]}
    return message


def to_event(settings: Settings, row: Row) -> dict[str, Any]:
    """Return the message as in an event, except for its role, with plain media URLs, which are signed when the
    event is sent.
    """
    message: dict[str, Any] = {
        "id": row["message_id"],
        "text": row["text"],
        "attachments": [
            _attachment(each, stored_media_url(settings, row["account_id"], each["mediaId"]))
            for each in row["attachments"] or ()
        ],
        "createdAt": iso(row["created_at"]),
    }
    return message if row["user_id"] is None else {**message, "user": _user(row)}


def _attachment(stored: dict[str, Any], url: str) -> dict[str, Any]:
    return {"url": url, "name": stored["name"], "contentType": stored["contentType"], "size": stored["size"]}


def _user(row: Row) -> dict[str, str]:
    return {"id": row["user_id"], "email": row["email"], "name": row["user_name"]}
