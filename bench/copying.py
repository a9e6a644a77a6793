"""Fill tables quickly: rows are copied, and indexes are built when all rows are there."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

import psycopg
from psycopg import sql

SEPARATE_INDEXES = """
    select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
    from pg_index i
    where i.indrelid = any(%s::text[]::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    order by i.indexrelid
"""
USER_TRIGGERS = """
    select distinct tgrelid::regclass::text from pg_trigger
    where tgrelid = any(%s::text[]::regclass[]) and not tgisinternal
"""
# Without triggers, nothing notes which days have changed since.
FORGET_ROLLUPS = """
    truncate insight_days, insight_changes, insight_decisions, insight_edits, insight_requests, insight_deliveries,
             insight_durations
"""
BUILD_SETTINGS = "set maintenance_work_mem = '512MB'"


@contextmanager
def bulk_load(dsn: str, tables: Sequence[str]) -> Generator[psycopg.Connection]:
    """Yield a connection to fill the tables, without their triggers and their indexes, except for primary keys.

    If filling fails, the database is useless: nothing is put back.
    """
    with psycopg.connect(dsn, autocommit=True) as connection:
        indexes = connection.execute(SEPARATE_INDEXES, [list(tables)]).fetchall()
        triggered = [name for (name,) in connection.execute(USER_TRIGGERS, [list(tables)]).fetchall()]
        connection.execute(FORGET_ROLLUPS)
        for name, _ in indexes:
            connection.execute(sql.SQL("drop index {}").format(sql.Identifier(name)))
        for name in triggered:
            connection.execute(sql.SQL("alter table {} disable trigger user").format(sql.Identifier(name)))
        yield connection
        connection.execute(BUILD_SETTINGS)
        for _, definition in indexes:
            connection.execute(definition)
        for name in triggered:
            connection.execute(sql.SQL("alter table {} enable trigger user").format(sql.Identifier(name)))


def copy_lines(connection: psycopg.Connection, table: str, columns: str, lines: Iterable[str]) -> None:
    """Copy rows in COPY's text format. The caller makes sure that no value needs an escape."""
    statement = sql.SQL(f"copy {table} ({columns}) from stdin")  # type: ignore[arg-type]
    with connection.cursor().copy(statement) as copy:
        copy.write("".join(lines).encode())
