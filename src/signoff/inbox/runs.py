"""Runs: reviews and submissions that belong together, as steps."""

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final, NamedTuple

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.inbox.run_schemas import Run, RunName, RunRow, Step
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import InvalidQuery, NotFound
from signoff.platform.messages import msg
from signoff.platform.schemas import Page
from signoff.platform.sql import Sql

MAX_STEPS: Final = 500
MAX_SCANNED: Final = 2_000
"""The number of runs that a page checks if filters exclude most of them. Then it may be short, and continues with
its cursor.
"""
NEWEST_OF_SESSION: Final = 10_000
"""The number of a session's newest reviews that are searched for its runs."""


@dataclass(frozen=True, slots=True)
class _ListedRun:
    run_id: str
    name: str | None
    created_at: datetime
    steps: int
    open: int
    last_at: datetime
    is_mark: bool
    """Not a run of the page, but the last one that was checked."""


LIST: Final = """
    with looked as (
        select account_id, run_id, name, created_at from runs
        where account_id = :account_id and {after} and {session}
        order by created_at desc, run_id desc limit {max_scanned}
    ), found as (
        select * from looked
        where (:words::text is null or strpos(lower(name), lower(:words)) > 0 or starts_with(run_id, :words))
          and (:agent_id::text is null or exists (select from reviews r where r.account_id = looked.account_id
               and r.run_id = looked.run_id and r.agent_id = :agent_id))
        order by created_at desc, run_id desc limit :wanted
    )
    select runs.run_id, runs.name, runs.created_at, c.steps, c.open,
           coalesce(c.last_at, runs.created_at) as last_at, false as is_mark
    from found runs cross join lateral (
        select count(*) as steps, count(*) filter (where s.state = 'pending') as open, max(s.updated_at) as last_at
        from (select state, updated_at from reviews r where r.account_id = runs.account_id and r.run_id = runs.run_id
              order by r.review_id limit {max_steps}) as s
    ) as c
    union all
    (select run_id, null, created_at, 0, 0, created_at, true from looked
     where (select count(*) from looked) = {max_scanned} order by created_at, run_id limit 1)
    order by is_mark, created_at desc, run_id desc
"""
AFTER: Final = "(created_at, run_id) < (:after_created_at, :after_run_id)"
IN_SESSION: Final = Sql(
    """
    run_id in (select run_id from (
        select run_id from reviews where account_id = :account_id and session_id = :session_id
        order by review_id desc limit {newest}) as s)
    """,
    newest=NEWEST_OF_SESSION,
)


@cache
def _list_statement(*, after: bool, session: bool) -> Sql[_ListedRun]:
    return Sql(
        LIST,
        _ListedRun,
        after=AFTER if after else "true",
        session=IN_SESSION if session else "true",
        max_scanned=MAX_SCANNED,
        max_steps=MAX_STEPS,
    )


class RunCursor(NamedTuple):
    """The position in a list: after the run that started at this time."""

    created_at: datetime
    run_id: str

    def __str__(self) -> str:
        return base64.urlsafe_b64encode(f"{self.created_at.isoformat()} {self.run_id}".encode()).decode()


def parse_cursor(cursor: str | None) -> RunCursor | None:
    if not cursor:
        return None
    try:
        at, _, run_id = base64.b64decode(cursor, b"-_", validate=True).decode().partition(" ")
        created_at = datetime.fromisoformat(at)
        if created_at.tzinfo is not None and run_id:
            return RunCursor(created_at.astimezone(UTC), run_id)
    except (binascii.Error, UnicodeError, ValueError, OverflowError):
        pass
    raise InvalidQuery(msg("cursor: isn't a valid cursor for this list. Use `nextCursor` from the previous page."))


