"""How far somebody has read, and in how many sessions there is more."""

from typing import Final

from signoff.accounts.access import Caller
from signoff.sessions import live_updates
from signoff.sessions.message_queries import message_number

CEILING: Final = 100


async def mark_read(caller: Caller, session_id: str, message_id: str) -> None:
    """For those who take part: what others see, nobody keeps a list of. Never goes back."""
    async with caller.db.transaction() as tx:
        number = await message_number(tx, caller.account_id, session_id, message_id)
        # The session is held, so that no message comes between the two numbers that are compared.
        changed = await tx.fetchval(
            """
            with held as (
                select account_id, session_id, message_count from sessions
                where account_id = $1 and session_id = $2 for share
            )
            update session_people p set read_number = $4, unread = held.message_count > $4
            from held
            where p.account_id = held.account_id and p.session_id = held.session_id and p.user_id = $3
              and p.read_number < $4
            returning true
            """,
            caller.account_id,
            session_id,
            caller.actor.id,
            number,
        )
    if changed:
        live_updates.publish_update(caller, session_id, "session.read")


async def count_unread(caller: Caller) -> int:
    """Sessions in which there is something that oneself has not read; `CEILING` means at least so many."""
    return await caller.db.fetchval(
        f"""
        select count(*) from (
            select from session_people where account_id = $1 and user_id = $2 and unread limit {CEILING}) as counted
        """,  # noqa: S608
        caller.account_id,
        caller.actor.id,
    )
