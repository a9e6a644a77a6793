from datetime import datetime
from typing import Final

from signoff.accounts.context import Caller
from signoff.notifications.review_mails.digest_schedule import next_daily, next_hourly
from signoff.notifications.review_mails.recipients import DIGEST_PLAN_SQL, Every, Recipient, read_person
from signoff.notifications.review_mails.schemas import NextMail
from signoff.platform.clock import iso_or_none, now
from signoff.platform.sql import Sql

_FIND_PLAN: Final = Sql(
    """
    select p.mail_at, {digest_plan} is not distinct from p.digest_plan
                      and p.next_hourly_at is null and p.next_daily_at is null as held
    from notified_people p join users u using (user_id) join accounts a on a.account_id = u.account_id
    where u.account_id = :account_id and u.user_id = :user_id
    """,
    digest_plan=DIGEST_PLAN_SQL,
)


async def get_next_mail(caller: Caller) -> NextMail:
    """Calculated from the current settings, which the worker may not have read yet."""
    collect = caller.settings.mail_collect_seconds
    person = await read_person(caller.db, caller.actor.id)
    if person is None:
        return NextMail(each=False, collect_seconds=collect, news_at=None, digest=None, digest_at=None, time_zone="UTC")
    # `held` means that digests were stopped in a copy of the database, until the person changes their settings.
    planned = await _FIND_PLAN.fetch_one(caller.db, account_id=caller.account_id, user_id=person.user_id)
    mail_at: datetime | None = planned["mail_at"] if planned is not None else None
    each = person.wants("each")
    is_held = planned is not None and planned["held"]
    digest, digest_at = (None, None) if is_held else _next_digest(person, now())
    return NextMail(
        each=each,
        collect_seconds=collect,
        news_at=iso_or_none(mail_at if each else None),
        digest=digest,
        digest_at=iso_or_none(digest_at),
        time_zone=str(person.zone),
    )


def _next_digest(person: Recipient, at: datetime) -> tuple[Every | None, datetime | None]:
    hourly = next_hourly(person.zone, at) if person.wants("hourly") else None
    daily = next_daily(person.digest_hour, person.zone, at) if person.wants("daily") else None
    if hourly is not None and (daily is None or hourly < daily):
        return "hourly", hourly
    return ("daily", daily) if daily is not None else (None, None)
