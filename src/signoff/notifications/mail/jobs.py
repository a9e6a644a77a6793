"""The worker's side of a mail: each job makes at most one attempt and records its result.

`waiting` → `sending` → `sent`. A mail that the server temporarily refused waits again; one that it refused permanently
is `failed`. A mail in `sending` was being sent when its worker died, and may have arrived. It isn't sent again; after a
while it becomes `unclear`, for an admin to judge.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from signoff.notifications.mail.composer import COMPOSE_ERRORS, ComposedMail, compose_mail
from signoff.notifications.mail.transport import MailRejected, SendOutcomeUnknown, Transport, build_transport
from signoff.notifications.mail.unsubscribe_links import link_secret, unsubscribe_url
from signoff.platform.dates import read_zone
from signoff.platform.db import Database, Row
from signoff.platform.jobs.queue import enqueue_sql
from signoff.platform.jobs.runner import RetryLater
from signoff.platform.logs import get_logger
from signoff.platform.mail_outbox import SEND_MAIL_JOB
from signoff.platform.messages import choose_language
from signoff.platform.settings import Settings

log = get_logger("mail")

MAX_POLL_INTERVAL = 600.0
LOST = "The worker stopped while sending this email. We don't know whether it arrived."


@dataclass(frozen=True, slots=True)
class SendResult:
    state: str
    """`sent`, `failed`, `unclear`, or `waiting` for another attempt."""
    error: str | None = None
    pause: float = 0.0


class MailJob:
    def __init__(self, db: Database, settings: Settings, transport: Transport | None = None) -> None:
        self._db = db
        self._settings = settings
        self._transport = transport or build_transport(settings)
        self._secret: bytes | None = None
        self._not_marked: set[asyncio.Task[bool]] = set()
        self._stopped = False

    def announce(self) -> None:
        """Log where mails go, when a process that sends them starts."""
        if self._settings.smtp_host is None:
            folder = str((self._settings.data_dir / "mails").absolute())
            log.warning("no mail server is set: mails are written as files", folder=folder)
        else:
            log.info("mails go to the mail server", server=self._settings.smtp_host, sender=self._settings.sender)

    async def send(self, mail_id: str, _: int) -> bool:
        """The job. It leaves the mail in a correct state, whatever state it was in, and also if it runs twice."""
        mail = await self._read(mail_id)
        if mail is None:
            return False  # deleted in the meantime
        if mail["state"] == "sending":
            await self._look_at_lost(mail)
            return False
        if mail["state"] != "waiting" or not mail["due"]:
            return False  # finished, or another job will run when it's due
        try:
            composed = await self._write(mail)
        except COMPOSE_ERRORS as error:
            log.exception("a mail cannot be written", mail=mail_id, kind=mail["kind"])
            await self._record(mail, None, SendResult("failed", f"Couldn't create the email: {error}"[:500]))
            return False
        await self._hand_over(mail, composed)
        return False

    async def _read(self, mail_id: str) -> Row | None:
        return await self._db.fetchrow(
            """
            select m.mail_id, m.account_id, m.kind, m.to_email, m.user_id, m.context, m.state, m.attempts, m.created_at,
                   m.sending_at, m.due_at <= now() as due, a.name as workspace,
                   u.language as user_language, a.language as workspace_language,
                   coalesce(u.preferences ->> 'time_zone', a.notification_defaults ->> 'time_zone') as time_zone,
                   extract(epoch from now() - m.sending_at)::float8 as sending_for
            from mails m join accounts a using (account_id) left join users u using (user_id) where m.mail_id = $1
            """,
            mail_id,
        )

    async def _look_at_lost(self, mail: Row) -> None:
        left = self._settings.mail_unclear_after - mail["sending_for"]
        if left > 0:
            raise RetryLater(min(left, MAX_POLL_INTERVAL))
        log.warning("a mail was lost sight of", mail=mail["mail_id"], kind=mail["kind"])
        await self._record(mail, mail["sending_at"], SendResult("unclear", LOST))

    async def _write(self, mail: Row) -> ComposedMail:
        if mail["context"] is None:
            raise ValueError("its content was deleted")
        address = None
        if mail["user_id"] is not None:
            self._secret = self._secret or await link_secret(self._db)
            address = unsubscribe_url(self._settings, self._secret, mail["user_id"])
        # Composing takes long enough to delay everything else in the worker.
        return await asyncio.to_thread(
            compose_mail,
            self._settings,
            mail_id=mail["mail_id"],
            kind=mail["kind"],
            to=mail["to_email"],
            context=mail["context"],
            workspace=mail["workspace"],
            written_at=mail["created_at"],
            language=choose_language(
                mail["context"].get("language"), mail["user_language"], mail["workspace_language"]
            ),
            zone=read_zone(mail["time_zone"]),
            unsubscribe_url=address,
        )

    async def _hand_over(self, mail: Row, composed: ComposedMail) -> None:
        if self._stopped:
            raise RetryLater(0)
        marked_at: datetime | None = None

        async def mark() -> bool:
            nonlocal marked_at
            marked_at = await self._db.fetchval(
                """
                update mails set state = 'sending', sending_at = clock_timestamp()
                where mail_id = $1 and state = 'waiting' returning sending_at
                """,
                mail["mail_id"],
            )
            self._not_marked.discard(handing_over)
            return marked_at is not None

        handing_over = asyncio.create_task(self._transport.hand_over(composed, mark))
        self._not_marked.add(handing_over)
        try:
            if not await handing_over:
                raise RetryLater(1)  # another job was faster; if it dies, someone has to notice
            ending = SendResult("sent")
        except MailRejected as error:
            ending = self._after(error, mail["attempts"])
        except SendOutcomeUnknown as error:
            ending = SendResult("unclear", str(error))
        except asyncio.CancelledError:
            if self._stopped:
                raise RetryLater(0) from None
            raise
        finally:
            self._not_marked.discard(handing_over)
        await self._record(mail, marked_at, ending)
        self._tell(mail, ending)

    async def stop(self, grace: float) -> None:
        """Give running attempts some time, then abort those that no server has yet: they're sent after the next
        start.
        """
        if self._not_marked:
            await asyncio.wait(list(self._not_marked), timeout=grace)
        self._stopped = True
        for task in self._not_marked:
            task.cancel()

    def _after(self, error: MailRejected, attempts: int) -> SendResult:
        schedule = self._settings.mail_retry_schedule
        if error.for_good or attempts >= len(schedule):
            return SendResult("failed", str(error))
        return SendResult("waiting", str(error), schedule[attempts])

    async def _record(self, mail: Row, marked_at: datetime | None, ending: SendResult) -> None:
        """Record the result. Only the job that made the current mark may do so; without a mark, no other job has
        started.
        """
        await self._db.execute(
            f"""
            with recorded as (
                update mails set
                    state = $3, error = $4, attempts = attempts + 1,
                    context = case when $3 = 'sent' then null else context end,
                    due_at = case when $3 = 'waiting' then now() + make_interval(secs => $5) else due_at end,
                    sending_at = case when $3 = 'waiting' then null else sending_at end,
                    settled_at = case when $3 = 'waiting' then null else now() end
                where mail_id = $1 and sending_at is not distinct from $2 and state in ('waiting', 'sending', 'unclear')
                returning mail_id, state, due_at
            )
            {enqueue_sql(SEND_MAIL_JOB, "select mail_id, due_at from recorded where state = 'waiting'")}
            """,  # noqa: S608
            mail["mail_id"],
            marked_at,
            ending.state,
            ending.error,
            ending.pause,
        )

    def _tell(self, mail: Row, ending: SendResult) -> None:
        about = {"mail": mail["mail_id"], "kind": mail["kind"]}
        if ending.state == "sent":
            if self._settings.smtp_host is None:
                log.info("a mail was written as a file: no mail server is set", **about)
            else:
                log.info("a mail was sent", **about)
        else:
            log.warning("a mail was not sent", state=ending.state, error=ending.error, **about)


async def delete_old_mails(db: Database) -> None:
    """Delete finished mails after three months. The content of unsent ones is deleted earlier, because its links
    have expired by then.
    """
    await db.execute(
        """
        update mails set context = null
        where context is not null and state in ('failed', 'unclear') and settled_at < now() - interval '14 days'
        """
    )
    await db.execute(
        """
        delete from mails
        where state in ('sent', 'failed', 'unclear') and created_at < now() - interval '90 days'
        """
    )
