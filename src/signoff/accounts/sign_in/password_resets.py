"""Forgotten passwords: the same response in the same time, whether or not the email belongs to a member.

So the request is only recorded. A worker looks up the member.
"""

import math
from datetime import timedelta

from signoff.accounts.actors import Actor
from signoff.accounts.audit_log import writer
from signoff.accounts.errors import TooManyPasswordResets
from signoff.accounts.sign_in.actions import normalize_sign_in_email
from signoff.accounts.sign_in.links import create_link
from signoff.accounts.sign_in.throttle import client_network
from signoff.accounts.sign_in.visitor import Visitor
from signoff.platform.clock import iso
from signoff.platform.db import Database, Executor, Row
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue
from signoff.platform.mail_outbox import enqueue_mail
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql

PASSWORD_RESET_JOB = "sign_in.reset"  # noqa: S105  # noqa: S105

WINDOW = timedelta(hours=1)
MAX_MAILS = 3
"""Per member in the window. Further requests get the same response, but no mail is sent."""
MAX_REQUESTS = 30
"""Per client in the window, whatever emails it names."""
CLIENT_LOCK = 0x5160_003  # arbitrary, but the same in every process


INSERT_REQUEST = Sql(
    """
    with request as (
        insert into password_reset_requests (request_id, email, client, ip) values (:request_id, :email, :client, :ip)
        returning request_id
    )
    {enqueue}
    """,
    enqueue=enqueue(PASSWORD_RESET_JOB, "select request_id, now() from request"),
)


async def request_password_reset(visitor: Visitor, email: str) -> None:
    client = client_network(visitor.ip)
    async with visitor.db.transaction() as tx:
        if client is not None:
            await _ensure_few_requests(tx, client)
        await INSERT_REQUEST.execute(
            tx, request_id=new_id("pwr"), email=normalize_sign_in_email(email), client=client, ip=visitor.ip
        )


async def _ensure_few_requests(tx: Executor, client: str) -> None:
    await tx.execute("select pg_advisory_xact_lock($1, hashtext($2))", CLIENT_LOCK, client)
    wait: float | None = await tx.fetchval(
        """
        select extract(epoch from created_at + $2 - now())::float8 from password_reset_requests
        where client = $1 and created_at > now() - $2::interval
        order by created_at desc offset $3 limit 1
        """,
        client,
        WINDOW,
        MAX_REQUESTS - 1,
    )
    if wait is not None:
        raise TooManyPasswordResets(max(1, math.ceil(wait)))


async def send_password_reset(db: Database, settings: Settings, request_id: str) -> None:
    """The job. Running it twice doesn't send the mail twice: it's enqueued once per request."""
    request = await db.fetchrow("select email, ip from password_reset_requests where request_id = $1", request_id)
    if request is None:
        return  # expired long ago
    async with db.transaction() as tx:
        # Locked, so that concurrent requests are counted one after the other.
        person = await tx.fetchrow(
            "select account_id, user_id, email, role from users where email = $1 and disabled_at is null for update",
            request["email"],
        )
        if person is not None and await _can_send(tx, person, request_id):
            await _enqueue(tx, settings, person, request_id, request["ip"])


CAN_SEND = Sql(
    """
    select count(*) < :max_mails and not exists (select from mails where account_id = :account_id and once = :once)
    from mails
    where user_id = :user_id and account_id = :account_id and kind = 'password_reset'
      and created_at > now() - :window::interval
    """
)


async def _can_send(tx: Executor, person: Row, request_id: str) -> bool:
    return await CAN_SEND.fetch_value(
        tx,
        user_id=person["user_id"],
        account_id=person["account_id"],
        max_mails=MAX_MAILS,
        window=WINDOW,
        once=_mail_key(request_id),
    )


async def _enqueue(tx: Executor, settings: Settings, person: Row, request_id: str, ip: str | None) -> None:
    account_id, user_id = person["account_id"], person["user_id"]
    link = await create_link(tx, settings, account_id, user_id, "password_reset")
    await enqueue_mail(
        tx,
        "password_reset",
        account_id=account_id,
        to=person["email"],
        context={"link": link.url, "expires_at": iso(link.expires_at)},
        user_id=user_id,
        once=_mail_key(request_id),
    )
    nobody = Actor("system", account_id, "system", "forgotten password", frozenset(), ip=ip)
    await writer.record_audit(tx, nobody, "user.password_reset_requested", user_id)


def _mail_key(request_id: str) -> str:
    return f"password_reset:{request_id}"
