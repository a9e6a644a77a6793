"""Writing new reviews: many at once in one statement, which is one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from signoff.accounts.actors import Actor
from signoff.platform.db import Executor
from signoff.platform.queue import enqueue
from signoff.reviews.idempotency import TAKE_KEY
from signoff.reviews.jobs import INDEX


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


# Writes nothing of a review unless its type is still the one that the request was checked against, its agent exists,
# and its idempotency key is new.
INSERT = f"""
    with request as (
        select * from unnest(
            $1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[],
            $9::text[], $10::json[], $11::text[], $12::json[], $13::json[], $14::json[], $15::text[], $16::text[],
            $17::bytea[], $18::json[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[]
        ) as r (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
                run_name, prev_steps, title, data, config, meta, webhook_url, key,
                body_hash, answer, actor_kind, actor_id, actor_name, ip, request_id)
    ), valid as (
        select r.* from request r
        join forms f on f.account_id = r.account_id and f.form_id = r.form_id
                    and f.version = r.form_version and f.archived_at is null
        join agents a on a.account_id = r.account_id and a.agent_id = r.agent_id and a.deleted_at is null
    ), key as (
        insert into idempotency_keys as k (account_id, key, body_hash, answer)
        select account_id, key, body_hash, answer from valid where key is not null
        {TAKE_KEY} returning account_id, key
    ), new as materialized (
        select * from valid v
        where v.key is null or exists (select from key k where k.account_id = v.account_id and k.key = v.key)
    ), review as (
        insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
                             prev_steps, title, state)
        select account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id,
               prev_steps, title, 'pending' from new
    ), revision as (
        insert into review_revisions (account_id, review_id, revision, data, config, meta, webhook_url)
        select account_id, review_id, 1, data, config, meta, webhook_url from new
    ), session as (
        insert into sessions (account_id, session_id, agent_id) select account_id, session_id, agent_id from new
        order by account_id, session_id
        on conflict do nothing
    ), run as (
        insert into runs as r (account_id, run_id, name)
        select distinct on (account_id, run_id) account_id, run_id, run_name from new where run_id is not null
        order by account_id, run_id, run_name nulls last
        on conflict (account_id, run_id) do update set name = coalesce(excluded.name, r.name)
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
    ), job as (
        {enqueue(INDEX, "select account_id || '/' || review_id, now() from new")}
    )
    select review_id from new
"""  # noqa: S608

COLUMNS = [column.name for column in fields(NewReview)][:18]
"""Those that are a plain value each, in the order of the parameters."""
OF_THE_ACTOR = ("kind", "id", "name", "ip", "request_id")


async def insert_reviews(db: Executor, reviews: Sequence[NewReview]) -> list[bool]:
    """True for each that was written."""
    externals = [(review, email, token) for review in reviews for email, token in review.externals]
    rows = await db.fetch(
        INSERT,
        *([getattr(review, name) for review in reviews] for name in COLUMNS),
        *([getattr(review.actor, name) for review in reviews] for name in OF_THE_ACTOR),
        [review.review_id for review in reviews for _ in review.assignees],
        [assignee for review in reviews for assignee in review.assignees],
        [review.review_id for review, _, _ in externals],
        [email for _, email, _ in externals],
        [token for _, _, token in externals],
        [review.externals_until for review, _, _ in externals],
    )
    written = {row["review_id"] for row in rows}
    return [review.review_id in written for review in reviews]
