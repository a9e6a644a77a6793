"""Admin actions for mails."""

import time
from typing import Final

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import SignInRequired
from signoff.notifications.mail.composer import COMPOSE_ERRORS, compose_mail
from signoff.notifications.mail.errors import MailContentGone, MailSent, MailUnderWay
from signoff.notifications.mail.mail_types import MailTest
from signoff.notifications.mail.queries import lock_mail
from signoff.notifications.mail.schemas import Mail, TestMail
from signoff.notifications.mail.transport import MailRejected, SendOutcomeUnknown, build_transport
from signoff.platform.clock import now
from signoff.platform.dates import read_zone
from signoff.platform.ids import new_id
from signoff.platform.messages import Message, choose_language, msg
from signoff.platform.outbox.errors import nothing_to_cancel
from signoff.platform.outbox.messages import cancel_messages, queue_again
from signoff.platform.settings import Settings

TEST_GOES_TO_YOU = msg("Sign in to send a test email. It goes to your own address.")


async def resend_mail(caller: Caller, mail_id: str) -> Mail:
    """Send a mail now: a failed one, an unclear one, or one that waits for its next attempt."""
    async with caller.db.transaction() as tx:
        mail = await lock_mail(tx, caller.account_id, mail_id)
        if mail.state == "sent":
            raise MailSent()
        if mail.state == "sending":
            raise MailUnderWay()
        if not mail.has_content:
            raise MailContentGone()
        await queue_again(tx, mail_id)
        mail = await lock_mail(tx, caller.account_id, mail_id)
        await writer.record_audit(tx, caller.actor, "mail.resent", mail_id, {"kind": mail.kind, "to": mail.to_email})
    return mail.to_mail()


_CANCEL_MAIL: Final = cancel_messages("select :mail_id")


async def cancel_mail(caller: Caller, mail_id: str) -> None:
    """Cancel a mail that the server doesn't have yet. It can still be sent manually."""
    async with caller.db.transaction() as tx:
        mail = await lock_mail(tx, caller.account_id, mail_id)
        if mail.state == "sending":
            raise MailUnderWay()
        if mail.state != "waiting":
            raise nothing_to_cancel(mail.state)
        await _CANCEL_MAIL.execute(tx, mail_id=mail_id, reason=f"Canceled by {caller.actor.name}.")
        await writer.record_audit(tx, caller.actor, "mail.canceled", mail_id, {"kind": mail.kind, "to": mail.to_email})


async def send_test_mail(caller: Caller) -> TestMail:
    """Send a test mail to the caller immediately, without the queue: they wait for the result."""
    if caller.actor.kind != "user":
        raise SignInRequired(TEST_GOES_TO_YOU)
    settings, to = caller.settings, caller.actor.name
    row = await caller.db.fetchrow(
        """
        select a.name as workspace, a.language as workspace_language, u.language as user_language,
               coalesce(u.preferences ->> 'time_zone', a.notification_defaults ->> 'time_zone') as time_zone
        from accounts a join users u using (account_id) where a.account_id = $1 and u.user_id = $2
        """,
        caller.account_id,
        caller.actor.id,
    )
    assert row is not None
    began = time.perf_counter()
    try:
        composed = compose_mail(
            settings,
            mail_id=new_id("mal"),
            kind="test",
            to=to,
            context=MailTest(asked_by=to).model_dump(),
            workspace=row["workspace"],
            written_at=now(),
            language=choose_language(row["user_language"], row["workspace_language"]),
            zone=read_zone(row["time_zone"]),
        )
        await build_transport(settings).hand_over(composed, _always)
    except (MailRejected, SendOutcomeUnknown) as error:
        delivered, detail = False, error.words
    except COMPOSE_ERRORS as error:
        delivered, detail = False, str(error)
    else:
        delivered, detail = True, _describe_destination(settings)
    return TestMail(
        delivered=delivered,
        to=to,
        via="smtp" if settings.smtp_host else "file",
        detail=detail,
        duration_ms=int((time.perf_counter() - began) * 1000),
    )


def _describe_destination(settings: Settings) -> Message:
    if settings.smtp_host:
        return msg("Accepted by {host}.", host=settings.smtp_host)
    folder = str(settings.data_dir.absolute() / "mails")
    return msg("No mail server is configured, so the email was saved to {folder}.", folder=folder)


async def _always() -> bool:
    return True
