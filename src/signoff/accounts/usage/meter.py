"""Counting what an account sends, in the transaction that stores it: what is there is counted, and nothing else."""

from signoff.platform.db import Database, Executor

FOLDING = 4_811_903_271
"""The number of an advisory lock that nothing else takes."""
# The month is that of the database's clock, in UTC: all processes agree on it.
THIS_MONTH = "date_trunc('month', now() at time zone 'utc')::date"


def usage_insert_sql(select: str) -> str:
    """An `insert` for a statement that stores something: `select` gives account, requests and bytes.

    It always appends and never updates: nobody waits for a row that others count in. `compact_usage` adds the rows up.
    """
    return f"""
        insert into usage_counts (account_id, month, requests, bytes)
        select account_id, {THIS_MONTH}, requests, bytes from ({select}) as sent (account_id, requests, bytes)
    """  # noqa: S608


async def record_usage(tx: Executor, account_id: str, *, requests: int = 0, bytes: int = 0) -> None:  # noqa: A002
    """Count what was accepted. Inside the transaction that stores it."""
    await tx.execute(usage_insert_sql("select $1::text, $2::bigint, $3::bigint"), account_id, requests, bytes)


async def compact_usage(db: Database) -> None:
    """Make one row of many, for each account and month. Sums stay as they are at every moment, also while rows come in.

    One folds at a time: who comes second leaves it to the first.
    """
    async with db.transaction() as tx:
        if not await tx.fetchval("select pg_try_advisory_xact_lock($1)", FOLDING):
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
