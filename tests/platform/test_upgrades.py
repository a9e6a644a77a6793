"""Data of every earlier schema is migrated, and the service continues with it."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import asyncpg
import pytest
from support.api import assert_ok, sign_in_workspace
from support.in_process import Databases, Service, StartService

from signoff.platform.db import Database
from signoff.platform.migrate import known_revisions, migrate
from signoff.webhooks.queries import get_delivery

EARLIER = sorted(known_revisions())[:-1]
SINCE_THEN = {"approvedArguments", "changed", "reason"}
"""What a result of a later schema says beside what it always said."""
COLUMNS = """
    select c.relname as table, array_agg(a.attname order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and c.relname !~ '^alembic' group by c.relname
"""
REFERENCES = "select conrelid::regclass::text, confrelid::regclass::text from pg_constraint where contype = 'f'"
SCHEMA = """
    select table_name, column_name, data_type, is_nullable, column_default
    from information_schema.columns where table_schema = 'public' order by 1, 2
"""
INDEXES = "select indexdef from pg_indexes where schemaname = 'public' order by 1"


class SeededInstance(NamedTuple):
    service: Service
    reviews: dict[str, dict[str, Any]]
    pending: str


@pytest.fixture(scope="module")
async def seeded(start_service: StartService) -> AsyncIterator[SeededInstance]:
    """A service with some data of every kind that has always existed."""
    async with start_service() as service:
        workspace = await sign_in_workspace(service)
        form = await workspace.make_form()
        asked = [
            await workspace.request(form, sessionId=f"talk-{number % 2}", meta={"order": number}, runId="run")
            for number in range(4)
        ]
        approved, rejected, retried, pending = [each["reviewId"] for each in asked]
        await workspace.decide(approved, data={"draft": {"headline": "Winter news"}})
        await workspace.decide(rejected, "rejected", reason="Not now.")
        await assert_ok(workspace.owner.post(f"/reviews/{retried}/retry", json={"instructions": "Shorter."}))
        reviews = {review_id: await workspace.review(review_id) for review_id in (approved, rejected, retried, pending)}
        await service.worker.stop()
        yield SeededInstance(service, reviews, pending)
        await workspace.close()


def lasting(review: dict[str, Any]) -> dict[str, Any]:
    """The content of a review that hasn't changed since the first schema."""
    kept = ("reviewId", "formId", "sessionId", "title", "revision", "state", "data", "meta")
    result = {name: value for name, value in review.get("reviewResult", {}).items() if name not in SINCE_THEN}
    return {name: review.get(name) for name in kept} | result


async def columns_of(connection: asyncpg.Connection) -> dict[str, list[str]]:
    """The columns of each table, referenced tables first."""
    found = {row["table"]: row["columns"] for row in await connection.fetch(COLUMNS)}
    needs: dict[str, set[str]] = {table: set() for table in found}
    for table, other in await connection.fetch(REFERENCES):
        needs[table].add(other)
    ordered = list[str]()
    while len(ordered) < len(found):
        ready = [table for table in found if table not in ordered and needs[table] <= {*ordered, table}]
        assert ready, "tables refer to each other"
        ordered += sorted(ready)
    return {table: found[table] for table in ordered}


async def copied(source: str, target: str) -> int:
    """Copies the other database's values into each table. Returns the number of rows."""
    here, there = await asyncpg.connect(source), await asyncpg.connect(target)
    rows = 0
    try:
        now = await columns_of(here)
        for table, columns in (await columns_of(there)).items():
            if table not in now:
                continue
            both = ", ".join(f'"{column}"' for column in columns if column in now[table])
            # Earlier schemas had no messages for deliveries.
            only = "where channel <> 'webhook'" if table == "outgoing_messages" else ""
            found = await here.fetch(f"select row_to_json(t)::text from (select {both} from {table} {only}) t")  # noqa: S608
            await there.execute(f"delete from {table}")  # noqa: S608
            await there.execute(
                f"insert into {table} ({both}) overriding system value "  # noqa: S608
                f"select {both} from unnest($1::text[]) as sent, json_populate_record(null::{table}, sent::json)",
                [row[0] for row in found],
            )
            rows += len(found)
            for column in columns:
                if sequence := await there.fetchval("select pg_get_serial_sequence($1, $2)", table, column):
                    await there.execute(f"select setval('{sequence}', max({column})) from {table}")  # noqa: S608
    finally:
        await here.close()
        await there.close()
    return rows


async def schema_of(dsn: str) -> list[Any]:
    connection = await asyncpg.connect(dsn)
    try:
        return [tuple(row) for query in (SCHEMA, INDEXES) for row in await connection.fetch(query)]
    finally:
        await connection.close()


@pytest.mark.parametrize(
    "revision",
    [pytest.param(each, marks=[] if each == EARLIER[0] else pytest.mark.slow) for each in EARLIER],
)
async def test_from(seeded: SeededInstance, databases: Databases, start_service: StartService, revision: str) -> None:
    dsn = databases.new("template1")
    await migrate(dsn, revision)
    assert await copied(seeded.service.dsn(), dsn) > 20
    await asyncio.gather(migrate(dsn), migrate(dsn))  # two processes of the new version start together
    assert await schema_of(dsn) == await schema_of(seeded.service.dsn())

    async with start_service(database=dsn) as service:
        workspace = await sign_in_workspace(service)
        for review_id, before in seeded.reviews.items():
            assert lasting(await workspace.review(review_id)) == lasting(before)
        # And it keeps working.
        await workspace.decide(seeded.pending)
        decided = await workspace.review(seeded.pending)
        assert decided["reviewResult"]["response"] == "approved"
        again = await workspace.request({"formId": decided["formId"]})
        assert again["reviewId"] not in seeded.reviews
        listed = await assert_ok(workspace.agent.get("/reviews", params={"sessionId": "talk-0"}))
        assert {each["reviewId"] for each in listed["items"]} == {
            review_id for review_id, review in seeded.reviews.items() if review["sessionId"] == "talk-0"
        }
        await workspace.close()


async def test_chat_posts_become_messages(databases: Databases) -> None:
    """Those that waited for a job still wait; the app is asked about those that may have been posted."""
    dsn = databases.new("template1")
    await migrate(dsn, "0028")
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(
            """
            insert into accounts (account_id, name, audit_webhook_secret) values ('acc_1', 'Acme', 'secret');
            insert into chat_connections (account_id, app, credentials, connected_by)
            values ('acc_1', 'slack', '{}', 'Ann');
            insert into chat_posts (post_id, account_id, app, channel, kind, wanted, done, queued, claimed_until,
                                    posting_at, posted_at, shown, touched_at)
            select post_id, 'acc_1', 'slack', 'C1', 'review', wanted, done, queued, claimed_until, posting_at,
                posted_at, shown, now() - make_interval(days => days)
            from (values
                ('waiting', 1, 0, true, null::timestamptz, null::timestamptz, null::timestamptz, null, 0),
                ('being posted', 1, 0, false, now(), now(), null, null, 0),
                ('up to date', 2, 2, false, null, now(), now(), 'digest', 0),
                ('outdated', 2, 1, false, null, now(), now(), 'digest', 1),
                ('outdated for long', 2, 1, false, null, now(), now(), 'digest', 4),
                ('never posted', 1, 0, false, null, null, null, null, 1),
                ('left alone', 2, 2, false, null, now(), now(), 'left', 0)
            ) as p (post_id, wanted, done, queued, claimed_until, posting_at, posted_at, shown, days);
            insert into pgqueuer (priority, entrypoint, payload, status)
            values (0, 'chat.post', convert_to('waiting', 'UTF8'), 'queued'), (0, 'chat.decide', 'clk_1', 'queued');
            """
        )
        await migrate(dsn)
        rows = await connection.fetch(
            """
            select message_id, state, due_at <= now() as is_due, handed_over_at is not null as may_exist
            from outgoing_messages where channel = 'chat' and destination = 'slack:acc_1'
            """
        )
        assert {row["message_id"]: (row["state"], row["is_due"], row["may_exist"]) for row in rows} == {
            "waiting": ("queued", True, False),
            "being posted": ("queued", True, True),
            "up to date": ("sent", None, False),
            "outdated": ("queued", True, False),
            "outdated for long": ("failed", None, False),
            "never posted": ("failed", None, False),
            "left alone": ("sent", None, False),
        }
        assert await connection.fetchval("select array_agg(name) from jobs") == ["chat.decide"]
    finally:
        await connection.close()


async def test_notifications_continue_where_they_were(databases: Databases) -> None:
    dsn = databases.new("template1")
    await migrate(dsn, "0030")
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("update followed_log set position = 41")
        await migrate(dsn)
        assert await connection.fetchval("select position from log_cursors where reader = 'notifications'") == 41
    finally:
        await connection.close()


async def test_events_keep_their_positions(databases: Databases) -> None:
    """Those that no one has read get the next ones, in the order in which they were written."""
    dsn = databases.new("template1")
    await migrate(dsn, "0031")
    connection = await asyncpg.connect(dsn)
    insert = """
        insert into events (account_id, event_id, event, agent_id, session_id, payload, position, waits_for)
        select 'acc_1', id, 'review.completed', 'agt_1', 'ses_1', '{}', position, waits_for
        from (values ('read', 7, null), ('written later', null, null), ('waiting', null, 'whd_1'), ('a', null, null))
            as e (id, position, waits_for)
    """
    try:
        await connection.execute(insert)
        await migrate(dsn)
        await connection.execute("update events set waits_for = null where waits_for = 'whd_1'")
        rows = await connection.fetch("select event_id from events where position >= 7 order by position")
        assert [row["event_id"] for row in rows] == ["read", "written later", "a", "waiting"]
    finally:
        await connection.close()


async def test_reviews_that_waited_are_indexed(databases: Databases) -> None:
    dsn = databases.new("template1")
    await migrate(dsn, "0038")
    connection = await asyncpg.connect(dsn)
    data = {"note": "Möhren", "list": [{"more": "beets"}], "url": "https://example.com", "file": "x" * 3000, "n": 1}
    insert = """
        insert into reviews
            (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, title, state)
        select 'acc_1', review_id, 'agt_1', 'frm_1', 1, 'F', 'ses_1', title, 'pending'
        from (values ('waited', 'About'), ('changed', null), ('done', 'Done')) as r (review_id, title);
        insert into review_revisions (account_id, review_id, revision, data)
        select account_id, review_id, 1, '{}' from reviews where review_id <> 'waited';
        insert into review_search (account_id, review_id, document)
        values ('acc_1', 'changed', to_tsvector('simple', 'old')), ('acc_1', 'done', to_tsvector('simple', 'kept'));
        insert into jobs (name, subject, due_at)
        values ('reviews.index', 'acc_1/waited', now()), ('reviews.index', 'acc_1/waited', now()),
               ('reviews.index', 'acc_1/changed', now()), ('reviews.index', 'acc_1/deleted', now()),
               ('reviews.deadline', 'acc_1/waited', now());
    """
    try:
        await connection.execute(insert)
        await connection.execute(
            "insert into review_revisions (account_id, review_id, revision, data) values ('acc_1', 'waited', 1, $1)",
            json.dumps(data),
        )
        await migrate(dsn)
        rows = await connection.fetch("select review_id, document::text from review_search")
        assert {row["review_id"]: row["document"] for row in rows} == {
            "waited": "'about':1 'beets':2 'möhren':3",
            "changed": "",
            "done": "'kept':1",
        }
        assert await connection.fetchval("select array_agg(name) from jobs") == ["reviews.deadline"]
    finally:
        await connection.close()


async def test_deliveries_become_messages(databases: Databases) -> None:
    """Those that waited for a job, a tool, or copies of media still do. Attempts are kept, also requested ones."""
    dsn = databases.new("template1")
    await migrate(dsn, "0032")
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(
            """
            insert into accounts (account_id, name, audit_webhook_secret) values ('acc_1', 'Acme', 'secret');
            insert into events (account_id, event_id, event, agent_id, session_id, payload, media_until)
            select 'acc_1', event_id, 'review.completed', 'agt_1', 'ses_1', '{}', media_until
            from (values ('evt_1', null), ('evt_2', now())) as e (event_id, media_until);
            insert into deliveries (delivery_id, account_id, event_id, event, target, url_source, url, agent_id,
                session_id, max_attempts, status, ok, attempt_count, attempts, attempt_ordered, retries_cancelled,
                next_retry_at, attempt_lost_at, waits_for, status_text)
            select delivery_id, 'acc_1', event_id, 'review.completed', 'agent', 'agent',
                'https://hooks.example.com:81/x?y', 'agt_1', 'ses_1', 7, status, status = 'succeeded',
                jsonb_array_length(attempts), attempts, ordered, canceled, retry, lost, waits_for, 'text'
            from (values
                ('new', 'evt_1', 'pending', '[]'::jsonb, null, false, null::timestamptz, null::timestamptz, null),
                ('waits for a tool', 'evt_1', 'pending', '[]', null, false, null, null, 'new'),
                ('waits for media', 'evt_2', 'pending', '[]', null, false, null, null, null),
                ('under way', 'evt_1', 'delivering', '[]', 'inline', false, null, now() + interval '20 s', null),
                ('requested', 'evt_1', 'pending', '[{"ok": false, "at": "x"}]', 'manual', false, null, null, null),
                ('retried', 'evt_1', 'retrying', '[{"ok": false, "at": "x", "durationMs": 7}]', null, false,
                    now() + interval '5 s', null, null),
                ('sent', 'evt_1', 'succeeded', '[{"ok": false, "at": "x", "scheduledBy": "inline", "attemptId": "a"},
                    {"ok": true, "at": "x", "scheduledBy": "manual", "attemptId": "b", "durationMs": 9}]',
                    null, false, null, null, null),
                ('canceled', 'evt_1', 'dead', '[]', null, true, null, null, null)
            ) as d (delivery_id, event_id, status, attempts, ordered, canceled, retry, lost, waits_for);
            update deliveries set line_number = 3 where delivery_id = 'retried';
            insert into pgqueuer (priority, entrypoint, payload, status)
            values (0, 'webhooks.deliver', convert_to('new', 'UTF8'), 'queued');
            """
        )
        await migrate(dsn)
        rows = await connection.fetch(
            """
            select message_id, state, due_at <= now() as is_due, is_manual, is_stopped, duration_ms, first_ok
            from outgoing_messages o join deliveries d on d.delivery_id = o.message_id
            where channel = 'webhook' and destination = 'https://hooks.example.com:81' and o.max_attempts = 7
            """
        )
        assert {row[0]: tuple(row)[1:] for row in rows} == {
            "new": ("queued", True, False, False, None, None),
            "waits for a tool": ("queued", None, False, False, None, None),
            "waits for media": ("queued", None, False, False, None, None),
            "under way": ("queued", False, False, False, None, None),
            "requested": ("queued", True, True, False, None, False),
            "retried": ("queued", False, False, False, 7, False),
            "sent": ("sent", None, False, False, 9, False),
            "canceled": ("failed", None, False, True, None, None),
        }
        db = await Database.connect(dsn, size=1)
        shown = {name: await get_delivery(db, "acc_1", name) for name in ("requested", "retried", "sent", "canceled")}
        await db.close()
        assert {name: (each.status, each.retries_cancelled) for name, each in shown.items()} == {
            "requested": ("pending", False),
            "retried": ("retrying", False),
            "sent": ("succeeded", False),
            "canceled": ("dead", True),
        }
        line = "select line, line_number from outgoing_messages where line is not null"
        assert [tuple(row) for row in await connection.fetch(line)] == [("acc_1/ses_1/agent", 3)]
        sent = shown["sent"]
        assert [(each.attempt_id, each.ok, each.scheduled_by) for each in sent.attempts] == [
            ("attempt-1", False, "inline"),
            ("attempt-2", True, "manual"),
        ]
        assert await connection.fetchval("select count(*) from jobs") == 0
    finally:
        await connection.close()
