"""Generated history, written directly into the database, and the same numbers computed in plain Python."""

import random
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from signoff.platform.db import Database

FIELDS = ("headline", "body", "score")


@dataclass(frozen=True, slots=True)
class PastReview:
    """One past review."""

    review_id: str
    agent_id: str
    form_id: str
    created_at: datetime
    responded_at: datetime | None = None
    response: str | None = None
    auto_approved: bool = False
    person: str = ""
    waiting: bool = False
    edited: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    @property
    def by_people(self) -> bool:
        return self.responded_at is not None and not self.auto_approved

    @property
    def seconds(self) -> float:
        assert self.responded_at is not None
        return (self.responded_at - self.created_at).total_seconds()


@dataclass(frozen=True, slots=True)
class PastDelivery:
    delivery_id: str
    agent_id: str
    form_id: str
    triggered_at: datetime
    status: str
    attempts: tuple[int, ...]
    """How long each took, in milliseconds."""


def id_at(chance: random.Random, prefix: str, moment: datetime) -> str:
    return f"{prefix}_{int(moment.timestamp() * 1000):012x}{chance.getrandbits(64):016x}"


def random_moment(chance: random.Random, first: date, days: int) -> datetime:
    begin = datetime(first.year, first.month, first.day, tzinfo=UTC) - timedelta(days=days + 1)
    return begin + timedelta(
        milliseconds=chance.randrange(int(timedelta(days=2 * days + 2) / timedelta(milliseconds=1)))
    )


def make_past_reviews(
    chance: random.Random, size: int, first: date, days: int, places: list[tuple[str, str]], people: list[str]
) -> list[PastReview]:
    """Reviews of the period and of the previous one, and some outside of both."""
    past: list[PastReview] = []
    for _ in range(size):
        agent_id, form_id = chance.choice(places)
        created = random_moment(chance, first, days)
        review_id = id_at(chance, "rev", created)
        if chance.random() < 0.15:
            past.append(PastReview(review_id, agent_id, form_id, created, waiting=chance.random() < 0.3))
            continue
        responded = created + timedelta(
            milliseconds=chance.choice([0, chance.randrange(10**5), chance.randrange(10**9)])
        )
        auto = chance.random() < 0.2
        response = "approved" if auto else chance.choice(["approved", "approved", "rejected", None])
        marks = chance.sample(FIELDS, chance.randrange(4))
        cut = chance.randrange(len(marks) + 1)
        person = "system" if auto else chance.choice(people)
        past.append(
            PastReview(
                review_id,
                agent_id,
                form_id,
                created,
                responded,
                response,
                auto,
                person,
                edited=tuple(marks[:cut]),
                absent=tuple(marks[cut:]),
            )
        )
    return past


def make_deliveries(
    chance: random.Random, size: int, first: date, days: int, places: list[tuple[str, str]]
) -> list[PastDelivery]:
    deliveries: list[PastDelivery] = []
    for _ in range(size):
        moment = random_moment(chance, first, days)
        status = chance.choice(["succeeded"] * 5 + ["retrying", "dead", "pending", "delivering"])
        attempts = (
            () if status == "pending" else tuple(chance.randrange(500) for _ in range(chance.choice([1, 1, 2, 7])))
        )
        deliveries.append(PastDelivery(id_at(chance, "whd", moment), *chance.choice(places), moment, status, attempts))
    return deliveries


async def write_past_reviews(db: Database, account_id: str, past: list[PastReview]) -> None:
    await db.pool.executemany(
        """
        insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, state,
                             retry_requested, response, auto_approved, responding_user, responding_user_id,
                             responded_at, created_at, edited_fields, absent_fields)
        values ($1, $2, $3, $4, 1, 'Past', $2, case when $5::timestamptz is null then 'pending' else 'responded' end,
                $6, $7, $8, $9, $9, $5, $10, $11, $12)
        """,
        [
            (
                account_id, row.review_id, row.agent_id, row.form_id, row.responded_at, row.waiting, row.response,
                row.auto_approved, row.person or None, row.created_at, list(row.edited) or None,
                list(row.absent) or None,
            )
            for row in past
        ],
    )  # fmt: skip


STATES = {"succeeded": "sent", "dead": "failed", "delivering": "sending", "pending": "queued", "retrying": "queued"}


