"""Start and rename sessions."""

from typing import Any

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.agents.errors import unknown_agent
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.ids import new_id
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.sessions.errors import ChatOff, ChatReplyOnly, SessionOfAnotherAgent
from signoff.sessions.queries import get_session
from signoff.sessions.schemas import NewSession


async def create_session(caller: Caller, new: NewSession) -> tuple[dict[str, Any], bool]:
    """Return the session, and whether it's new: the same ID returns the existing session."""
    session_id = new.session_id or new_id("ses")
    is_new = False
    async with caller.db.transaction() as tx:
        if not await _session_exists(tx, caller, session_id, new.agent_id):
            is_new = await insert_session(tx, caller, session_id, new.agent_id, new.name)
    return await get_session(caller, session_id), is_new


async def _session_exists(tx: Executor, caller: Caller, session_id: str, agent_id: str) -> bool:
    agent_of_it = await tx.fetchval(
        "select agent_id from sessions where account_id = $1 and session_id = $2", caller.account_id, session_id
    )
    ensure_same_agent(session_id, agent_of_it or agent_id, agent_id)
    return agent_of_it is not None


INSERT = Sql(
    """
    with begun as (
        insert into sessions (account_id, session_id, agent_id, name, chat)
        values (:account_id, :session_id, :agent_id, :name, true)
        on conflict do nothing returning account_id, session_id
    ), beginner as (
        insert into session_people (account_id, session_id, user_id)
        select account_id, session_id, :user_id from begun where :user_id::text is not null
    )
    select true from begun
    """
)


async def insert_session(tx: Executor, caller: Caller, session_id: str, agent_id: str, name: str | None = None) -> bool:
    """Create a session; returns False if someone else has created it in the meantime, for the same agent.

    A person can start one only if the agent's chat is on, a key unless it's off.
    """
    ensure_may_start(caller, await _read_chat_setting(tx, caller.account_id, agent_id))
    actor = caller.actor
    begun = await INSERT.fetch_value(
        tx,
        account_id=caller.account_id,
        session_id=session_id,
        agent_id=agent_id,
        name=name,
        user_id=actor.id if actor.kind == "user" else None,
    )
    if not begun:
        # A separate statement, so that it sees what was committed while we waited.
        await _session_exists(tx, caller, session_id, agent_id)
        return False
    await writer.record_audit(tx, actor, "session.started", session_id, {"agentId": agent_id})
    return True


async def _read_chat_setting(tx: Executor, account_id: str, agent_id: str) -> str:
    chat = await tx.fetchval(
        "select chat from agents where account_id = $1 and agent_id = $2 and deleted_at is null", account_id, agent_id
    )
    if chat is None:
        raise InvalidRequest([ErrorDetail("agentId", "unknown_agent", unknown_agent(agent_id))])
    return chat


def ensure_may_start(caller: Caller, chat: str) -> None:
    ensure_chat_on(chat)
    if chat == "replyOnly" and caller.actor.kind == "user":
        raise ChatReplyOnly()


def ensure_chat_on(chat: str) -> None:
    if chat == "off":
        raise ChatOff()


def ensure_same_agent(session_id: str, agent_of_it: str, agent_id: str | None) -> None:
    if agent_id is not None and agent_id != agent_of_it:
        raise SessionOfAnotherAgent(session_id, agent_of_it)


async def rename_session(caller: Caller, session_id: str, name: str) -> dict[str, Any]:
    async with caller.db.transaction() as tx:
        row: Row | None = await tx.fetchrow(
            "update sessions set name = $3 where account_id = $1 and session_id = $2 returning session_id",
            caller.account_id,
            session_id,
            name,
        )
        if row is None:
            raise NotFound(msg("session"), session_id)
        await writer.record_audit(tx, caller.actor, "session.named", session_id, {"name": name})
    return await get_session(caller, session_id)
