"""Enqueue a mail in the transaction of the change it reports: it's sent if and only if that commits.

`notifications/mail/mail_types.py` declares the mail types, their context, and their templates; a worker job sends them.
The context may contain a secret, such as the token of a link for the recipient only. It's stored in the mail's row
until the mail is sent, and then removed.
"""

import re
from typing import Any

from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue_sql
from signoff.platform.messages import msg

SEND_MAIL_JOB = "mails.send"

MAX_ADDRESS_LENGTH = 320
# A single address without anything that could break a header: no whitespace, control characters, brackets, or commas.
_ADDRESS = re.compile(r"[^\s\x00-\x20\x7f-\x9f\u2028\u2029<>()\[\],;:\\\"@]+@[^\s\x00-\x20\x7f-\x9f<>()\[\],;:\\\"@]+")


def ensure_single_address(address: str) -> str:
    """Return the address if mail can be sent to it. Raises `InvalidRequest` for anything other than one plain
    address.
    """
    if len(address) > MAX_ADDRESS_LENGTH or not _ADDRESS.fullmatch(address):
        raise InvalidRequest([ErrorDetail("to", "invalid_email", msg("must be a single email address"))])
    return address


async def enqueue_mail(
    tx: Executor,
    kind: str,
    *,
    account_id: str,
    to: str,
    context: dict[str, Any],
    user_id: str | None = None,
    once: str | None = None,
    delay: float = 0.0,
) -> str | None:
    """Enqueue a mail and return its ID, or None if the account already has a mail with the same `once` key.

    `context` is what the mail type needs. `user_id` is set for mails to a member. The same statement enqueues the job,
    due after `delay` seconds; to start it immediately, wake the workers after the commit.
    """
    return await tx.fetchval(
        f"""
        with mail as (
            insert into mails (mail_id, account_id, kind, to_email, user_id, context, once, due_at)
            values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
            on conflict (account_id, once) where once is not null do nothing
            returning mail_id, due_at
        ), job as (
            {enqueue_sql(SEND_MAIL_JOB, "select mail_id, due_at from mail")}
        )
        select mail_id from mail
        """,  # noqa: S608
        new_id("mal"),
        account_id,
        kind,
        ensure_single_address(to),
        user_id,
        context,
        once,
        delay,
    )
