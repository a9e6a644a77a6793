"""Writing new reviews: many at once in one statement, which is one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from signoff.accounts.actors import Actor
from signoff.accounts.usage.meter import usage_insert_sql
from signoff.platform.db import Executor, Row, json_texts
from signoff.platform.idempotency import TAKE_KEY
from signoff.platform.jobs.queue import enqueue_sql
from signoff.reviews.deadlines import DEADLINE_JOB, Deadline
from signoff.reviews.jobs import INDEX_REVIEW_JOB
from signoff.reviews.review_media import COPY_ORDERED, ORDERED, IngestedMedia, order_columns

ReviewersSetBy = Literal["request", "form", "person"]
"""Whose choice a review's reviewers are. Only a request's own choice can be replaced by a key's update."""


@dataclass(frozen=True, slots=True)
class NewReview:
    account_id: str
    review_id: str
    agent_id: str
    form_id: str
    form_version: int
    form_name: str
    session_id: str
    run_id: str | None
    run_name: str | None
    prev_steps: list[str] | None
    title: str | None
    data: dict[str, Any]
    config: dict[str, Any] | None
    meta: dict[str, Any] | None
    webhook_url: str | None
    key: str | None
    """The idempotency key. Reviews with one are written by themselves: two may have the same."""
    body_hash: bytes | None
    answer: dict[str, Any] | None
    actor: Actor
    assignees: list[str]
    externals: list[tuple[str, bytes]]
    """Address and token hash of each external reviewer."""
    externals_until: datetime
    size: int
    """Bytes of the request."""
    media: IngestedMedia | None
    reviewers_set_by: ReviewersSetBy
    given_title: str | None
    """What the request has as its title; `title` may be a field's text."""
    webhook_events: list[str] | None
    """Those that `webhook_url` receives; None: the default ones."""
    batch_id: str | None = None
    batch_size: int | None = None
    external_language: str | None = None
    due: Deadline | None = None
    """When its review type's time limits come to act on it first."""


DUE = "join unnest($45::text[], $46::timestamptz[], $47::text[]) as due (review_id, at, action) using (review_id)"
WHEN_DUE = f"""), overdue as (
        {enqueue_sql(DEADLINE_JOB, f"select account_id || '/' || review_id, due.at from new {DUE}")}
    """  # noqa: S608


