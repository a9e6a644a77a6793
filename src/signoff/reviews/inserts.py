"""Insert new reviews: many at once in one statement, which is one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal

from signoff.accounts.actors import ActorColumns
from signoff.accounts.usage.meter import usage_insert_sql
from signoff.platform.db import Executor
from signoff.platform.idempotency import REPLACE_EXPIRED_KEY
from signoff.platform.jobs.queue import insert_jobs, wake_workers
from signoff.platform.pubsub import account_topic, publish
from signoff.platform.sql import Json, PgType, Rows, Sql
from signoff.reviews.deadlines import DEADLINE_JOB
from signoff.reviews.search_words import search_words

ReviewersSetBy = Literal["request", "form", "person"]
"""Who chose a review's reviewers. A key's update can only replace those that a request chose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRow:
    """A requested review: what is written once for each."""

    account_id: str
    review_id: str
    agent_id: str
    form_id: str
    form_version: Annotated[int, PgType("integer")]
    form_name: str
    session_id: str
    run_id: str | None
    run_name: str | None
    prev_steps: Json
    title: str | None
    given_title: str | None
    """The title in the request; `title` may be the text of a field."""
    data: Json
    config: Json
    meta: Json
    webhook_url: str | None
    webhook_events: Json
    """The events that `webhook_url` receives; None means the default ones."""
    key: str | None
    """The idempotency key. Reviews with a key are inserted separately: two of them may have the same key."""
    body_hash: bytes | None
    answer: Json
    actor: ActorColumns
    reviewers_set_by: ReviewersSetBy
    assigned: bool
    """Whether it has assignees or external reviewers."""
    size: int
    """Bytes of the request."""
    external_language: str | None = None
    batch_id: str | None = None
    batch_size: Annotated[int | None, PgType("integer")] = None
    due_at: datetime | None = None
    """When the first step of its review type's deadline comes, if it has any."""
    due_action: str | None = None
    words: str = field(init=False)
    """What the review is found by."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", search_words(self.title, self.data))


@dataclass(frozen=True, slots=True)
class ExternalRow:
    review_id: str
    email: str
    token_hash: bytes
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class _AssigneeRow:
    review_id: str
    assignee_id: str


@dataclass(frozen=True, slots=True)
class NewReview:
    row: RequestRow
    assignees: Sequence[str] = ()
    externals: Sequence[ExternalRow] = ()

    @property
    def review_id(self) -> str:
        return self.row.review_id


# Inserts a review only if its type is still the one that the request was validated against, its agent exists, and its
# idempotency key is new.
INSERT = Sql(
    """
    with request as (
        select * from {requests} as r
    ), valid as (
        select r.* from request r
        join forms f on f.account_id = r.account_id and f.form_id = r.form_id
                    and f.version = r.form_version and f.archived_at is null
        join agents a on a.account_id = r.account_id and a.agent_id = r.agent_id and a.deleted_at is null
    ), key as (
        insert into idempotency_keys as k (account_id, key, body_hash, answer)
        select account_id, key, body_hash, answer from valid where key is not null
        {take_key} returning account_id, key
    ), new as materialized (
        select * from valid v
        where v.key is null or exists (select from key k where k.account_id = v.account_id and k.key = v.key)
    ), review as (
        insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
                             prev_steps, title, requested_by, reviewers_set_by, batch_id, external_language, state,
                             assigned, due_at, due_step, due_action)
        select account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
               prev_steps, title, actor_requester_id, reviewers_set_by, batch_id, external_language, 'pending',
               assigned, due_at, case when due_at is not null then 0 end, due_action
        from new
    ), revision as (
        insert into review_revisions (account_id, review_id, revision, data, config, meta, webhook_url, title,
                                      webhook_events)
        select account_id, review_id, 1, data, config, meta, webhook_url, given_title, webhook_events from new
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
        select new.account_id, t.term, new.review_id from new cross join lateral meta_terms(new.meta) as t (term)
        where new.meta is not null
    ), assignee as (
        insert into review_assignees (account_id, review_id, assignee_id)
        select new.account_id, review_id, assignee_id from {assignees} as a join new using (review_id)
    ), external as (
        insert into external_reviewers (account_id, review_id, email, token_hash, expires_at)
        select new.account_id, review_id, email, token_hash, expires_at
        from {externals} as e join new using (review_id)
    ), log as (
        insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id, ip, request_id)
        select account_id, actor_kind, actor_id, actor_name, 'review.requested', review_id, actor_ip, actor_request_id
        from new
    ), usage as (
        {count_usage}
    ), search as (
        insert into review_search (account_id, review_id, document)
        select account_id, review_id, to_tsvector('simple', words) from new
    ), job as (
        {deadlines}
    )
    select review_id from new
    """,
    requests=Rows("requests", RequestRow),
    assignees=Rows("assignees", _AssigneeRow),
    externals=Rows("externals", ExternalRow),
    take_key=REPLACE_EXPIRED_KEY,
    count_usage=usage_insert_sql("select account_id, count(*), sum(size) from new group by account_id"),
    deadlines=insert_jobs(
        DEADLINE_JOB, "select account_id || '/' || review_id, due_at from new where due_at is not null"
    ),
)


async def insert_reviews(db: Executor, reviews: Sequence[NewReview]) -> list[bool]:
    """Insert reviews with their assignees, external reviewers, and jobs. Returns True for each inserted one.

    `attach_media` writes their media, in the same transaction.
    """
    rows = await INSERT.fetch(
        db,
        requests=[review.row for review in reviews],
        assignees=[_AssigneeRow(each.review_id, assignee) for each in reviews for assignee in each.assignees],
        externals=[external for review in reviews for external in review.externals],
    )
    written = {row["review_id"] for row in rows}
    if any(review.row.due_at is not None for review in reviews):
        wake_workers(db)
    publish(db, *{account_topic(review.row.account_id) for review in reviews if review.review_id in written})
    return [review.review_id in written for review in reviews]
