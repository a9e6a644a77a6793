"""Mails about single reviews: what was collected for a person, as far as it's still pending for them."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from signoff.notifications.mail.mail_types import Context, Reminder, ReviewRequested
from signoff.notifications.review_mails.recipients import COVERED, Recipient, read_person
from signoff.notifications.review_mails.review_rows import REVIEW_COLUMNS, to_full_row, to_row
from signoff.notifications.review_mails.reviewers import list_assignee_ids
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor, Row
from signoff.platform.mail_outbox import enqueue_mail
from signoff.platform.sql import Sql

MAX_REVIEWS: Final = 20
"""The maximum number of reviews in a mail."""

MAX_NEWS: Final = 1_000
"""The maximum number of news items that are counted for a mail."""

# `offset 0` as in `reviews/review_list.py`: during a burst the planner's estimates are far too low. One more item than
# are counted shows that there are more.
_LIST_NEWS: Final = Sql(
    """
    with items as materialized (
        select {columns}, n.entry_id, n.news
        from (
            select * from review_news where account_id = :account_id and entry_id >= :news_from
            order by entry_id offset 0
        ) as n cross join lateral (
            select * from reviews where account_id = n.account_id and review_id = n.review_id offset 0
        ) as r join agents g on g.agent_id = r.agent_id
        where n.actor_id <> :user_id
          and (n.newly is null or :user_id = any(n.newly))
          and r.phase = 'open'
          and (r.taken_by is distinct from :user_id or n.news in ('updated', 'reminded'))
          and {covered}
          and (not r.assigned or exists (
              select from review_assignees a
              where a.account_id = r.account_id and a.review_id = r.review_id
                and a.assignee_id = any(:assignee_ids::text[])))
        order by n.entry_id limit {max_news} + 1
    ), told as (
        select distinct on (review_id) * from items order by review_id, entry_id desc
    )
    select *, least(count(*) over (), {max_news}) as found, bool_and(news = 'reminded') over () as reminding,
           (select count(*) from items) <= {max_news} as is_exact
    from told order by entry_id limit :limit
    """,
    columns=REVIEW_COLUMNS,
    covered=COVERED,
    max_news=MAX_NEWS,
)
_RECORD_MAIL: Final = Sql(
    """
    update notified_people set
        news_from = null, mail_at = null,
        mailed_at = case when :enqueued then :at else mailed_at end,
        streak = case when :enqueued then streak + 1 else streak end
    where user_id = :user_id
    """
)


class InstantMails:
    def __init__(self, db: Database, clock: Callable[[], datetime] = now) -> None:
        self._db = db
        self._clock = clock

    async def list_due(self, most: int) -> list[str]:
        """Return the people who should get a mail now."""
        rows = await self._db.fetch(
            "select user_id from notified_people where mail_at <= $1 order by mail_at limit $2", self._clock(), most
        )
        return [row["user_id"] for row in rows]

    async def send(self, user_id: str) -> bool:
        """Enqueue the mail and clear what was collected in one transaction. Returns whether there was a mail."""
        async with self._db.transaction() as tx:
            waiting = await tx.fetchrow(
                """
                select news_from from notified_people
                where user_id = $1 and mail_at <= $2 for update skip locked
                """,
                user_id,
                self._clock(),
            )
            if waiting is None:
                return False  # another process has sent it in the meantime
            enqueued = await self._order(tx, user_id, waiting["news_from"])
            await _RECORD_MAIL.execute(tx, user_id=user_id, enqueued=enqueued, at=self._clock())
            return enqueued

    async def _order(self, tx: Executor, user_id: str, news_from: int) -> bool:
        person = await read_person(tx, user_id)
        if person is None:
            return False
        rows = await _read_news(tx, person, news_from)
        if not rows:
            return False
        kind, context = await _compose(tx, rows, person.language)
        mail_id = await enqueue_mail(
            tx,
            kind,
            account_id=person.account_id,
            to=person.address,
            context=context.model_dump(),
            user_id=user_id,
            once=f"news:{user_id}:{news_from}",
        )
        return mail_id is not None


async def _read_news(tx: Executor, person: Recipient, news_from: int) -> list[Row]:
    """Read the news in the order they arrived, each review once with its latest news. People aren't notified of
    reviews they took themselves.
    """
    all_but, agents = person.agents_with("each")
    return await _LIST_NEWS.fetch(
        tx,
        account_id=person.account_id,
        news_from=news_from,
        user_id=person.user_id,
        all_but=all_but,
        agents=agents,
        assignee_ids=await list_assignee_ids(tx, person),
        limit=MAX_REVIEWS,
    )


async def _compose(tx: Executor, rows: list[Row], language: str) -> tuple[str, Context]:
    first = rows[0]
    if first["found"] == 1:
        reviews = [await to_full_row(tx, first, language, first["news"])]
    else:
        reviews = [await to_row(tx, row, language, row["news"]) for row in rows]
    kind, mail = ("reminder", Reminder) if first["reminding"] else ("review_requested", ReviewRequested)
    more = first["found"] - len(rows)
    return kind, mail(reviews=tuple(reviews), more=more, is_exact=first["is_exact"], language=language)


async def delete_old_notifications(db: Database) -> None:
    """Delete news that everyone concerned has been notified of."""
    await db.execute(
        """
        delete from review_news n
        where not exists (
            select from notified_people p where p.account_id = n.account_id and p.news_from <= n.entry_id)
        """
    )