def _statement(*, held: str = "", if_held: str = "", used: str = "", timed: bool = False) -> str:
    """Writes nothing of a review unless its type is still the one that the request was checked against, its agent
    exists, and its idempotency key is new. The parameters are SQL to put in, for the media of reviews; `timed` is for
    reviews that are due at some time, all of them.
    """
    columns, values, due = (", due_at, due_step, due_action", ", due.at, 0, due.action", DUE) if timed else ("", "", "")
    return f"""
    with request as (
        select * from unnest(
            $1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[],
            $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
            $17::bytea[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $30::bigint[],
            $31::text[], $32::text[], $33::text[], $34::text[], $35::text[], $36::integer[],
            $37::text[]
        ) as r (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
                run_name, prev_steps, title, data, config, meta, webhook_url, key,
                body_hash, answer, actor_kind, actor_id, actor_name, ip, request_id, size,
                requested_by, reviewers_set_by, given_title, webhook_events, batch_id, batch_size,
                external_language)
    {held}), valid as (
        select r.* from request r
        join forms f on f.account_id = r.account_id and f.form_id = r.form_id
                    and f.version = r.form_version and f.archived_at is null
        join agents a on a.account_id = r.account_id and a.agent_id = r.agent_id and a.deleted_at is null
    {if_held}), key as (
        insert into idempotency_keys as k (account_id, key, body_hash, answer)
        select account_id, key, body_hash, answer::json from valid where key is not null
        {TAKE_KEY} returning account_id, key
    ), new as materialized (
        select * from valid v
        where v.key is null or exists (select from key k where k.account_id = v.account_id and k.key = v.key)
    ), review as (
        insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
                             prev_steps, title, requested_by, reviewers_set_by, batch_id, external_language, state,
                             assigned{columns})
        select account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
               prev_steps::json, title, requested_by, reviewers_set_by, batch_id, external_language, 'pending',
               review_id = any($24::text[]) or review_id = any($26::text[]){values} from new {due}
    ), revision as (
        insert into review_revisions (account_id, review_id, revision, data, config, meta, webhook_url, title,
                                      webhook_events)
        select account_id, review_id, 1, data::json, config::json, meta::json, webhook_url, given_title,
               webhook_events::json from new
    ), session as (
        insert into sessions (account_id, session_id, agent_id) select account_id, session_id, agent_id from new
        order by account_id, session_id
        on conflict do nothing
    ), active as (
        -- Existing sessions only. Skips those that were active a moment ago or that are locked, for example by someone
        -- who writes a message: requests must not queue for a busy session.
        update sessions s set active_at = now()
        from (select distinct account_id, session_id from new) as n
        cross join lateral (
            select o.account_id, o.session_id from sessions o
            where o.account_id = n.account_id and o.session_id = n.session_id
              and o.active_at < now() - interval '1 second'
            for no key update skip locked
        ) as quiet
        where s.account_id = quiet.account_id and s.session_id = quiet.session_id
    ), run as (
        insert into runs as r (account_id, run_id, name)
        select distinct on (account_id, run_id) account_id, run_id, run_name from new where run_id is not null
        order by account_id, run_id, run_name nulls last
        on conflict (account_id, run_id) do update set name = coalesce(excluded.name, r.name)
    ), batch as (
        insert into batches as b (account_id, batch_id, size, added)
        select account_id, batch_id, max(batch_size), count(*) from new where batch_id is not null
        group by account_id, batch_id order by account_id, batch_id
        on conflict (account_id, batch_id) do update set
            size = coalesce(excluded.size, b.size), added = b.added + excluded.added, completed_at = null
    ), meta as (
        insert into review_meta (account_id, term, review_id)
        select new.account_id, t.term, new.review_id from new cross join lateral meta_terms(new.meta::json) as t (term)
        where new.meta is not null
    ), assignee as (
        insert into review_assignees (account_id, review_id, assignee_id)
        select new.account_id, review_id, assignee_id
        from unnest($24::text[], $25::text[]) as a (review_id, assignee_id) join new using (review_id)
    ), external as (
        insert into external_reviewers (account_id, review_id, email, token_hash, expires_at)
        select new.account_id, review_id, email, token_hash, expires_at
        from unnest($26::text[], $27::text[], $28::bytea[], $29::timestamptz[])
            as e (review_id, email, token_hash, expires_at) join new using (review_id)
    ), log as (
        insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id, ip, request_id)
        select account_id, actor_kind, actor_id, actor_name, 'review.requested', review_id, ip, request_id from new
    ), usage as (
        {usage_insert_sql("select account_id, count(*), sum(size) from new group by account_id")}
    {used}{WHEN_DUE if timed else ""}), job as (
        {enqueue_sql(INDEX_REVIEW_JOB, "select account_id || '/' || review_id, now() from new")}
    )
    select review_id from new
    """  # noqa: S608


INSERT = _statement()

# For reviews that show media, a statement of its own, so that the others do not pay for it. A review is written only if
# all its media is still there; the lock keeps it there until the uses are committed.
_MEDIA: dict[str, Any] = {
    "held": """), wanted as (
        select * from unnest($38::text[], $39::text[]) as w (review_id, media_id)
    ), held as materialized (
        select m.account_id, w.review_id, m.media_id
        from wanted w join request r using (review_id)
        join media m on m.account_id = r.account_id and m.media_id = w.media_id
        order by m.account_id, m.media_id for key share of m
    """,
    "if_held": """
        left join (select review_id, count(*) as media from wanted group by review_id) w using (review_id)
        left join (select review_id, count(*) as media from held group by review_id) h using (review_id)
        where w.media is not distinct from h.media
    """,
    "used": f"""), used as (
        insert into media_uses (account_id, review_id, media_id)
        select held.account_id, review_id, media_id from held join new using (review_id)
    ), orders as (
        select * from unnest($40::text[], $41::text[], $42::text[], $43::text[], $44::text[])
            as o (review_id, copy_id, url, kind, transform) join new using (review_id)
    ), ordered as (
        {ORDERED.format(account_id="account_id", review_id="review_id", orders="orders")}
        returning account_id, copy_id
    ), copying as (
        {COPY_ORDERED}
    """,  # noqa: S608
}
INSERT_WITH_MEDIA = _statement(**_MEDIA)

