"""The filters of review lists: the parameters, and their meaning for a caller."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints

from signoff.accounts.actors import Actor
from signoff.accounts.out_of_office.queries import members_covered_by_actor
from signoff.platform.db import Executor
from signoff.platform.errors import InvalidQuery
from signoff.platform.messages import msg, msgs
from signoff.platform.schemas import RequestModel

State = Literal["pending", "responded"]
Response = Literal["approved", "rejected"]
Order = Literal["newest", "oldest"]
FilterId = Annotated[str, StringConstraints(max_length=128)]
SearchWords = Annotated[str, StringConstraints(max_length=500)]

PENDING: Final = ("open", "waiting")
RESPONDED: Final = ("approved", "rejected", "submitted")
PHASES: Final = (*PENDING, *RESPONDED)
"""The phases of a review, as in the table's column `phase`."""
ASSIGNED_TO: Final = (
    "Filter by assignee: a member or group ID, `me` (you, or members you're a delegate for), "
    "`myGroups` (your groups and those members' groups), or `nobody` (unassigned)."
)
WORDS: Final = (
    'Full-text search in titles and content. Supports `"exact phrase"`, `-exclude`, and `or`. The '
    "last word matches as a prefix."
)


META: Final[dict[str, Any]] = {
    "name": "meta.key",
    "in": "query",
    "required": False,
    "description": (
        "Replace `key` with a name, as in `meta.ticket=A-17`. Returns only reviews whose `meta` has this value under "
        "that name. The value can be text, a number, `true`, or `false`. You can use up to 10 of these parameters, "
        "and all must match."
    ),
    "schema": {"type": "string"},
    "example": "A-17",
}
"""OpenAPI can't express that a parameter's name varies."""
MAX_META_FILTERS: Final = 10


def read_meta(query: Iterable[tuple[str, str]]) -> dict[str, str] | None:
    """Read `meta.<key>` from a query. Raises `InvalidQuery`."""
    meta: dict[str, str] = {}
    for name, value in query:
        key = name.removeprefix("meta.")
        if key == name:
            continue
        if not key or len(key) > 200 or key in meta:
            raise InvalidQuery(msg("{name}: each key must be unique and have 1 to 200 characters.", name=name[:100]))
        meta[key] = value
    if len(meta) > MAX_META_FILTERS:
        raise InvalidQuery(
            msgs("meta: use at most {count} key.", "meta: use at most {count} keys.", count=MAX_META_FILTERS)
        )
    return meta or None


class ReviewFilters(RequestModel):
    """Filters, named like the query parameters of `GET /reviews`. Omitted or null filters don't apply."""

    state: State | None = None
    response: Response | None = None
    agent_id: FilterId | None = None
    form_id: FilterId | None = None
    session_id: FilterId | None = None
    run_id: FilterId | None = None
    batch_id: FilterId | None = None
    meta: dict[str, str] | None = Field(None, max_length=10, description="`meta` values to match, keyed by name.")
    retry_requested: bool | None = Field(
        None, strict=True, description="Only reviews with (or without) pending change requests."
    )
    assigned_to: FilterId | None = Field(None, description=ASSIGNED_TO)
    q: SearchWords | None = Field(None, description=WORDS)
    order: Order | None = Field(None, description="Sort by age. Defaults to `newest`.")


@dataclass(frozen=True, slots=True)
class ResolvedFilters:
    """The filters resolved for one caller: `me` has become an ID, and so on."""

    phases: tuple[str, ...]
    """Empty if the filters contradict each other."""
    agent_id: str | None
    form_id: str | None
    session_id: str | None
    run_id: str | None
    batch_id: str | None
    meta: tuple[tuple[str, str], ...]
    """Members of `meta` and their values; a review must have all of them."""
    assignees: tuple[str, ...] | None
    """Any of these users and groups; None means any assignee or none."""
    unassigned: bool
    words: str | None
    oldest_first: bool

    @property
    def is_empty(self) -> bool:
        return not self.phases or self.assignees == ()


async def resolve_filters(db: Executor, actor: Actor, filters: ReviewFilters) -> ResolvedFilters:
    """Resolve the filters. Raises `InvalidQuery` if a key uses a filter that only people have."""
    assignees, unassigned = await _assignees(db, actor, filters.assigned_to)
    return ResolvedFilters(
        phases=phases(filters),
        agent_id=filters.agent_id,
        form_id=filters.form_id,
        session_id=filters.session_id,
        run_id=filters.run_id,
        batch_id=filters.batch_id,
        meta=tuple(sorted((filters.meta or {}).items())),
        assignees=assignees,
        unassigned=unassigned,
        words=(filters.q or "").strip() or None,
        oldest_first=filters.order == "oldest",
    )


def phases(filters: ReviewFilters) -> tuple[str, ...]:
    selected = set(PHASES)
    if filters.state is not None:
        selected &= set(PENDING if filters.state == "pending" else RESPONDED)
    if filters.response is not None:
        selected &= {filters.response}
    if filters.retry_requested is not None:
        selected &= {"waiting"} if filters.retry_requested else set(PHASES) - {"waiting"}
    return tuple(phase for phase in PHASES if phase in selected)


async def _assignees(db: Executor, actor: Actor, assigned_to: str | None) -> tuple[tuple[str, ...] | None, bool]:
    if assigned_to is None or assigned_to == "nobody":
        return None, assigned_to is not None
    if assigned_to not in ("me", "myGroups"):
        return (assigned_to,), False
    if actor.kind != "user":
        raise InvalidQuery(
            msg("assignedTo: `{value}` only works for signed-in members, not API keys.", value=assigned_to)
        )
    return await (covered_user_ids(db, actor) if assigned_to == "me" else covered_group_ids(db, actor)), False


async def covered_user_ids(db: Executor, actor: Actor) -> tuple[str, ...]:
    """Return the caller, and the members they cover for."""
    return (actor.id, *(absent.user_id for absent in await members_covered_by_actor(db, actor)))


async def covered_group_ids(db: Executor, actor: Actor) -> tuple[str, ...]:
    """Return the groups of the caller, and of the members they cover for."""
    rows = await db.fetch(
        "select distinct m.group_id from group_members m join groups g using (group_id)"
        " where g.account_id = $1 and m.user_id = any($2::text[]) order by m.group_id",
        actor.account_id,
        await covered_user_ids(db, actor),
    )
    return tuple(row["group_id"] for row in rows)
