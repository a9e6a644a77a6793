"""Emails as outgoing messages.

An email that the server temporarily refused is retried; one that it refused permanently fails. The server may have an
email from the moment it's handed over. It's never sent again after that, unless an admin says so.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from signoff.notifications.mail.composer import COMPOSE_ERRORS, ComposedMail, compose_mail
from signoff.notifications.mail.transport import MailRejected, SendOutcomeUnknown, Transport, build_transport
from signoff.notifications.mail.unsubscribe_links import link_secret, unsubscribe_url
from signoff.platform.dates import read_zone
from signoff.platform.db import Database, Executor
from signoff.platform.logs import get_logger
from signoff.platform.mail_outbox import MAIL_CHANNEL
from signoff.platform.messages import choose_language
from signoff.platform.outbox.retry_policy import SENT, AttemptOutcome, RetryPolicy
from signoff.platform.outbox.sender import FinishedAttempt, MessageGone, OutgoingMessage, Postponed
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql

log = get_logger("mail")


@dataclass(frozen=True, slots=True)
class _Mail:
    kind: str
    to_email: str
    user_id: str | None
    context: dict[str, Any] | None
    created_at: datetime
    workspace: str
    user_language: str | None
    workspace_language: str | None
    time_zone: str | None


_READ_MAIL: Final = Sql(
    """
    select m.kind, m.to_email, m.user_id, m.context, m.created_at, a.name as workspace,
        u.language as user_language, a.language as workspace_language,
        coalesce(u.preferences ->> 'time_zone', a.notification_defaults ->> 'time_zone') as time_zone
    from mails m join accounts a using (account_id) left join users u using (user_id)
    where m.mail_id = :mail_id
    """,
    _Mail,
)


class MailChannel:
    name = MAIL_CHANNEL
    at_most_once = True
    destination_concurrency: int | None = None

    def __init__(self, db: Database, settings: Settings, transport: Transport | None = None) -> None:
        self._db = db
        self._settings = settings
        self._transport = transport or build_transport(settings)
        self._secret: bytes | None = None
        self.concurrency = settings.mail_concurrency
        self.policy = RetryPolicy(settings.mail_retry_schedule)

    def announce(self) -> None:
        """Log where mails go, when a process that sends them starts."""
        if self._settings.smtp_host is None:
            folder = str((self._settings.data_dir / "mails").absolute())
            log.warning("no mail server configured; emails are saved to files", folder=folder)
        else:
            log.info("mail server configured", server=self._settings.smtp_host, sender=self._settings.sender)

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        mail = await _READ_MAIL.fetch_one(self._db, mail_id=message.message_id)
        if mail is None:
            raise MessageGone
        about = {"mail": message.message_id, "kind": mail.kind}
        try:
            composed = await self._compose(message.message_id, mail)
        except COMPOSE_ERRORS as error:
            log.exception("couldn't create email", **about)
            return AttemptOutcome(error=f"Couldn't create the email: {error}", permanent=True)
        try:
            if not await self._transport.hand_over(composed, message.hand_over):
                raise Postponed(0)  # canceled while we were connecting
        except MailRejected as error:
            outcome = AttemptOutcome(error=str(error), permanent=error.for_good)
        except SendOutcomeUnknown as error:
            outcome = AttemptOutcome(error=str(error), unknown=True)
        else:
            if self._settings.smtp_host is None:
                log.info("email saved to a file: no mail server configured", **about)
            else:
                log.info("email sent", **about)
            return SENT
        log.warning("email not sent", error=outcome.error, **about)
        return outcome

    async def settle(self, tx: Executor, attempts: Sequence[FinishedAttempt]) -> None:
        """Delete the content of sent mails: it may hold links that only the recipient may have."""
        sent = [attempt.record.message_id for attempt in attempts if attempt.record.state == "sent"]
        await tx.execute("update mails set context = null where mail_id = any($1::text[])", sent)

    async def _compose(self, mail_id: str, mail: _Mail) -> ComposedMail:
        if mail.context is None:
            raise ValueError("its content was deleted")
        address = None
        if mail.user_id is not None:
            self._secret = self._secret or await link_secret(self._db)
            address = unsubscribe_url(self._settings, self._secret, mail.user_id)
        # Composing takes long enough to delay everything else in the worker.
        return await asyncio.to_thread(
            compose_mail,
            self._settings,
            mail_id=mail_id,
            kind=mail.kind,
            to=mail.to_email,
            context=mail.context,
            workspace=mail.workspace,
            written_at=mail.created_at,
            language=choose_language(mail.context.get("language"), mail.user_language, mail.workspace_language),
            zone=read_zone(mail.time_zone),
            unsubscribe_url=address,
        )


async def delete_old_mails(db: Database) -> None:
    """Delete finished mails after three months. The content of unsent ones is deleted earlier, because its links
    have expired by then.
    """
    await db.execute(
        """
        update mails m set context = null from outgoing_messages o
        where o.message_id = m.mail_id and m.context is not null and o.state in ('failed', 'unclear')
          and o.settled_at < now() - interval '14 days'
        """
    )
    await db.execute(
        """
        with old as (
            delete from mails m using outgoing_messages o
            where m.created_at < now() - interval '90 days' and o.message_id = m.mail_id and o.settled_at is not null
            returning m.mail_id
        )
        delete from outgoing_messages o using old where o.message_id = old.mail_id
        """
    )
