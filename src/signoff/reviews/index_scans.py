"""SQL that scans indexes in the order of a list, whatever the filters.

A list is the merge of a few scans, one for each phase (and assignee). Each follows one index and is sorted, so a page
costs as much as its content, not as much as the table. Conditions that no index covers are returned as `rest`, to be
checked row by row; the caller limits the number of rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from signoff.platform.text_search import search_query
from signoff.reviews.filters import PHASES, ResolvedFilters


class SqlParameters:
    """The parameters of a statement that is being built; $1 is the account."""

    def __init__(self, account_id: str) -> None:
        self.values: list[Any] = [account_id]

    def bind(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


@dataclass(frozen=True, slots=True)
class IndexScan:
    sql: str
    """A query for the `review_id` of the first reviews, in order."""
    rest: tuple[str, ...]
    """Conditions on `reviews r` that the scan doesn't cover."""
    limit: int


def build_index_scan(
    statement: SqlParameters, selection: ResolvedFilters, after: str | None, *, looking_at: int, wanted: int
) -> IndexScan:
    """Return the next reviews after `after`, or from the start: `wanted` of them if the scan covers all filters,
    otherwise the `looking_at` reviews that are checked against the remaining filters.
    """
    most = statement.bind(looking_at)
    edge = f" and review_id {cursor_operator(selection)} {statement.bind(after)}" if after is not None else ""
    # Each with its own order and limit, which guarantees an index scan: the planner wouldn't choose one for a union
    # that is sorted as a whole.
    along = (
        f"(select review_id from reviews r where r.account_id = $1 and {{}}{edge}"  # noqa: S608
        f" order by review_id {order(selection)} limit {most})"
    )
    left = _conditions(statement, selection)
    narrow = next((name for name in ("session_id", "run_id", "batch_id") if name in left), None)
    if narrow is not None:
        walks = [along.format(left.pop(narrow)())]
    elif selection.meta:
        left.pop("meta 0")
        walks = [_along_meta(statement, selection, edge, most)]
    elif selection.assignees is not None:
        left.pop("assignees")
        left.pop("phase", None)
        walks = [_along_assignees(statement, selection, edge, most)]
    elif left.keys() <= {"words"}:
        walks = [along.format("true")]
    else:
        left.pop("phase", None)
        left.pop("assigned", None)
        leading = next((left.pop(name)() for name in ("form_id", "agent_id") if name in left), "true")
        assigned_conditions = ("not r.assigned",) if selection.unassigned else ("r.assigned", "not r.assigned")
        walks = [
            along.format(f"{leading} and r.phase = '{phase}' and {assigned}")
            for phase, assigned in product(selection.phases, assigned_conditions)
        ]
    rest = tuple(condition() for condition in left.values())
    if not rest:
        statement.values[int(most[1:]) - 1] = wanted
    sql = f"""
        select review_id from ({" union all ".join(walks)}) as walk order by review_id {order(selection)} limit {most}
    """  # noqa: S608
    return IndexScan(sql, rest, looking_at if rest else wanted)


def order(selection: ResolvedFilters) -> str:
    return "asc" if selection.oldest_first else "desc"


def cursor_operator(selection: ResolvedFilters) -> str:
    return ">" if selection.oldest_first else "<"


def conditions(statement: SqlParameters, selection: ResolvedFilters) -> list[str]:
    """Return every filter except the search words, as conditions on `reviews r`."""
    return [condition() for name, condition in _conditions(statement, selection).items() if name != "words"]


def _along_meta(statement: SqlParameters, selection: ResolvedFilters, edge: str, most: str) -> str:
    """Scan reviews with the first of the `meta` members. The others are checked review by review."""
    term = _meta_term(statement, *selection.meta[0])
    return (
        f"(select review_id from review_meta where account_id = $1 and term = {term}{edge}"  # noqa: S608
        f" order by review_id {order(selection)} limit {most})"
    )


def _meta_term(statement: SqlParameters, name: str, value: str) -> str:
    return f"meta_term({statement.bind(name)}, {statement.bind(value)})"


def _along_assignees(statement: SqlParameters, selection: ResolvedFilters, edge: str, most: str) -> str:
    """Scan by assignee. A review that is assigned to several of them is returned once."""
    return f"""
        select distinct found.review_id
        from unnest({statement.bind(list(selection.assignees or ()))}::text[]) as asked (assignee_id)
        cross join unnest({statement.bind(list(selection.phases))}::text[]) as wanted (phase)
        cross join lateral (
            select a.review_id from review_assignees a
            where a.account_id = $1 and a.assignee_id = asked.assignee_id and a.phase = wanted.phase{edge}
            order by a.review_id {order(selection)} limit {most}
        ) as found
    """  # noqa: S608


def _conditions(statement: SqlParameters, selection: ResolvedFilters) -> dict[str, Callable[[], str]]:
    """Return the conditions by name; each binds its parameters when it's called, since a statement can't have
    unused ones.
    """
    made: dict[str, Callable[[], str]] = {}
    for name in ("session_id", "run_id", "batch_id", "form_id", "agent_id"):
        if (value := getattr(selection, name)) is not None:
            made[name] = partial(_equal, statement, name, value)
    if len(selection.phases) < len(PHASES):
        made["phase"] = lambda: f"r.phase = any({statement.bind(list(selection.phases))}::text[])"
    if selection.unassigned:
        made["assigned"] = lambda: "not r.assigned"
    if (assignees := selection.assignees) is not None:
        made["assignees"] = lambda: (
            "exists (select from review_assignees a where a.account_id = r.account_id and a.review_id = r.review_id"
            f" and a.assignee_id = any({statement.bind(list(assignees))}::text[]))"
        )
    for index, member in enumerate(selection.meta):
        made[f"meta {index}"] = partial(_has_meta, statement, *member)
    if (words := selection.words) is not None:
        # As a value rather than a join: this looks up each review's own document, never all matching ones.
        made["words"] = lambda: (
            f"(select s.document @@ {search_query(words, statement.bind(words))} from review_search s"  # noqa: S608
            " where s.account_id = r.account_id and s.review_id = r.review_id)"
        )
    return made


def _has_meta(statement: SqlParameters, name: str, value: str) -> str:
    return (
        "exists (select from review_meta m where m.account_id = r.account_id and m.review_id = r.review_id"
        f" and m.term = {_meta_term(statement, name, value)})"
    )


def _equal(statement: SqlParameters, name: str, value: str) -> str:
    return f"r.{name} = {statement.bind(value)}"