async def write_deliveries(db: Database, account_id: str, made: list[PastDelivery]) -> None:
    await db.pool.executemany(
        """
        with message as (
            insert into outgoing_messages
                (message_id, account_id, channel, destination, state, settled_at, claimed_at, attempts, duration_ms,
                 first_ok, created_at)
            values ($1, $2, 'webhook', 'http://127.0.0.1:9', $5, case when $5 in ('sent', 'failed') then now() end,
                    case when $5 = 'sending' then now() end, $6, $7, $8, $9)
        )
        insert into deliveries (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id,
                                form_id, triggered_at)
        values ($1, $2, $1, 'review.completed', 'agent', 'agent', 'http://127.0.0.1:9', $3, 'ses', $4, $9)
        """,
        [
            (
                row.delivery_id, account_id, row.agent_id, row.form_id, STATES[row.status],
                [{"durationMs": duration} for duration in row.attempts], row.attempts[-1] if row.attempts else None,
                len(row.attempts) == 1 if row.attempts else None, row.triggered_at,
            )
            for row in made
        ],
    )  # fmt: skip


def percentile(values: list[float], part: float) -> float | None:
    """By definition: interpolated between two values."""
    if not values:
        return None
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def tally(requested: int, responded: list[PastReview]) -> dict[str, Any]:
    human = [past_review for past_review in responded if past_review.by_people]
    approved = [each for each in human if each.response == "approved"]
    seconds = [each.seconds for each in human]
    return {
        "requested": requested,
        "decided": len(human),
        "approved": len(approved),
        "rejected": sum(each.response == "rejected" for each in human),
        "edited": sum(bool(each.edited) for each in approved),
        "autoApproved": sum(each.auto_approved for each in responded),
        "medianSeconds": percentile(seconds, 0.5),
        "p90Seconds": percentile(seconds, 0.9),
    }


class ExpectedCounts:
    """All counts by local dates and hours, one review after the other."""

    def __init__(self, past: list[PastReview], first: date, days: int, zone: str) -> None:
        self.zone = ZoneInfo(zone)
        self.first, self.days = first, days
        self.requested = [past_review for past_review in past if self.within(past_review.created_at, first)]
        self.responded = [each for each in past if each.responded_at and self.within(each.responded_at, first)]
        self.human = [each for each in self.responded if each.by_people]
        before = first - timedelta(days=days)
        self.previous = tally(
            sum(self.within(each.created_at, before) for each in past),
            [each for each in past if each.responded_at and self.within(each.responded_at, before)],
        )
        self.totals = tally(len(self.requested), self.responded)

    def within(self, moment: datetime, first: date) -> bool:
        return first <= moment.astimezone(self.zone).date() < first + timedelta(days=self.days)

    def by(self, member: str) -> dict[str, dict[str, Any]]:
        names = {getattr(past_review, member) for past_review in [*self.requested, *self.responded]}
        return {
            name: tally(
                sum(getattr(each, member) == name for each in self.requested),
                [each for each in self.responded if getattr(each, member) == name],
            )
            for name in names
        }

    def by_bucket(self, starts: list[datetime]) -> list[dict[str, Any]]:
        ends = [*starts[1:], datetime.max.replace(tzinfo=UTC)]
        return [
            tally(
                sum(start <= past_review.created_at < end for past_review in self.requested),
                [each for each in self.responded if each.responded_at and start <= each.responded_at < end],
            )
            for start, end in zip(starts, ends, strict=True)
        ]

    def hours(self, moments: list[datetime]) -> list[list[int]]:
        counted = Counter(
            (local.weekday(), local.hour) for local in (moment.astimezone(self.zone) for moment in moments)
        )
        return [[counted[day, hour] for hour in range(24)] for day in range(7)]

    def fields(self) -> dict[tuple[str, str], tuple[int, int]]:
        approved = [past_review for past_review in self.human if past_review.response == "approved"]
        counted = {
            (form_id, field): (
                sum(each.form_id == form_id and field not in each.absent for each in approved),
                sum(each.form_id == form_id and field in each.edited for each in approved),
            )
            for form_id in {each.form_id for each in approved}
            for field in FIELDS
        }
        return {name: counts for name, counts in counted.items() if counts[0]}
