"""SQL that scans indexes in the order of a list, whatever the filters.

A list is the merge of a few scans, one for each phase (and assignee). Each follows one index and is sorted, so a page
costs as much as its content, not as much as the table. Conditions that no index covers are returned as `rest`, to be
checked row by row; the caller limits the number of rows.

A statement depends on the `FilterShape` alone, so it's built once for all lists with the same filters.
"""

from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product
from typing import Any, Final, LiteralString

from signoff.platform.db import Row
from signoff.platform.sql import Fragment, Sql, all_of
from signoff.platform.text_search import search_query, whole_words
from signoff.reviews.filters import PHASES, ResolvedFilters

EQUAL: Final[dict[str, LiteralString]] = {
    "session_id": "r.session_id = :session_id",
    "run_id": "r.run_id = :run_id",
    "batch_id": "r.batch_id = :batch_id",
    "form_id": "r.form_id = :form_id",
    "agent_id": "r.agent_id = :agent_id",
}
NARROW_FILTERS: Final = ("session_id", "run_id", "batch_id")
PHASE_CONDITIONS: Final[dict[str, LiteralString]] = {
    "open": "r.phase = 'open'",
    "waiting": "r.phase = 'waiting'",
    "approved": "r.phase = 'approved'",
    "rejected": "r.phase = 'rejected'",
    "submitted": "r.phase = 'submitted'",
}
HAS_ASSIGNEE: Final = """
    exists (select from review_assignees a where a.account_id = r.account_id and a.review_id = r.review_id
            and a.assignee_id = any(:assignees::text[]))
"""
META_TERM: Final = "meta_term((:meta_keys::text[])[{place}], (:meta_values::text[])[{place}])"
HAS_META: Final = """
    exists (select from review_meta m where m.account_id = r.account_id and m.review_id = r.review_id
            and m.term = {term})
"""
# As a value rather than a join: this looks up each review's own document, never all matching ones.
MATCHES: Final = """
    (select s.document @@ {query} from review_search s
     where s.account_id = r.account_id and s.review_id = r.review_id)
"""

# Each with its own order and limit, which guarantees an index scan: the planner wouldn't choose one for a union that
# is sorted as a whole.
SCAN: Final = """
    (select review_id from reviews r where r.account_id = :account_id and {condition} and {after}
     order by review_id {order} limit :most)
"""
SCAN_META: Final = """
    (select review_id from review_meta where account_id = :account_id and term = {term} and {after}
     order by review_id {order} limit :most)
"""
# A review that is assigned to several of them is returned once.
SCAN_ASSIGNEES: Final = """
    select distinct found.review_id
    from unnest(:assignees::text[]) as asked (assignee_id)
    cross join unnest(:phases::text[]) as wanted (phase)
    cross join lateral (
        select a.review_id from review_assignees a
        where a.account_id = :account_id and a.assignee_id = asked.assignee_id and a.phase = wanted.phase and {after}
        order by a.review_id {order} limit :most
    ) as found
"""
MERGE: Final = "select review_id from ({scans}) as scan order by review_id {order} limit :most"


@dataclass(frozen=True, slots=True)
class FilterShape:
    """Which filters are set. What they're set to are parameters: `filter_values`."""

    equal: tuple[str, ...]
    phases: tuple[str, ...]
    meta: int
    """How many members of `meta`."""
    by_assignee: bool
    unassigned: bool
    query: Sql[Row] | None
    """For the search words."""
    oldest_first: bool
    continued: bool
    """Whether the list continues after a review."""

    @property
    def order(self) -> LiteralString:
        return "asc" if self.oldest_first else "desc"

    @property
    def after(self) -> LiteralString:
        if not self.continued:
            return "true"
        return "review_id > :after" if self.oldest_first else "review_id < :after"


@dataclass(frozen=True, slots=True)
class IndexScan:
    sql: Sql[Row]
    """A query for the `review_id` of the first `:most` reviews, in order."""
    rest: Sql[Row] | None
    """Conditions on `reviews r` that the scan doesn't cover."""


