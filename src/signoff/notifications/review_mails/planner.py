"""Turn log entries into news, and schedule mails for the people concerned.

This runs for every entry, even in a burst of a thousand. So it writes one row per news item, and only updates people
with nothing collected yet; a mail's content is determined when it's written.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import orjson

from signoff.notifications.log_entries import LogEntry
from signoff.notifications.mail.mail_types import News
from signoff.notifications.review_mails.mail_throttle import MailPace, next_mail
from signoff.notifications.review_mails.recipients import Recipient, read_people
from signoff.notifications.review_mails.reviewers import ReviewerDirectory, load_reviewers
from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.settings import Settings

NOTIFICATIONS: Final[Mapping[str, News]] = {
    "review.requested": "requested",
    "review.updated": "updated",
    "review.assigned": "assigned",
    "review.handed_over": "handed_over",
    "review.handed_back": "handed_back",
    "review.reminded": "reminded",
}
NEW_REVIEWER_NEWS: Final = frozenset[News]({"assigned", "handed_over", "handed_back"})


@dataclass(frozen=True, slots=True)
class _Review:
    account_id: str
    agent_id: str
    assignees: frozenset[str] | None
    """Users and groups; None means nobody is assigned, so everyone who may decide is asked."""


class MailPlanner:
    def __init__(self, settings: Settings, clock: Callable[[], datetime] = now) -> None:
        self._pace = MailPace(
            timedelta(seconds=settings.mail_collect_seconds), timedelta(seconds=settings.mail_pause_seconds)
        )
        self._clock = clock

    async def plan_people(self, tx: Executor, entries: Sequence[LogEntry]) -> None:
        relevant = [entry for entry in entries if entry.action in NOTIFICATIONS]
        if not relevant:
            return
        reviews = await _read_open_reviews(tx, relevant)
        relevant = [entry for entry in relevant if entry.object_id in reviews]
        account_ids = {entry.account_id for entry in relevant}
        people = await read_people(tx, sorted(account_ids))
        everybody = {user_id: person for members in people.values() for user_id, person in members.items()}
        if not any(person.wants("each") for person in everybody.values()):
            return
        named = {each for review in reviews.values() for each in review.assignees or ()}
        named |= {group for entry in relevant for group in _previous_assignees(entry).get("groups", ())}
        reviewers = await load_reviewers(tx, account_ids, everybody, named)
        selector = _RecipientSelector(reviewers, people)
        first_news: dict[str, int] = {}
        rows: list[tuple[LogEntry, list[str] | None]] = []
        for entry in relevant:
            review = reviews[entry.object_id]
            new_reviewers = selector.list_new_reviewers(entry, review)
            receivers = selector.list_recipients(entry, review, new_reviewers)
            if receivers:
                rows.append((entry, new_reviewers))
            for user_id in receivers:
                first_news.setdefault(user_id, entry.entry_id)
        await _write_news(tx, rows)
        await self._collect(tx, first_news, everybody)

    async def _collect(self, tx: Executor, first_news: Mapping[str, int], people: Mapping[str, Recipient]) -> None:
        """Schedule a mail for everyone who has none scheduled yet."""
        if not first_news:
            return
        user_ids = sorted(first_news)
        await tx.execute(
            """
            insert into notified_people (user_id, account_id)
            select * from unnest($1::text[], $2::text[]) as p (user_id, account_id) order by user_id
            on conflict do nothing
            """,
            user_ids,
            [people[user_id].account_id for user_id in user_ids],
        )
        rows = await tx.fetch(
            """
            select user_id, mailed_at, streak from notified_people
            where user_id = any($1::text[]) and mail_at is null order by user_id for update
            """,
            user_ids,
        )
        now = self._clock()
        nexts = [next_mail(self._pace, row["mailed_at"], row["streak"], now) for row in rows]
        await tx.execute(
            """
            update notified_people p set news_from = n.news_from, mail_at = n.mail_at, streak = n.streak
            from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::integer[])
                as n (user_id, news_from, mail_at, streak)
            where p.user_id = n.user_id
            """,
            [row["user_id"] for row in rows],
            [first_news[row["user_id"]] for row in rows],
            [each.at for each in nexts],
            [each.streak for each in nexts],
        )


class _RecipientSelector:
    """Determines who is notified of an entry. Data shared by thousands of entries is read once."""

    def __init__(self, reviewers: ReviewerDirectory, people: Mapping[str, Mapping[str, Recipient]]) -> None:
        self._reviewers = reviewers
        self._people = people
        self._addresses = {person.address: user_id for user_id, person in reviewers.people.items()}
        self._subscribers: dict[tuple[str, str], frozenset[str]] = {}

    def list_new_reviewers(self, entry: LogEntry, review: _Review) -> list[str] | None:
        """Return those who weren't assigned before; None if that doesn't matter."""
        if NOTIFICATIONS[entry.action] not in NEW_REVIEWER_NEWS:
            return None
        before = _previous_assignees(entry)
        users = (self._addresses[email] for email in before.get("users", ()) if email in self._addresses)
        return sorted(
            self._get_assigned_users(review) - self._reviewers.find_members([*users, *before.get("groups", ())])
        )

    def list_recipients(self, entry: LogEntry, review: _Review, new_reviewers: list[str] | None) -> Collection[str]:
        recipients = self._get_subscribers(review.account_id, review.agent_id)
        if new_reviewers is not None:
            recipients = recipients.intersection(new_reviewers)
        elif review.assignees is not None:
            recipients = recipients & self._reviewers.find_members(review.assignees)
        return recipients - {entry.person} if entry.person in recipients else recipients

    def _get_assigned_users(self, review: _Review) -> set[str]:
        if review.assignees is None:
            return set(self._people[review.account_id])
        return self._reviewers.find_members(review.assignees)

    def _get_subscribers(self, account_id: str, agent_id: str) -> frozenset[str]:
        known = self._subscribers.get((account_id, agent_id))
        if known is None:
            people = self._people[account_id].values()
            known = frozenset(person.user_id for person in people if person.choice(agent_id) == "each")
            self._subscribers[account_id, agent_id] = known
        return known


def _previous_assignees(entry: LogEntry) -> dict[str, Any]:
    """Return the previous assignees from the history: `users` by email, `groups` by ID."""
    return (entry.details or {}).get("from") or {} if NOTIFICATIONS[entry.action] in NEW_REVIEWER_NEWS else {}


async def _read_open_reviews(tx: Executor, entries: Iterable[LogEntry]) -> dict[str, _Review]:
    """Return reviews that still wait for people. Auto-approved reviews and submitted trigger forms never do."""
    places = {(entry.account_id, entry.object_id) for entry in entries}
    rows = await tx.fetch(
        """
        select r.account_id, r.review_id, r.agent_id, r.assigned
        from unnest($1::text[], $2::text[]) as e (account_id, review_id) join reviews r using (account_id, review_id)
        where r.phase = 'open'
        """,
        [account_id for account_id, _ in places],
        [review_id for _, review_id in places],
    )
    assigned = [row for row in rows if row["assigned"]]
    assignees = await tx.fetch(
        """
        select a.review_id, a.assignee_id
        from unnest($1::text[], $2::text[]) as r (account_id, review_id)
        join review_assignees a using (account_id, review_id)
        """,
        [row["account_id"] for row in assigned],
        [row["review_id"] for row in assigned],
    )
    by_review: defaultdict[str, set[str]] = defaultdict(set)
    for row in assignees:
        by_review[row["review_id"]].add(row["assignee_id"])
    return {
        row["review_id"]: _Review(
            row["account_id"],
            row["agent_id"],
            frozenset(by_review[row["review_id"]]) if row["assigned"] else None,
        )
        for row in rows
    }


async def _write_news(tx: Executor, rows: Sequence[tuple[LogEntry, list[str] | None]]) -> None:
    # The lists of people are sent as JSON: nested arrays would all need the same length.
    await tx.execute(
        """
        insert into review_news (account_id, entry_id, review_id, news, actor_id, newly)
        select n.account_id, n.entry_id, n.review_id, n.news, n.actor_id,
               case when n.newly is not null then array(select json_array_elements_text(n.newly::json)) end
        from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
            as n (account_id, entry_id, review_id, news, actor_id, newly)
        """,
        [entry.account_id for entry, _ in rows],
        [entry.entry_id for entry, _ in rows],
        [entry.object_id for entry, _ in rows],
        [NOTIFICATIONS[entry.action] for entry, _ in rows],
        [entry.person for entry, _ in rows],
        [orjson.dumps(newly).decode() if newly is not None else None for _, newly in rows],
    )
