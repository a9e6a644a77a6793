"""Lists of sessions by latest activity: a merge of index scans, one for each agent.

Search words are looked up in the search indexes, within a time limit. If that isn't enough, the newest sessions are
checked one by one: then a page may be short or even empty, and its cursor continues where the search ended.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg

from signoff.accounts.context import Caller
from signoff.platform.db import Database, Executor, Row
from signoff.platform.text_search import search_query
from signoff.sessions.queries import session_rows

INDEX_TIME_MS: Final = 400
MAX_SCANNED: Final = 300
MESSAGES_LOOKED_AT: Final = 20
CURSOR: Final = r"^([0-9]{1,16}\.[A-Za-z0-9._:-]{1,128})?$"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SessionSelection:
    agent_id: str | None = None
    words: str | None = None
    chat: bool = False


class _Statement:
    """The parameters of a statement that is being built; $1 is the account."""

    def __init__(self, account_id: str) -> None:
        self.values: list[Any] = [account_id]

    def bind(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


async def list_sessions(caller: Caller, selection: SessionSelection, cursor: str | None, limit: int) -> dict[str, Any]:
    db, account_id = caller.db, caller.account_id
    searched_until = None
    if selection.words is None:
        found_rows = await _scan(db, account_id, selection, cursor, limit + 1)
    else:
        found_rows = await _query_index(db, account_id, selection, cursor, limit + 1)
        if found_rows is None:
            found_rows, searched_until = await read_newest(db, account_id, selection, cursor, limit + 1)
    shown = found_rows[:limit]
    viewer = caller.actor.id if caller.actor.kind == "user" else None
    rows = await session_rows(db, account_id, [row["session_id"] for row in shown], viewer)
    return {
        "items": [rows[row["session_id"]] for row in shown if row["session_id"] in rows],
        "nextCursor": _cursor(shown[-1]) if len(found_rows) > limit else searched_until,
    }


async def _scan(
    db: Executor, account_id: str, selection: SessionSelection, cursor: str | None, limit: int
) -> list[Row]:
    statement = _Statement(account_id)
    return await db.fetch(_newest(statement, selection, cursor, limit), *statement.values)


def _newest(statement: _Statement, selection: SessionSelection, cursor: str | None, count: int) -> str:
    """Return SQL for the next sessions, as `session_id` and `active_at`."""
    limit = statement.bind(count)
    meant = " and ".join(("true", *_conditions(statement, selection, cursor)))
    agents = f"and a.agent_id = {statement.bind(selection.agent_id)}" if selection.agent_id is not None else ""
    return f"""
        select found.session_id, found.active_at from agents a
        cross join lateral (
            select s.session_id, s.active_at from sessions s
            where s.account_id = $1 and s.agent_id = a.agent_id and {meant}
            order by s.active_at desc, s.session_id desc limit {limit}
        ) as found
        where a.account_id = $1 {agents}
        order by found.active_at desc, found.session_id desc limit {limit}
    """  # noqa: S608


def _conditions(statement: _Statement, selection: SessionSelection, cursor: str | None) -> list[str]:
    conditions = ["s.chat"] if selection.chat else []
    if cursor is not None:
        microseconds, _, session_id = cursor.partition(".")
        at = _EPOCH + timedelta(microseconds=int(microseconds))
        conditions.append(f"(s.active_at, s.session_id) < ({statement.bind(at)}, {statement.bind(session_id)})")
    return conditions


async def _query_index(
    db: Database, account_id: str, selection: SessionSelection, cursor: str | None, limit: int
) -> list[Row] | None:
    """Return the next matches among all sessions; None if that takes too long."""
    statement = _Statement(account_id)
    words = selection.words or ""
    parameter = statement.bind(words)
    query = search_query(words, parameter)
    meant = ["true", *_conditions(statement, selection, cursor)]
    if selection.agent_id is not None:
        meant.append(f"s.agent_id = {statement.bind(selection.agent_id)}")
    try:
        async with db.transaction() as tx:
            await tx.execute(f"set local statement_timeout = {INDEX_TIME_MS}")
            return await tx.fetch(
                f"""
                with matching as materialized (
                    select session_id from messages where account_id = $1 and document @@ {query}
                    union
                    select session_id from sessions
                    where account_id = $1 and name is not null and to_tsvector('simple', name) @@ {query}
                    union
                    select {parameter}
                )
                select s.session_id, s.active_at
                from matching join sessions s on s.account_id = $1 and s.session_id = matching.session_id
                where {" and ".join(meant)}
                order by s.active_at desc, s.session_id desc limit {statement.bind(limit)}
                """,  # noqa: S608
                *statement.values,
            )
    except asyncpg.QueryCanceledError:
        return None


async def read_newest(
    db: Executor, account_id: str, selection: SessionSelection, cursor: str | None, limit: int
) -> tuple[list[Row], str | None]:
    """Return the matches among the next `MAX_SCANNED` sessions, and where the search ended; None means at the end
    of all.
    """
    statement = _Statement(account_id)
    words = selection.words or ""
    parameter = statement.bind(words)
    query = search_query(words, parameter)
    rows = await db.fetch(
        f"""
        with walked as materialized ({_newest(statement, selection, cursor, MAX_SCANNED)})
        select w.session_id, w.active_at,
               w.session_id = {parameter}
               or (s.name is not null and to_tsvector('simple', s.name) @@ {query})
               or exists (
                   select from (select m.document from messages m
                                where m.account_id = $1 and m.session_id = w.session_id
                                order by m.number desc limit {MESSAGES_LOOKED_AT}) as latest
                   where latest.document @@ {query}) as meant
        from walked w join sessions s on s.account_id = $1 and s.session_id = w.session_id
        order by w.active_at desc, w.session_id desc
        """,  # noqa: S608
        *statement.values,
    )
    ended = _cursor(rows[-1]) if len(rows) == MAX_SCANNED else None
    return [row for row in rows if row["meant"]][:limit], ended


def _cursor(row: Row) -> str:
    return f"{(row['active_at'] - _EPOCH) // timedelta(microseconds=1)}.{row['session_id']}"