def filter_shape(selection: ResolvedFilters, after: str | None) -> FilterShape:
    return FilterShape(
        equal=tuple(name for name in EQUAL if getattr(selection, name) is not None),
        phases=selection.phases,
        meta=len(selection.meta),
        by_assignee=selection.assignees is not None,
        unassigned=selection.unassigned,
        query=None if selection.words is None else search_query(selection.words),
        oldest_first=selection.oldest_first,
        continued=after is not None,
    )


def filter_values(account_id: str, selection: ResolvedFilters, after: str | None) -> dict[str, Any]:
    """Return the values of all parameters that conditions and scans may have, except `most`."""
    return {
        "account_id": account_id,
        "session_id": selection.session_id,
        "run_id": selection.run_id,
        "batch_id": selection.batch_id,
        "form_id": selection.form_id,
        "agent_id": selection.agent_id,
        "phases": selection.phases,
        "assignees": selection.assignees,
        "meta_keys": [key for key, _ in selection.meta],
        "meta_values": [value for _, value in selection.meta],
        "words": selection.words,
        "whole_words": selection.words and whole_words(selection.words),
        "after": after,
    }


@lru_cache(maxsize=1_000)
def build_index_scan(shape: FilterShape) -> IndexScan:
    """Return the next reviews after `:after`, or from the start."""
    left = _conditions(shape)
    narrow = next((name for name in NARROW_FILTERS if name in left), None)
    if narrow is not None:
        scans = [_scan(shape, left.pop(narrow))]
    elif shape.meta:
        # The first of the members. The others are checked review by review.
        left.pop("meta 1")
        scans = [Sql(SCAN_META, term=Sql(META_TERM, place=1), after=shape.after, order=shape.order)]
    elif shape.by_assignee:
        left.pop("assignees")
        left.pop("phase", None)
        scans = [Sql(SCAN_ASSIGNEES, after=shape.after, order=shape.order)]
    elif left.keys() <= {"words"}:
        scans = [_scan(shape)]
    else:
        left.pop("phase", None)
        left.pop("assigned", None)
        first = next((name for name in ("form_id", "agent_id") if name in left), None)
        leading: Fragment = left.pop(first) if first is not None else "true"
        assigned_conditions = ("not r.assigned",) if shape.unassigned else ("r.assigned", "not r.assigned")
        scans = [
            _scan(shape, leading, PHASE_CONDITIONS[phase], assigned)
            for phase, assigned in product(shape.phases, assigned_conditions)
        ]
    union = reduce(lambda merged, scan: Sql("{merged} union all {scan}", merged=merged, scan=scan), scans)
    return IndexScan(Sql(MERGE, scans=union, order=shape.order), all_of(left.values()) if left else None)


def _scan(shape: FilterShape, *conditions: Fragment) -> Sql[Row]:
    return Sql(SCAN, condition=all_of(conditions), after=shape.after, order=shape.order)


def conditions_without_words(shape: FilterShape) -> Sql[Row]:
    """Return every filter except the search words, as conditions on `reviews r`."""
    return all_of(condition for name, condition in _conditions(shape).items() if name != "words")


def _conditions(shape: FilterShape) -> dict[str, Fragment]:
    """Return the conditions by name."""
    conditions: dict[str, Fragment] = {name: EQUAL[name] for name in shape.equal}
    if len(shape.phases) < len(PHASES):
        conditions["phase"] = "r.phase = any(:phases::text[])"
    if shape.unassigned:
        conditions["assigned"] = "not r.assigned"
    if shape.by_assignee:
        conditions["assignees"] = HAS_ASSIGNEE
    for place in range(1, shape.meta + 1):
        conditions[f"meta {place}"] = Sql(HAS_META, term=Sql(META_TERM, place=place))
    if shape.query is not None:
        conditions["words"] = Sql(MATCHES, query=shape.query)
    return conditions
