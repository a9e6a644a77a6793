"""How far each participant has read, and how many sessions have unread messages."""

from typing import Final

from signoff.accounts.context import Caller
from signoff.platform.sql import Sql
from signoff.sessions import live_updates
from signoff.sessions.message_queries import message_number

CEILING: Final = 100


async def mark_read(caller: Caller, session_id: str, message_id: str) -> None:
    """Mark messages as read, for participants only: nothing is stored about other viewers. Never moves backwards."""
    async with caller.db.transaction() as tx:
        number = await message_number(tx, caller.account_id, session_id, message_id)
        # The session is locked, so that no message arrives between the two numbers that are compared.
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
            live_updates.publish_update(tx, caller, session_id, "session.read")


COUNT_UNREAD = Sql(
    """
    select count(*) from (
        select from session_people where account_id = :account_id and user_id = :user_id and unread limit {ceiling}
    ) as counted
    """,
    ceiling=CEILING,
)


async def count_unread(caller: Caller) -> int:
    """Count the caller's sessions with unread messages; `CEILING` means at least that many."""
    return await COUNT_UNREAD.fetch_value(caller.db, account_id=caller.account_id, user_id=caller.actor.id)
