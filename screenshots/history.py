"""Seven weeks of history: decided reviews and their deliveries, copied to earlier dates with varied outcomes."""

import os
import random
from datetime import UTC, datetime, timedelta
from typing import Any

from signoff.platform.db import Database, Executor
from signoff.platform.ids import id_at

DAYS = 45
REVIEWERS = ("ann@example.com", "bo@example.com", "owner@example.com")

COPY_REVIEW = """
    insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id, title,
                         state, response, responding_user, responding_user_id, responded_at, auto_approved,
                         edited_fields, created_at, updated_at)
    select account_id, $2, agent_id, form_id, form_version, form_name, session_id, run_id, title,
           'responded', $5, $6, $6, $4, $7, $8, $3, $4
    from reviews where review_id = $1
"""
COPY_CONTENT = """
    insert into review_revisions (account_id, review_id, revision, data, config, meta, created_at)
    select account_id, $2, revision, data, config, meta, $3 from review_revisions where review_id = $1
"""
COPY_RESULT = """
    insert into review_results (account_id, review_id, data, response_values)
    select account_id, $2, data, response_values from review_results where review_id = $1
"""
COPY_DELIVERY = """
    with copied as (
        insert into deliveries (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id,
                                review_id, form_id, form_name, status, ok, status_code, attempt_count, max_attempts,
                                triggered_at, updated_at)
        select $3, account_id, event_id, event, target, url_source, url, agent_id, session_id,
               $2, form_id, form_name, $5, $5 = 'succeeded', case when $5 = 'succeeded' then 200 else 503 end, $6,
               max_attempts, $4, $4
        from deliveries where review_id = $1 and target = 'agent' limit 1
        returning *
    )
    insert into outgoing_messages (message_id, account_id, channel, destination, state, attempt_count, max_attempts,
                                   error, settled_at, created_at)
    select delivery_id, account_id, 'webhook', substring(url from '^[^/]*//[^/?#]*'),
           case when ok then 'sent' else 'failed' end, attempt_count, max_attempts,
           case when not ok then '503 Service Unavailable' end, $4, $4
    from copied
"""


async def create_history(dsn: str) -> None:
    """Workdays are busier than weekends and mornings than evenings, and reviewers get faster over the weeks."""
    rng = random.Random(7)
    db = await Database.connect(dsn, size=1)
    try:
        async with db.transaction() as tx:
            decided = [
                row["review_id"] for row in await tx.fetch("select review_id from reviews where state = 'responded'")
            ]
            for day in range(DAYS, 0, -1):
                midnight = datetime.now(UTC).replace(hour=0, minute=0) - timedelta(days=day)
                count = rng.randint(2, 5) if midnight.weekday() > 4 else rng.randint(9, 18)
                for _ in range(count):
                    hour = min(19.5, max(6.0, rng.gauss(10.5 if rng.random() < 0.65 else 14.5, 1.6)))
                    await _copy(tx, rng, rng.choice(decided), midnight + timedelta(hours=hour), day)
            await _backdate_pending(tx)
            for table in ("deliveries", "review_results", "review_revisions", "reviews"):
                await tx.execute(f"delete from {table} where review_id = any($1)", decided)  # noqa: S608
    finally:
        await db.close()


async def _copy(tx: Executor, rng: random.Random, review_id: str, requested_at: datetime, day: int) -> None:
    seconds = min(rng.lognormvariate(6.2 + day / DAYS, 1.1), day * 86_400 / 2)
    decided_at = requested_at + timedelta(seconds=seconds)
    new_id, delivery_id = _id("rev", requested_at), _id("whd", decided_at)
    auto = rng.random() < 0.12
    response = "approved" if auto or rng.random() < 0.86 else "rejected"
    edited = [rng.choice(["headline", "text", "reply", "supplier"])] if not auto and rng.random() < 0.4 else None
    reviewer = "auto-approve" if auto else rng.choice(REVIEWERS)
    row: list[Any] = [review_id, new_id, requested_at, decided_at, response, reviewer, auto, edited]
    await tx.execute(COPY_REVIEW, *row)
    await tx.execute(COPY_CONTENT, review_id, new_id, requested_at)
    await tx.execute(COPY_RESULT, review_id, new_id)
    failure = rng.random()
    status, attempts = ("dead", 7) if failure < 0.012 else ("succeeded", 2 if failure < 0.07 else 1)
    await tx.execute(COPY_DELIVERY, review_id, new_id, delivery_id, decided_at, status, attempts)


async def _backdate_pending(tx: Executor) -> None:
    """Keep their order. A review's ID has its creation time, so it changes too, wherever it is."""
    pending = [
        row["review_id"]
        for row in await tx.fetch("select review_id from reviews where state = 'pending' order by review_id")
    ]
    references = await tx.fetch(
        """
        select table_name, column_name from information_schema.columns join information_schema.tables
            using (table_schema, table_name)
        where table_schema = current_schema() and table_type = 'BASE TABLE'
          and (column_name = 'review_id' or (table_name, column_name) = ('audit_log', 'object_id'))
        """
    )
    for place, review_id in enumerate(pending, 1):
        minutes = 7 + (len(pending) - place) * 41 + place * 13 % 29
        created_at = datetime.now(UTC) - timedelta(minutes=minutes)
        new_id = _id("rev", created_at)
        await tx.execute("update reviews set created_at = $2 where review_id = $1", review_id, created_at)
        for table, column in references:
            await tx.execute(
                f"update {table} set {column} = $2 where {column} = $1",  # noqa: S608
                review_id,
                new_id,
            )


def _id(prefix: str, moment: datetime) -> str:
    return id_at(prefix, moment) + os.urandom(8).hex()
