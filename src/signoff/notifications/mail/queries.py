from dataclasses import dataclass
from datetime import datetime
from typing import Final

from signoff.notifications.mail.schemas import Mail, MailState
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql


@dataclass(frozen=True, slots=True)
class MailRow:
    mail_id: str
    kind: str
    to_email: str
    user_id: str | None
    state: MailState
    attempts: int
    error: str | None
    created_at: datetime
    next_attempt_at: datetime | None
    settled_at: datetime | None
    has_content: bool

    def to_mail(self) -> Mail:
        return Mail(
            mail_id=self.mail_id,
            kind=self.kind,
            to=self.to_email,
            user_id=self.user_id,
            state=self.state,
            attempts=self.attempts,
            error=self.error,
            created_at=iso(self.created_at),
            next_attempt_at=iso_or_none(self.next_attempt_at),
            settled_at=iso_or_none(self.settled_at),
        )


# Until a mail is handed over, its server has nothing of it: for everyone else it still waits.
_STATE: Final = """
    case when o.state = 'queued' or (o.state = 'sending' and o.handed_over_at is null) then 'waiting' else o.state end
"""
_MAILS: Final = Sql(
    """
    select m.mail_id, m.kind, m.to_email, m.user_id, {state} as state, o.attempt_count as attempts, o.error,
        m.created_at, case when o.state = 'queued' then o.due_at end as next_attempt_at, o.settled_at,
        m.context is not null as has_content
    from mails m join outgoing_messages o on o.message_id = m.mail_id
    """,
    state=_STATE,
)
_PAGE: Final = """
    m.account_id = :account_id and (:before::text is null or m.mail_id < :before)
    order by m.mail_id desc limit :limit
"""

_LIST_MAILS: Final = Sql("{mails} where {page}", MailRow, mails=_MAILS, page=_PAGE)
_LIST_SENT: Final = Sql("{mails} where o.state = 'sent' and {page}", MailRow, mails=_MAILS, page=_PAGE)
# Nearly all are sent: the others have an index of their own.
_LIST_UNSENT: Final = Sql(
    """
    {mails}
    where o.account_id = :account_id and o.channel = 'mail' and o.state <> 'sent' and {state} = :state and {page}
    """,
    MailRow,
    mails=_MAILS,
    state=_STATE,
    page=_PAGE,
)
_LOCK_MAIL: Final = Sql(
    "{mails} where m.account_id = :account_id and m.mail_id = :mail_id for update of o", MailRow, mails=_MAILS
)


async def list_mails(
    db: Executor, account_id: str, state: MailState | None, before: str | None, limit: int
) -> list[Mail]:
    """List the newest first."""
    if state is None:
        rows = await _LIST_MAILS.fetch(db, account_id=account_id, before=before, limit=limit)
    elif state == "sent":
        rows = await _LIST_SENT.fetch(db, account_id=account_id, before=before, limit=limit)
    else:
        rows = await _LIST_UNSENT.fetch(db, account_id=account_id, before=before, limit=limit, state=state)
    return [row.to_mail() for row in rows]


async def lock_mail(tx: Executor, account_id: str, mail_id: str) -> MailRow:
    row = await _LOCK_MAIL.fetch_one(tx, account_id=account_id, mail_id=mail_id)
    if row is None:
        raise NotFound(msg("email"), mail_id)
    return row
