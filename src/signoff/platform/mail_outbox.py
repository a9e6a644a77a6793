"""Queue a mail in the transaction of the change it reports: it's sent if and only if that commits.

`notifications/mail/mail_types.py` declares the mail types, their context, and their templates; a worker sends them.
The context may contain a secret, such as the token of a link for the recipient only. It's stored in the mail's row
until the mail is sent, and then removed.
"""

import re
from typing import Any, Final

from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.ids import new_id
from signoff.platform.messages import msg
from signoff.platform.outbox.messages import queue_messages_sql
from signoff.platform.sql import Sql

MAIL_CHANNEL: Final = "mail"
DESTINATION: Final = "mail server"
"""All emails go to one."""

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


_INSERT_MAIL: Final = Sql(
    """
    with mail as (
        insert into mails (mail_id, account_id, kind, to_email, user_id, context, once)
        values (:mail_id, :account_id, :kind, :to_email, :user_id, :context, :once)
        on conflict (account_id, once) where once is not null do nothing
        returning mail_id, account_id
    ), queued as (
        {queue}
    )
    select mail_id from mail
    """,
    queue=queue_messages_sql(
        Sql(
            "select mail_id, account_id, {channel}, {destination}, now() + make_interval(secs => :delay) from mail",
            channel=f"'{MAIL_CHANNEL}'",
            destination=f"'{DESTINATION}'",
        )
    ),
)


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
    """Queue a mail and return its ID, or None if the account already has a mail with the same `once` key.

    `context` is what the mail type needs. `user_id` is set for mails to a member. It's sent after `delay`
    seconds.
    """
    return await _INSERT_MAIL.fetch_value(
        tx,
        mail_id=new_id("mal"),
        account_id=account_id,
        kind=kind,
        to_email=ensure_single_address(to),
        user_id=user_id,
        context=context,
        once=once,
        delay=delay,
    )
