from signoff.notifications.mail.schemas import Mail, MailState
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg

COLUMNS = "mail_id, kind, to_email, user_id, state, attempts, error, created_at, due_at, settled_at"


def to_mail(row: Row) -> Mail:
    return Mail(
        mail_id=row["mail_id"],
        kind=row["kind"],
        to=row["to_email"],
        user_id=row["user_id"],
        state=row["state"],
        attempts=row["attempts"],
        error=row["error"],
        created_at=iso(row["created_at"]),
        next_attempt_at=iso_or_none(row["due_at"] if row["state"] == "waiting" else None),
        settled_at=iso_or_none(row["settled_at"]),
    )


async def list_mails(
    db: Executor, account_id: str, state: MailState | None, before: str | None, limit: int
) -> list[Mail]:
    """List the newest first."""
    # Adding that a state isn't the common one selects the index of the others.
    condition = "" if state is None else "and state = $4" if state == "sent" else "and state = $4 and state <> 'sent'"
    rows = await db.fetch(
        f"""
        select {COLUMNS} from mails
        where account_id = $1 and ($2::text is null or mail_id < $2) {condition}
        order by mail_id desc limit $3
        """,  # noqa: S608
        account_id,
        before,
        limit,
        *([] if state is None else [state]),
    )
    return [to_mail(row) for row in rows]


async def lock_mail(tx: Executor, account_id: str, mail_id: str) -> Row:
    row = await tx.fetchrow(
        "select state, context is null as gone from mails where account_id = $1 and mail_id = $2 for update",
        account_id,
        mail_id,
    )
    if row is None:
        raise NotFound(msg("email"), mail_id)
    return row