# The same for reviews with time limits, whether they show media or not.
INSERT_TIMED = _statement(**_MEDIA, timed=True)

COLUMNS = [column.name for column in fields(NewReview)][:18]
"""Those that are a plain value each, in the order of the parameters."""
JSON_COLUMNS = frozenset({"prev_steps", "data", "config", "meta", "answer"})
OF_THE_ACTOR = ("kind", "id", "name", "ip", "request_id")


async def insert_reviews(db: Executor, reviews: Sequence[NewReview]) -> list[bool]:
    """True for each that was written."""
    return _written(reviews, await db.fetch(INSERT, *_parameters(reviews)))


async def insert_reviews_with_media(db: Executor, reviews: Sequence[NewReview]) -> list[bool]:
    """True for each that was written, with its uses of media and the orders for copies."""
    return _written(reviews, await db.fetch(INSERT_WITH_MEDIA, *_parameters(reviews), *_of_media(reviews)))


async def insert_timed_reviews(db: Executor, reviews: Sequence[NewReview]) -> list[bool]:
    """The same for reviews that are `due`, and the jobs that come when they are."""
    due = [(review.review_id, review.due) for review in reviews if review.due]
    rows = await db.fetch(
        INSERT_TIMED,
        *_parameters(reviews),
        *_of_media(reviews),
        [review_id for review_id, _ in due],
        [each.at for _, each in due],
        [each.action for _, each in due],
    )
    return _written(reviews, rows)


def _of_media(reviews: Sequence[NewReview]) -> list[list[Any]]:
    uses = [(review.review_id, media_id) for review in reviews if review.media for media_id in review.media.uses]
    orders = [(review.review_id, order) for review in reviews if review.media for order in review.media.copies]
    return [
        [review_id for review_id, _ in uses],
        [media_id for _, media_id in uses],
        [review_id for review_id, _ in orders],
        *order_columns([order for _, order in orders]),
    ]


def _written(reviews: Sequence[NewReview], rows: Sequence[Row]) -> list[bool]:
    written = {row["review_id"] for row in rows}
    return [review.review_id in written for review in reviews]


def _column(reviews: Sequence[NewReview], name: str) -> list[Any]:
    values = [getattr(review, name) for review in reviews]
    return json_texts(values) if name in JSON_COLUMNS else values


def _parameters(reviews: Sequence[NewReview]) -> list[list[Any]]:
    externals = [(review, email, token) for review in reviews for email, token in review.externals]
    return [
        *(_column(reviews, name) for name in COLUMNS),
        *([getattr(review.actor, name) for review in reviews] for name in OF_THE_ACTOR),
        [review.review_id for review in reviews for _ in review.assignees],
        [assignee for review in reviews for assignee in review.assignees],
        [review.review_id for review, _, _ in externals],
        [email for _, email, _ in externals],
        [token for _, _, token in externals],
        [review.externals_until for review, _, _ in externals],
        [review.size for review in reviews],
        [review.actor.requester_id for review in reviews],
        [review.reviewers_set_by for review in reviews],
        [review.given_title for review in reviews],
        json_texts(review.webhook_events for review in reviews),
        [review.batch_id for review in reviews],
        [review.batch_size for review in reviews],
        [review.external_language for review in reviews],
    ]
