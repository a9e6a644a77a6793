"""Short-lived states: the agent is working, or someone is typing. They expire on their own."""

from typing import Final

from signoff.accounts.context import Caller
from signoff.platform.sql import Sql
from signoff.sessions import live_updates
from signoff.sessions.queries import ensure_session_exists
from signoff.sessions.schemas import Working

WORKING_TIMEOUT: Final = "interval '60 seconds'"
TYPING_TIMEOUT: Final = "interval '6 seconds'"


SET_WORKING = Sql(
    """
    insert into session_working as w (account_id, session_id, text, until)
    values (:account_id, :session_id, :text, now() + {working_for})
    on conflict (account_id, session_id) do update set
        text = excluded.text, until = excluded.until,
        since = case when w.until > now() then w.since else excluded.since end
    """,
    working_for=WORKING_TIMEOUT,
)


async def set_agent_working(caller: Caller, session_id: str, body: Working) -> None:
    """Show that the agent is working. Call it again before it expires, as long as that's true."""
    async with caller.db.transaction() as tx:
        await ensure_session_exists(tx, caller.account_id, session_id)
        if body.working:
            await SET_WORKING.execute(tx, account_id=caller.account_id, session_id=session_id, text=body.text or None)
        else:
            await tx.execute(
                "delete from session_working where account_id = $1 and session_id = $2", caller.account_id, session_id
            )
        live_updates.publish_update(tx, caller, session_id, "session.working")


SET_TYPING = Sql(
    """
    insert into session_typing (account_id, session_id, user_id, until)
    values (:account_id, :session_id, :user_id, now() + {typing_for})
    on conflict (account_id, session_id, user_id) do update set until = excluded.until
    """,
    typing_for=TYPING_TIMEOUT,
)


async def set_user_typing(caller: Caller, session_id: str) -> None:
    """Show that someone is typing. Call it again every few seconds, as long as that's true."""
    async with caller.db.transaction() as tx:
        await ensure_session_exists(tx, caller.account_id, session_id)
        await tx.execute(
            """
            delete from session_typing where (account_id, session_id, user_id) in (
                select account_id, session_id, user_id from session_typing
                where account_id = $1 and until < now() for update skip locked)
            """,
            caller.account_id,
        )
        await SET_TYPING.execute(tx, account_id=caller.account_id, session_id=session_id, user_id=caller.actor.id)
        live_updates.publish_update(tx, caller, session_id, "session.typing")
