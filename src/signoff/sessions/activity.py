"""Short-lived states: the agent is working, or someone is typing. They expire on their own."""

from typing import Final

from signoff.accounts.context import Caller
from signoff.sessions import live_updates
from signoff.sessions.queries import ensure_session_exists
from signoff.sessions.schemas import Working

WORKING_FOR: Final = "60 seconds"
TYPING_FOR: Final = "6 seconds"


async def set_agent_working(caller: Caller, session_id: str, body: Working) -> None:
    """Show that the agent is working. Call it again before it expires, as long as that's true."""
    async with caller.db.transaction() as tx:
        await ensure_session_exists(tx, caller.account_id, session_id)
        if body.working:
            await tx.execute(
                f"""
                insert into session_working as w (account_id, session_id, text, until)
                values ($1, $2, $3, now() + interval '{WORKING_FOR}')
                on conflict (account_id, session_id) do update set
                    text = excluded.text, until = excluded.until,
                    since = case when w.until > now() then w.since else excluded.since end
                """,  # noqa: S608
                caller.account_id,
                session_id,
                body.text or None,
            )
        else:
            await tx.execute(
                "delete from session_working where account_id = $1 and session_id = $2", caller.account_id, session_id
            )
    live_updates.publish_update(caller, session_id, "session.working")


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
        await tx.execute(
            f"""
            insert into session_typing (account_id, session_id, user_id, until)
            values ($1, $2, $3, now() + interval '{TYPING_FOR}')
            on conflict (account_id, session_id, user_id) do update set until = excluded.until
            """,  # noqa: S608
            caller.account_id,
            session_id,
            caller.actor.id,
        )
    live_updates.publish_update(caller, session_id, "session.typing")