async def list_runs(
    caller: Caller,
    *,
    agent_id: str | None,
    session_id: str | None,
    words: str | None,
    after: RunCursor | None,
    limit: int,
) -> Page[RunRow]:
    """List runs, latest start first."""
    optional: dict[str, Any] = {}
    if after is not None:
        optional |= {"after_created_at": after.created_at, "after_run_id": after.run_id}
    if session_id is not None:
        optional["session_id"] = session_id
    rows = await _list_statement(after=after is not None, session=session_id is not None).fetch(
        caller.db, account_id=caller.account_id, words=words, agent_id=agent_id, wanted=limit + 1, **optional
    )
    shown_rows = [row for row in rows if not row.is_mark]
    # The last run that was checked, if there are more.
    mark = next((row for row in rows if row.is_mark), None)
    shown = shown_rows[:limit]
    last = shown[-1] if len(shown_rows) > limit else mark
    return Page(
        items=[_to_row(row) for row in shown],
        next_cursor=None if last is None else str(RunCursor(last.created_at, last.run_id)),
    )


def _to_row(run: _ListedRun) -> RunRow:
    return RunRow(
        run_id=run.run_id,
        name=run.name,
        created_at=iso(run.created_at),
        steps=run.steps,
        open=run.open,
        last_at=iso(run.last_at),
    )


async def get_run(db: Executor, account_id: str, run_id: str) -> Run:
    run = await db.fetchrow(
        "select run_id, name, created_at from runs where account_id = $1 and run_id = $2", account_id, run_id
    )
    if run is None:
        raise NotFound(msg("run"), run_id)
    rows = await db.fetch(
        """
        select r.review_id, r.title, r.form_id, r.form_name, r.agent_id, a.name as agent_name, r.session_id,
               case when v.definition ->> 'trigger' = 'true' then 'trigger' else 'review' end as kind,
               r.state, r.response, r.retry_requested, r.auto_approved, r.timed_out, r.responding_user,
               r.created_at, r.responded_at, r.prev_steps
        from reviews r
        join agents a on a.account_id = r.account_id and a.agent_id = r.agent_id
        join form_versions v on v.form_id = r.form_id and v.version = r.form_version
        where r.account_id = $1 and r.run_id = $2
        order by r.review_id limit $3
        """,
        account_id,
        run_id,
        MAX_STEPS + 1,
    )
    steps = [_to_step(row) for row in rows[:MAX_STEPS]]
    return Run(
        run_id=run["run_id"],
        name=run["name"],
        created_at=iso(run["created_at"]),
        sessions=list(dict.fromkeys(step.session_id for step in steps)),
        steps=steps,
        more=len(rows) > MAX_STEPS,
    )


def _to_step(row: Row) -> Step:
    return Step(
        review_id=row["review_id"],
        title=row["title"],
        form_id=row["form_id"],
        form_name=row["form_name"],
        agent_id=row["agent_id"],
        agent_name=row["agent_name"],
        session_id=row["session_id"],
        kind=row["kind"],
        state=row["state"],
        response=row["response"],
        retry_requested=row["retry_requested"],
        auto_approved=row["auto_approved"] or None,
        timed_out=row["timed_out"] or None,
        responding_user=row["responding_user"],
        created_at=iso(row["created_at"]),
        responded_at=iso_or_none(row["responded_at"]),
        waited_ms=_decision_time_ms(row),
        prev_steps=row["prev_steps"] or [],
    )


def _decision_time_ms(row: Row) -> int | None:
    if row["responded_at"] is None:
        return None
    # One time is from the database's clock, the other from ours.
    return max(0, (row["responded_at"] - row["created_at"]) // timedelta(milliseconds=1))


async def rename_run(caller: Caller, run_id: str, change: RunName) -> Run:
    async with caller.db.transaction() as tx:
        was = await tx.fetchrow(
            "select name from runs where account_id = $1 and run_id = $2 for update", caller.account_id, run_id
        )
        if was is None:
            raise NotFound(msg("run"), run_id)
        if was["name"] != change.name:
            await tx.execute(
                "update runs set name = $3 where account_id = $1 and run_id = $2",
                caller.account_id,
                run_id,
                change.name,
            )
            await writer.record_audit(tx, caller.actor, "run.named", run_id, {"name": change.name})
        return await get_run(tx, caller.account_id, run_id)
