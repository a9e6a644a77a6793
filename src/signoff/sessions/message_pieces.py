"""Streaming messages, which arrive in pieces while people watch."""

from typing import Any

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.usage.meter import record_usage
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.sessions import live_updates
from signoff.sessions.errors import MessageOfMember, NotStreaming, WrongOffset
from signoff.sessions.message_queries import get_message
from signoff.sessions.schemas import MAX_TEXT_LENGTH, Piece


async def add_piece(caller: Caller, session_id: str, message_id: str, piece: Piece, size: int) -> dict[str, Any]:
    """Return the message with the piece added; a piece that was already received isn't added again."""
    async with caller.db.transaction() as tx:
        row = await _lock(tx, caller.account_id, session_id, message_id)
        added = "" if _is_repeated(row, piece) else _new_text(row, piece)
        done = piece.done and row["streaming"]
        if added or done:
            await _append(tx, caller.account_id, session_id, message_id, added, done=done)
            await record_usage(tx, caller.account_id, bytes=size)
        if done:
            # In the audit log, like the message itself: a client that was disconnected learns about it when it
            # reconnects.
            await writer.record_audit(tx, caller.actor, "session.message", session_id, {"messageId": message_id})
        elif added:
            live_updates.publish_update(tx, caller, session_id, "session.piece")
    return await get_message(caller, session_id, message_id)


async def _lock(tx: Executor, account_id: str, session_id: str, message_id: str) -> Row:
    row = await tx.fetchrow(
        """
        select text, role, streaming from messages
        where account_id = $1 and session_id = $2 and message_id = $3 for no key update
        """,
        account_id,
        session_id,
        message_id,
    )
    if row is None:
        raise NotFound(msg("message"), message_id)
    if row["role"] == "human":
        raise MessageOfMember(len(row["text"]))
    return row


def _is_repeated(row: Row, piece: Piece) -> bool:
    """Whether the piece was received before. A repeated last piece must also end at the same place."""
    end = piece.offset + len(piece.text)
    is_there = end <= len(row["text"]) and row["text"][piece.offset : end] == piece.text
    return is_there and (not piece.done or not row["streaming"] or end == len(row["text"]))


def _new_text(row: Row, piece: Piece) -> str:
    length = len(row["text"])
    if not row["streaming"]:
        raise NotStreaming(length)
    if piece.offset != length:
        raise WrongOffset(length)
    if length + len(piece.text) > MAX_TEXT_LENGTH:
        message = msg("makes the message longer than the limit of {limit} characters", limit=MAX_TEXT_LENGTH)
        raise InvalidRequest([ErrorDetail("text", "too_long", message)])
    return piece.text


APPEND = Sql(
    """
    with worked as (
        delete from session_working where account_id = :account_id and session_id = :session_id and :done
    )
    update messages set text = text || :added, streaming = not :done, heard_at = now(), updated_at = now()
    where account_id = :account_id and session_id = :session_id and message_id = :message_id
    """
)


async def _append(tx: Executor, account_id: str, session_id: str, message_id: str, added: str, *, done: bool) -> None:
    await APPEND.execute(
        tx, account_id=account_id, session_id=session_id, message_id=message_id, added=added, done=done
    )
