"""Count what an account sends, in the transaction that stores it, so that the count is always exact."""

from typing import LiteralString

from signoff.platform.db import Database, Executor, Row
from signoff.platform.sql import Sql

COMPACT_LOCK = 4_811_903_271
"""The key of an advisory lock that nothing else uses."""
# The month by the database's clock in UTC, so that all processes agree on it.
THIS_MONTH = "date_trunc('month', now() at time zone 'utc')::date"


def usage_insert_sql(select: LiteralString) -> Sql[Row]:
    """Return an `insert` for a statement that stores something; `select` returns account, requests, and bytes.

    It always appends and never updates, so nobody waits for a row that others are counting in. `compact_usage` adds the
    rows up.
    """
    return Sql(
        """
        insert into usage_counts (account_id, month, requests, bytes)
        select account_id, {this_month}, requests, bytes from ({select}) as sent (account_id, requests, bytes)
        """,
        this_month=THIS_MONTH,
        select=select,
    )


RECORD_USAGE = usage_insert_sql("select :account_id::text, :requests::bigint, :bytes::bigint")


async def record_usage(tx: Executor, account_id: str, *, requests: int = 0, bytes: int = 0) -> None:  # noqa: A002
    """Count what was accepted, inside the transaction that stores it."""
    await RECORD_USAGE.execute(tx, account_id=account_id, requests=requests, bytes=bytes)


async def compact_usage(db: Database) -> None:
    """Merge the rows of each account and month into one. Sums stay correct at every moment, also while rows are added.

    Only one process folds at a time; a second one skips it.
    """
    async with db.transaction() as tx:
        if not await tx.fetchval("select pg_try_advisory_xact_lock($1)", COMPACT_LOCK):
            return
        await tx.execute(
            """
            with many as (
                select account_id, month from usage_counts group by account_id, month having count(*) > 1
            ), gone as (
                delete from usage_counts where (account_id, month) in (select account_id, month from many)
                returning account_id, month, requests, bytes
            )
            insert into usage_counts (account_id, month, requests, bytes)
            select account_id, month, sum(requests), sum(bytes) from gone group by account_id, month
            """
        )


async def recount_usage(tx: Executor, account_id: str) -> None:
    """Recalculate usage for what's left after a large deletion. A worker saves the plan and the seats again."""
    await tx.execute("select pg_advisory_xact_lock($1)", COMPACT_LOCK)
    await tx.execute("delete from usage_terms where account_id = $1", account_id)
    # One statement sees one state: a request is either in both tables or in neither.
    await tx.execute(
        """
        with gone as (delete from usage_counts where account_id = $1)
        insert into usage_counts (account_id, month, requests, bytes)
        select account_id, date_trunc('month', created_at at time zone 'UTC')::date, count(*),
               sum(octet_length(data::text))
        from review_revisions where account_id = $1 group by 1, 2
        """,
        account_id,
    )
