"""Lists of sessions by latest activity: a merge of index scans, one for each agent.

Search words are looked up in the search indexes, within a time limit. If that isn't enough, the newest sessions are
checked one by one: then a page may be short or even empty, and its cursor continues where the search ended.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

import asyncpg

from signoff.accounts.context import Caller
from signoff.platform.db import Database, Executor, Row
from signoff.platform.sql import Sql
from signoff.platform.text_search import search_query
from signoff.sessions.queries import session_rows

INDEX_TIME_MS: Final = 400
MAX_SCANNED: Final = 300
MESSAGES_PER_SCAN: Final = 20
CURSOR: Final = r"^([0-9]{1,16}\.[A-Za-z0-9._:-]{1,128})?$"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SessionSelection:
    agent_id: str | None = None
    words: str | None = None
    chat: bool = False


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a statement depends on. It's built once for each shape."""

    of_agent: bool
    chat: bool
    continued: bool
    query: Sql[Row]
    """For the search words, if there are any."""

    @property
    def conditions(self) -> Sql[Row]:
        return Sql(
            "{chat} and {after}",
            chat="s.chat" if self.chat else "true",
            after="(s.active_at, s.session_id) < (:after_at, :after_id)" if self.continued else "true",
        )


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
    statement = _newest(_shape(selection, cursor))
    values = _values(account_id, selection, cursor) | {"most": limit}
    return await statement.fetch(db, **statement.pick(values))


def _shape(selection: SessionSelection, cursor: str | None) -> _Shape:
    return _Shape(
        of_agent=selection.agent_id is not None,
        chat=selection.chat,
        continued=cursor is not None,
        query=search_query(selection.words or ""),
    )


def _values(account_id: str, selection: SessionSelection, cursor: str | None) -> dict[str, Any]:
    """Return the values of all parameters that a statement of a shape may have, except for limits."""
    microseconds, _, session_id = (cursor or "0.").partition(".")
    return {
        "account_id": account_id,
        "agent_id": selection.agent_id,
        "words": selection.words or "",
        "after_at": _EPOCH + timedelta(microseconds=int(microseconds)),
        "after_id": session_id,
    }


@cache
def _newest(shape: _Shape) -> Sql[Row]:
    """Return SQL for the next sessions, as `session_id` and `active_at`."""
    return Sql(
        """
        select found.session_id, found.active_at from agents a
        cross join lateral (
            select s.session_id, s.active_at from sessions s
            where s.account_id = :account_id and s.agent_id = a.agent_id and {conditions}
            order by s.active_at desc, s.session_id desc limit :most
        ) as found
        where a.account_id = :account_id and {agent}
        order by found.active_at desc, found.session_id desc limit :most
        """,
        conditions=shape.conditions,
        agent="a.agent_id = :agent_id" if shape.of_agent else "true",
    )


@cache
def _matching(shape: _Shape) -> Sql[Row]:
    return Sql(
        """
        with matching as materialized (
            select session_id from messages where account_id = :account_id and document @@ {query}
            union
            select session_id from sessions
            where account_id = :account_id and name is not null and to_tsvector('simple', name) @@ {query}
            union
            select :words
        )
        select s.session_id, s.active_at
        from matching join sessions s on s.account_id = :account_id and s.session_id = matching.session_id
        where {conditions} and {agent}
        order by s.active_at desc, s.session_id desc limit :most
        """,
        query=shape.query,
        conditions=shape.conditions,
        agent="s.agent_id = :agent_id" if shape.of_agent else "true",
    )


@cache
def _newest_statement(shape: _Shape) -> Sql[Row]:
    return Sql(
        """
        with scanned as materialized ({newest})
        select n.session_id, n.active_at,
               n.session_id = :words
               or (s.name is not null and to_tsvector('simple', s.name) @@ {query})
               or exists (
                   select from (select m.document from messages m
                                where m.account_id = :account_id and m.session_id = n.session_id
                                order by m.number desc limit {messages}) as latest
                   where latest.document @@ {query}) as meant
        from scanned n join sessions s on s.account_id = :account_id and s.session_id = n.session_id
        order by n.active_at desc, n.session_id desc
        """,
        newest=_newest(shape),
        query=shape.query,
        messages=MESSAGES_PER_SCAN,
    )


async def _query_index(
    db: Database, account_id: str, selection: SessionSelection, cursor: str | None, limit: int
) -> list[Row] | None:
    """Return the next matches among all sessions; None if that takes too long."""
    statement = _matching(_shape(selection, cursor))
    values = _values(account_id, selection, cursor) | {"most": limit}
    try:
        async with db.transaction() as tx:
            await tx.execute(f"set local statement_timeout = {INDEX_TIME_MS}")
            return await statement.fetch(tx, **statement.pick(values))
    except asyncpg.QueryCanceledError:
        return None


async def read_newest(
    db: Executor, account_id: str, selection: SessionSelection, cursor: str | None, limit: int
) -> tuple[list[Row], str | None]:
    """Return the matches among the next `MAX_SCANNED` sessions, and where the search ended; None means at the end
    of all.
    """
    statement = _newest_statement(_shape(selection, cursor))
    values = _values(account_id, selection, cursor) | {"most": MAX_SCANNED}
    rows = await statement.fetch(db, **statement.pick(values))
    ended = _cursor(rows[-1]) if len(rows) == MAX_SCANNED else None
    return [row for row in rows if row["meant"]][:limit], ended


def _cursor(row: Row) -> str:
    return f"{(row['active_at'] - _EPOCH) // timedelta(microseconds=1)}.{row['session_id']}"
