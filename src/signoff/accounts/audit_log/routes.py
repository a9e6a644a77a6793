from typing import Annotated

from fastapi import APIRouter, Query

from signoff.accounts.audit_log import queries
from signoff.accounts.audit_log.queries import Filter
from signoff.accounts.audit_log.schemas import ActorKind, Entry
from signoff.accounts.dependencies import CanAdminister
from signoff.accounts.schemas import Timestamp
from signoff.platform import examples
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import Cursor, Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Audit log"])


@router.get("/auditLog", operation_id="listAuditLog", summary="List audit log entries")
async def list_entries(
    caller: CanAdminister,
    action: Annotated[
        str | None,
        Query(
            max_length=128,
            description="Only entries with this action, for example `review.approved`.",
            examples=["review.approved"],
        ),
    ] = None,
    actor_id: Annotated[
        str | None,
        Query(
            alias="actorId",
            max_length=400,
            description="Only entries by this member or API key.",
            examples=[examples.EDITOR_ID],
        ),
    ] = None,
    actor_kind: Annotated[
        ActorKind | None,
        Query(alias="actorKind", description="Only entries by members, API keys, external reviewers, or the system."),
    ] = None,
    object_id: Annotated[
        str | None,
        Query(
            alias="objectId",
            max_length=128,
            description="Only entries about this review, agent, member, or other object.",
            examples=[examples.REVIEW_ID],
        ),
    ] = None,
    since: Annotated[
        Timestamp | None, Query(description="Only entries at or after this time.", examples=["2026-11-01T00:00:00Z"])
    ] = None,
    until: Annotated[
        Timestamp | None, Query(description="Only entries before this time.", examples=["2026-12-01T00:00:00Z"])
    ] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[Entry]:
    """Returns audit log entries, newest first."""
    only = Filter(action, actor_id, actor_kind, object_id, since, until)
    entries = await queries.list_entries(caller.db, caller.account_id, only, cursor, limit + 1)
    return make_page(entries, limit, lambda entry: entry.entry_id)
