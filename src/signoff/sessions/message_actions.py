"""Write a message, by a person or by the agent. A person's message is sent to the agent's webhook, in order."""

from dataclasses import replace
from typing import Any

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.usage.fair_use import enforce_fair_use
from signoff.accounts.usage.meter import record_usage
from signoff.media.references import add_message_references
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.idempotency import Idempotency, claim_key
from signoff.platform.ids import CALLER_ID, new_id
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.sessions.actions import ensure_chat_on, ensure_same_agent, insert_session
from signoff.sessions.attachments import attach_files
from signoff.sessions.events import emit_human_message, session_destinations
from signoff.sessions.message_queries import get_message
from signoff.sessions.schemas import NewMessage

EMPTY_MESSAGE = msg("can't be empty unless you attach a file")


async def create_message(
    caller: Caller, session_id: str, new: NewMessage, size: int, idempotency: Idempotency | None
) -> dict[str, Any]:
    """Return the new message or, if the request is repeated, the one that it created the first time."""
    _check(caller, new)
    await enforce_fair_use(caller, bytes=size)
    async with caller.db.transaction() as tx:
        session = await _lock_session(tx, caller, session_id, new)
        scoped = idempotency and _scope_to_session(session_id, idempotency)
        message_id = new_id("msg")
        first = scoped and await claim_key(tx, caller.account_id, scoped, {"messageId": message_id})
        if first is None:
            _ensure_may_write(caller, session)
            await _write(tx, caller, session, message_id, new)
            await record_usage(tx, caller.account_id, bytes=size)
    return await get_message(caller, session_id, message_id if first is None else first["messageId"])


def _check(caller: Caller, new: NewMessage) -> None:
    errors: list[ErrorDetail] = []
    if caller.actor.kind == "user":
        for member in sorted(new.model_fields_set & {"review_id", "streaming", "agent_id"}):
            name = NewMessage.model_fields[member].alias or member
            errors.append(ErrorDetail(name, "not_allowed", msg("can only be set by agents (with an API key)")))
    if not new.text.strip() and not (new.attachments or new.review_id or new.streaming):
        errors.append(ErrorDetail("text", "missing", EMPTY_MESSAGE))
    if errors:
        raise InvalidRequest(errors)


async def _lock_session(tx: Executor, caller: Caller, session_id: str, new: NewMessage) -> Row:
    """Lock and return the session with the agent's columns that a message needs. The holder of the lock writes the
    next message.
    """
    session = await _lock(tx, caller.account_id, session_id)
    if session is None:
        if caller.actor.kind == "user" or not CALLER_ID.fullmatch(session_id):
            raise NotFound(msg("session"), session_id)
        if new.agent_id is None:
            raise InvalidRequest([ErrorDetail("agentId", "missing", msg("is required to start a new session"))])
        await insert_session(tx, caller, session_id, new.agent_id)
        session = await _lock(tx, caller.account_id, session_id)
        assert session is not None
    ensure_same_agent(session_id, session["agent_id"], new.agent_id)
    return session


async def _lock(tx: Executor, account_id: str, session_id: str) -> Row | None:
    return await tx.fetchrow(
        """
        select s.account_id, s.session_id, s.agent_id, s.name, s.created_at, s.message_count,
               case when a.deleted_at is null then a.chat else 'off' end as chat,
               a.webhook_url, a.webhook_events, acc.audit_webhook_url
        from sessions s
        join agents a using (account_id, agent_id)
        join accounts acc using (account_id)
        where s.account_id = $1 and s.session_id = $2
        for no key update of s
        """,
        account_id,
        session_id,
    )


def _scope_to_session(session_id: str, idempotency: Idempotency) -> Idempotency:
    """Limit an idempotency key to one session."""
    return replace(idempotency, key=f"message {session_id} {idempotency.key}")


def _ensure_may_write(caller: Caller, session: Row) -> None:
    """Check the chat setting: people can write unless the chat is off. An agent may finish a message that it
    started before the chat was turned off.
    """
    if caller.actor.kind == "user":
        ensure_chat_on(session["chat"])


INSERT_MESSAGE = Sql(
    """
    with counted as (
        update sessions set message_count = :number, active_at = greatest(active_at, now()), chat = true
        where account_id = :account_id and session_id = :session_id
    ), reader as (
        insert into session_people (account_id, session_id, user_id, read_number)
        select :account_id, :session_id, :actor_id, :number where :role = 'human'
        on conflict (account_id, session_id, user_id) do update set read_number = :number, unread = false
    ), others as (
        update session_people set unread = true
        where account_id = :account_id and session_id = :session_id and not (:role = 'human' and user_id = :actor_id)
    ), typed as (
        delete from session_typing
        where account_id = :account_id and session_id = :session_id and user_id = :actor_id
    ), worked as (
        delete from session_working
        where account_id = :account_id and session_id = :session_id and :role = 'agent' and not :streaming
    ), message as (
        insert into messages (account_id, session_id, number, message_id, role, author_id, text, attachments,
                              review_id, streaming, delivery_id, created_at, updated_at)
        -- Never earlier than the previous message, whatever the clocks say.
        select :account_id, :session_id, :number, :message_id, :role, :actor_id, :text, :attachments,
               :review_id, :streaming, :delivery_id, moment, moment
        from (select greatest(clock_timestamp(), max(created_at)) as moment from messages
              where account_id = :account_id and session_id = :session_id and number = :number - 1) as at
    )
    {audit}
    """,
    audit=writer.INSERT_ENTRY,
)


async def _write(tx: Executor, caller: Caller, session: Row, message_id: str, new: NewMessage) -> None:
    by_person = caller.actor.kind == "user"
    session_id: str = session["session_id"]
    await _ensure_same_review(tx, caller.account_id, session_id, new.review_id)
    attachments = await attach_files(tx, caller.settings, caller.account_id, new.attachments)
    goes_to = session_destinations(session) if by_person else []
    number = session["message_count"] + 1
    await INSERT_MESSAGE.execute(
        tx,
        session_id=session_id,
        number=number,
        message_id=message_id,
        role="human" if by_person else "agent",
        text=new.text,
        attachments=attachments or None,
        review_id=new.review_id,
        streaming=new.streaming,
        delivery_id=next((each.delivery_id for each in goes_to if each.target == "agent"), None),
        **writer.audit_entry(caller.actor, "session.message", session_id, {"messageId": message_id}),
    )
    if attachments:
        await add_message_references(tx, caller.account_id, message_id, [each["mediaId"] for each in attachments])
    if by_person:
        await emit_human_message(tx, caller.settings, session, number, goes_to)


async def _ensure_same_review(tx: Executor, account_id: str, session_id: str, review_id: str | None) -> None:
    known = review_id is None or await tx.fetchval(
        "select true from reviews where account_id = $1 and review_id = $2 and session_id = $3",
        account_id,
        review_id,
        session_id,
    )
    if not known:
        raise InvalidRequest(
            [
                ErrorDetail(
                    "reviewId",
                    "unknown_review",
                    msg("must be the ID of a review in this session, not '{id}'", id=review_id),
                )
            ]
        )
