"""Ordering a mail, in the transaction of what it tells of: it is sent if that is committed, and not otherwise.

Which kinds there are, what each has to know and how it looks is declared in `notifications/mail/mail_types.py`; sending
is a job of the worker. What a mail has to know may hold a secret, like the token of a link that only its receiver may
have. It is kept in the mail's row until the mail is sent, and then removed.
"""

import re
from typing import Any

from signoff.platform.db import Executor
from signoff.platform.errors import InvalidRequest
from signoff.platform.faults import ErrorDetail
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue_sql
from signoff.platform.messages import msg

SEND_MAIL_JOB = "mails.send"

LONGEST_ADDRESS = 320
# One address and nothing that a header could be broken with: no blanks, no control characters, no brackets or commas.
_ADDRESS = re.compile(r"[^\s\x00-\x20\x7f-\x9f\u2028\u2029<>()\[\],;:\\\"@]+@[^\s\x00-\x20\x7f-\x9f<>()\[\],;:\\\"@]+")


def ensure_single_address(address: str) -> str:
    """The address, if a mail can be sent to it. Raises `InvalidRequest` for what is more than one plain address."""
    if len(address) > LONGEST_ADDRESS or not _ADDRESS.fullmatch(address):
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
    """The mail's ID; nothing when a mail with the word `once` was ordered in the account before.

    `context` is what the kind of mail has to know. `user_id` is set for mails to a member. The job comes with the
    statement and is due after `delay` seconds; whoever wants it to begin at once wakes the workers after the commit.
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
