"""Lists of deliveries by their filters, with an index for each condition."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signoff.platform.db import Executor
from signoff.platform.ids import id_at
from signoff.webhooks.queries import LIST_COLUMNS, delivery_members
from signoff.webhooks.schemas import DeliveryRow, Status, Target


@dataclass(frozen=True, slots=True)
class Filter:
    review_id: str | None = None
    agent_id: str | None = None
    form_id: str | None = None
    status: Status | None = None
    target: Target | None = None
    event: str | None = None
    since: datetime | None = None
    until: datetime | None = None


# Common values are found by scanning all deliveries, rare ones with an index of the others. Adding that a value isn't
# the common one selects that index.
COMMON = {"status": "succeeded", "target": "agent", "event": "review.completed"}
# The indexes by agent and by review type only have finished deliveries: a delivery in progress changes its status
# several times, and each change would be written to them. Those in progress are few, and have an index by status.
SETTLED = "status in ('succeeded', 'dead')"
UNDER_WAY = [f"status <> 'succeeded' and status = '{status}'" for status in ("pending", "delivering", "retrying")]
CLOCKS_DIFFER = 3600.0
"""Seconds, a generous margin: IDs have the time of the process that created them, `triggered_at` that of the
database.
"""


async def list_deliveries(
    db: Executor, account_id: str, only: Filter, before: str | None, limit: int
) -> list[DeliveryRow]:
    """Return the newest first. The query only contains the given conditions, so that each combination gets a plan
    of its own.
    """
    wanted: dict[str, Any] = {
        "account_id =": account_id,
        "review_id =": only.review_id,
        "agent_id =": only.agent_id,
        "form_id =": only.form_id,
        "status =": only.status,
        "target =": only.target,
        "event =": only.event,
        "triggered_at >=": only.since,
        "triggered_at <": only.until,
        # Doesn't restrict the time further than the two above, but in the order of the scan.
        "delivery_id >=": id_at("whd", only.since, -CLOCKS_DIFFER) if only.since is not None else None,
        "delivery_id <=": id_at("whd", only.until, CLOCKS_DIFFER) if only.until is not None else None,
        "delivery_id <": before,
    }
    values = [value for value in wanted.values() if value is not None]
    given = [condition for condition, value in wanted.items() if value is not None]
    conditions = [f"{condition} ${position}" for position, condition in enumerate(given, 1)]
    for column, common in COMMON.items():
        if getattr(only, column) not in {None, common}:
            conditions.append(f"{column} <> '{common}'")
    end = f"order by delivery_id desc limit ${len(values) + 1}"
    walks = [
        f"(select {LIST_COLUMNS} from deliveries where {' and '.join([*conditions, *walk])} {end})"  # noqa: S608
        for walk in _walks(only)
    ]
    rows = await db.fetch(f"select * from ({' union all '.join(walks)}) as found {end}", *values, limit)  # noqa: S608
    return [DeliveryRow.model_validate(delivery_members(row)) for row in rows]


def _walks(only: Filter) -> list[list[str]]:
    """Return the additional conditions of each index scan: one scan, or one for finished deliveries and several for
    the others.
    """
    if only.review_id is not None or (only.agent_id is None and only.form_id is None):
        return [[]]
    if only.status is not None:
        return [[SETTLED]] if only.status in {"succeeded", "dead"} else [[]]
    return [[SETTLED], *([status] for status in UNDER_WAY)]
