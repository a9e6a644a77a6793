"""Delete sessions without a trace."""

from collections.abc import Sequence

from signoff.accounts.audit_log import writer
from signoff.media.references import release_message_references
from signoff.platform.db import Executor
from signoff.webhooks.deliveries import delete_deliveries


async def erase_sessions(tx: Executor, account_id: str, session_ids: Sequence[str]) -> None:
    """Delete sessions with their messages, files, events, and log entries. The sessions must be locked, so that no
    message is added.
    """
    await delete_deliveries(tx, account_id, "session_id", session_ids)
    rows = await tx.fetch(
        "delete from messages where account_id = $1 and session_id = any($2) returning message_id",
        account_id,
        session_ids,
    )
    await release_message_references(tx, account_id, [row["message_id"] for row in rows])
    await tx.execute(
        """
        with people  as (delete from session_people where account_id = $1 and session_id = any($2)),
             typing  as (delete from session_typing where account_id = $1 and session_id = any($2)),
             working as (delete from session_working where account_id = $1 and session_id = any($2))
        delete from sessions where account_id = $1 and session_id = any($2)
        """,
        account_id,
        session_ids,
    )
    await writer.erase_entries(tx, account_id, session_ids)
