"""A worker reads only what its jobs need, also with bad table statistics."""

from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from support.outbox import claimed_message

from signoff.accounts.setup import ensure_workspace
from signoff.platform.db import Database
from signoff.platform.outbox.messages import WINDOW, Room, claim_messages, queue_messages_sql
from signoff.webhooks.channel import read_claimed
from signoff.webhooks.events import WEBHOOK_CHANNEL

MANY, AT_ONCE = 5_000, 10

QUEUE = queue_messages_sql("select delivery_id, :account_id, 'webhook', 'somewhere', now() from deliveries")

ANALYZE = "analyze events, deliveries, outgoing_messages"
ROWS_READ = """
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int from pg_stat_user_tables
    where relname in ('events', 'deliveries', 'outgoing_messages')
"""


@pytest.fixture
async def empty_db(empty_databases: Callable[[], Awaitable[str]]) -> AsyncGenerator[Database]:
    """A database with one connection, whose reads are counted."""
    db = await Database.connect(await empty_databases(), size=1)
    yield db
    await db.close()


@pytest.mark.parametrize(("analyzed", "looked_at"), [("before", MANY), ("after", WINDOW)])
async def test_uses_indexes(empty_db: Database, analyzed: str, looked_at: int) -> None:
    """Right after many thousand events at once, the statistics still say that there are none. Then a worker
    looks at all that are due. Later, they say that nearly all are sent.
    """
    assert await ensure_workspace(empty_db)
    account_id = await empty_db.fetchval("select account_id from accounts")
    for table in ("events", "deliveries", "outgoing_messages"):
        await empty_db.execute(f"alter table {table} set (autovacuum_enabled = false)")
    if analyzed == "before":
        await empty_db.execute(ANALYZE)
    await empty_db.execute(
        "insert into agents (agent_id, account_id, name, webhook_secret) values ('agt_1', $1, 'A', 'x')", account_id
    )
    await empty_db.execute(
        """
        with event as (
            insert into events (account_id, event_id, event, agent_id, session_id, payload)
            select $1, 'evt_' || lpad(number::text, 8, '0'), 'review.completed', 'agt_1', 'ses_1', '{}'
            from generate_series(1, $2::int) as number
            returning event_id
        ), sent as (
            insert into outgoing_messages (message_id, account_id, channel, destination, state, settled_at)
            select 'sent_' || event_id, $1, 'webhook', 'somewhere', 'sent', now() from event
        )
        insert into deliveries (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id)
        select 'whd_' || event_id, $1, event_id, 'review.completed', 'agent', 'agent', 'http://127.0.0.1/', 'agt_1',
               'ses_1'
        from event
        """,
        account_id,
        MANY,
    )
    if analyzed == "after":
        await empty_db.execute(ANALYZE)
    await QUEUE.execute(empty_db, account_id=account_id)
    before = await _count_rows_read(empty_db)
    claims = (await claim_messages(empty_db, [Room(WEBHOOK_CHANNEL, AT_ONCE, AT_ONCE)], lost_after=60)).claims
    messages = [claimed_message(claim.message_id, claim.claimed_at) for claim in claims]
    found = await read_claimed(empty_db, messages, order_wait=600)
    assert [each and each.is_due for each in found] == [True] * AT_ONCE
    assert await _count_rows_read(empty_db) - before <= looked_at + 20 * AT_ONCE


async def _count_rows_read(db: Database) -> int:
    """The reads of this connection so far, once it reports them."""
    async with db.transaction() as tx:
        await tx.execute("select pg_stat_force_next_flush()")
    return await db.fetchval(ROWS_READ)
