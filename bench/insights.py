"""What the page of insights asks for, with more and more reviews of one year stored; one in ten is pending.

In an account of its own, so that the other benches find theirs as it was.
"""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from bench.copying import bulk_load
from bench.environment import Environment
from bench.requests import measure_reads
from signoff.accounts.actors import DEFAULT_SCOPES
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.passwords import passwords
from signoff.accounts.setup import create_account
from signoff.insights.rollups import roll_up
from signoff.platform.db import Database

PERIODS = {"a week": 7, "30 days": 30, "a quarter": 92, "a year": 366}
FORMS = 20
INSERT_FORMS = """
    insert into agents (agent_id, account_id, name, webhook_secret)
    select 'agt_{account}_' || n, '{account}', 'Agent ' || n, '' from generate_series(0, 7) n;
    insert into forms (form_id, account_id, agent_id, name, version)
    select 'frm_{account}_' || n, '{account}', 'agt_{account}_' || n % 8, 'Review type ' || n, 1
    from generate_series(0, {forms} - 1) n;
    insert into form_versions (form_id, version, definition, created_by)
    select form_id, 1, '{{"fields": [{{"id": "headline", "type": "text"}}, {{"id": "score", "type": "number"}}]}}', ''
    from forms where account_id = '{account}';
"""
# Multiples of the golden ratio, without their whole part, are spread evenly however many there are.
TABLES = ["reviews", "outgoing_messages", "deliveries"]
INSERT_REVIEWS = """
    with made as materialized (
        select n, n * 7919 % {forms} as form, n % 10 = 0 as pending, n % 11 = 0 as auto,
               now() - interval '1 year' * (n * 0.6180339887498949 % 1)::float8 as at, '{account}' as account_id
        from generate_series({start} + 1, {upto}::bigint) n order by at
    ), named as (
        select *, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 16, '0') as id,
               least(now(), at + interval '1 second' * exp(4 + n % 6000 / 1000.0)) as responded_at
        from made
    ), reviews as (
        insert into reviews
            (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, title, state, response,
             auto_approved, responding_user, responding_user_id, responded_at, edited_fields, absent_fields, created_at)
        select account_id, 'rev_' || id, 'agt_{account}_' || form % 8, 'frm_{account}_' || form, 1, 'Bench',
               'ses_' || id, 'Past review', case when pending then 'pending' else 'responded' end,
               case when pending then null when n % 5 = 1 then 'rejected' else 'approved' end, auto and not pending,
               case when not pending then 'somebody@example.com' end, case when not pending then 'usr_' || n % 30 end,
               case when not pending then responded_at end, case when n % 3 = 1 then array['headline'] end,
               case when n % 4 = 1 then array['score'] end, at
        from named
    ), messages as (
        insert into outgoing_messages
            (message_id, account_id, channel, destination, state, attempt_count, max_attempts, attempts, first_ok,
             duration_ms, settled_at, updated_at, created_at)
        select 'whd_' || id, account_id, 'webhook', 'http://127.0.0.1',
               case when n % 50 = 1 then 'failed' else 'sent' end,
               1, 7, jsonb_build_array(jsonb_build_object('ok', n % 50 <> 1, 'statusCode', 200, 'durationMs', n % 100)),
               n % 50 <> 1, n % 100, at, at, at
        from named where not pending
    )
    insert into deliveries
        (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id, review_id, form_id,
         form_name, triggered_at)
    select 'whd_' || id, account_id, 'evt_' || id, 'review.completed', 'agent', 'agent', 'http://127.0.0.1/',
           'agt_{account}_' || form % 8, 'ses_' || id, 'rev_' || id, 'frm_{account}_' || form, 'Bench', at
    from named where not pending
"""


class Account:
    def __init__(self, environment: Environment, account_id: str, api_key: str) -> None:
        self.environment = replace(environment, account_id=account_id, api_key=api_key)
        self.filled = 0
        self.environment.execute(INSERT_FORMS.format(account=account_id, forms=FORMS))

    def fill(self, upto: int) -> None:
        names = {"account": self.environment.account_id, "forms": FORMS}
        with bulk_load(self.environment.dsn, TABLES) as connection:
            for start in range(self.filled, upto, 100_000):
                end = min(start + 100_000, upto)
                connection.execute(INSERT_REVIEWS.format(start=start, upto=end, **names))  # type: ignore[arg-type]
        self.filled = upto
        asyncio.run(_roll_up(self.environment))
        self.environment.execute("vacuum (analyze)")


async def _roll_up(environment: Environment) -> None:
    """As the worker does in a while."""
    db = await Database.connect(environment.dsn, size=1)
    try:
        await roll_up(db)
    finally:
        await db.close()


def open_account(environment: Environment) -> Account:
    return Account(environment, *asyncio.run(_create_account(environment)))


async def _create_account(environment: Environment) -> tuple[str, str]:
    db = await Database.connect(environment.dsn, size=1)
    try:
        async with db.transaction() as tx:
            password_hash = await passwords.hash("a password for the insights")
            made = await create_account(tx, email="insights@example.com", password_hash=password_hash, name="Insights")
            key = await insert_key(tx, made.actor, "bench", DEFAULT_SCOPES, made.user_id)
            return made.actor.account_id, key.api_key
    finally:
        await db.close()


def measure(account: Account, size: int, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    account.fill(size)
    environment = account.environment
    with environment.server("api"):
        results = {name: measure_reads(environment, _path(days), rounds, seconds) for name, days in PERIODS.items()}
        agent = _path(30, agentId=f"agt_{environment.account_id}_3")
        return results | {"30 days of one agent": measure_reads(environment, agent, rounds, seconds)}


def _path(days: int, **filters: str) -> str:
    today = datetime.now(UTC).date()
    asked = {"from": str(today - timedelta(days=days - 1)), "to": str(today), "timeZone": "Europe/Berlin"}
    return f"/api/v1/insights?{urlencode(asked | filters)}"
