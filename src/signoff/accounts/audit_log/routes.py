from typing import Annotated

from fastapi import APIRouter, Query

from signoff.accounts.audit_log import queries
from signoff.accounts.audit_log.queries import Filter
from signoff.accounts.audit_log.schemas import ActorKind, Entry
from signoff.accounts.dependencies import CanAdminister
from signoff.accounts.schemas import Timestamp
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import Cursor, Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Audit log"])


@router.get("/auditLog")
async def list_entries(
    caller: CanAdminister,
    action: Annotated[str | None, Query(max_length=128)] = None,
    actor_id: Annotated[str | None, Query(alias="actorId", max_length=400)] = None,
    actor_kind: Annotated[ActorKind | None, Query(alias="actorKind")] = None,
    object_id: Annotated[str | None, Query(alias="objectId", max_length=128)] = None,
    since: Annotated[Timestamp | None, Query(description="Only entries at or after this time.")] = None,
    until: Annotated[Timestamp | None, Query(description="Only entries before this time.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Page[Entry]:
    """Returns audit log entries, newest first."""
    only = Filter(action, actor_id, actor_kind, object_id, since, until)
    entries = await queries.list_entries(caller.db, caller.account_id, only, cursor, limit + 1)
    return make_page(entries, limit, lambda entry: entry.entry_id)
