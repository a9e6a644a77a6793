"""A worker reads only what its jobs need, also with bad table statistics."""

from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from support.outbox import claimed_message

from signoff.accounts.setup import ensure_workspace
from signoff.platform.db import Database
from signoff.platform.outbox.messages import Room, claim_messages, queue_messages_sql
from signoff.webhooks.channel import start_deliveries
from signoff.webhooks.events import WEBHOOK_CHANNEL

MANY, AT_ONCE = 5_000, 10

QUEUE = queue_messages_sql("select unnest(:delivery_ids::text[]), :account_id, 'webhook', 'somewhere', now()")

READ_OF_EVENTS = """
    select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables where relname = 'events'
"""


@pytest.fixture
async def empty_db(empty_databases: Callable[[], Awaitable[str]]) -> AsyncGenerator[Database]:
    """A database with one connection, whose reads are counted."""
    db = await Database.connect(await empty_databases(), size=1)
    yield db
    await db.close()


async def test_uses_an_index_after_a_burst(empty_db: Database) -> None:
    """Right after many thousand events at once, the statistics still say that there are none."""
    assert await ensure_workspace(empty_db)
    account_id = await empty_db.fetchval("select account_id from accounts")
    await empty_db.execute("alter table events set (autovacuum_enabled = false)")
    await empty_db.execute("alter table deliveries set (autovacuum_enabled = false)")
    await empty_db.execute("alter table outgoing_messages set (autovacuum_enabled = false)")
    await empty_db.execute("analyze events, deliveries, outgoing_messages")
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
        )
        insert into deliveries (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id,
                                max_attempts)
        select 'whd_' || event_id, $1, event_id, 'review.completed', 'agent', 'agent', 'http://127.0.0.1/', 'agt_1',
               'ses_1', 7
        from event
        """,
        account_id,
        MANY,
    )
    wanted = [f"whd_evt_{number:08}" for number in range(1, MANY, MANY // AT_ONCE)]
    await QUEUE.execute(empty_db, account_id=account_id, delivery_ids=wanted)
    claims = (await claim_messages(empty_db, [Room(WEBHOOK_CHANNEL, AT_ONCE)], lost_after=60)).claims
    claimed_at = {claim.message_id: claim.claimed_at for claim in claims}
    messages = [claimed_message(each, claimed_at[each]) for each in wanted]
    before = await _read_of_events(empty_db)
    found = await start_deliveries(empty_db, messages, order_wait=600)
    assert [each and (each.delivery_id, each.is_started) for each in found] == [(each, True) for each in wanted]
    assert await _read_of_events(empty_db) - before <= 2 * AT_ONCE


async def _read_of_events(db: Database) -> int:
    """The reads of this connection so far, once it reports them."""
    async with db.transaction() as tx:
        await tx.execute("select pg_stat_force_next_flush()")
    return await db.fetchval(READ_OF_EVENTS)
