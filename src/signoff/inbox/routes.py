from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from signoff.accounts.dependencies import CanRead, ChatParticipant, SignedInUser
from signoff.agents.schemas import AgentFilter
from signoff.inbox import runs, saved_views, timeline
from signoff.inbox.account_feed import Feeds
from signoff.inbox.counts import count_inbox
from signoff.inbox.errors import TooManyViews
from signoff.inbox.openapi import LIVE_RESPONSES
from signoff.inbox.run_schemas import Run, RunId, RunName, RunRow
from signoff.inbox.saved_views import MAX_VIEWS
from signoff.inbox.schemas import Counts, NewView, TimelineItem, View, ViewChange, ViewId, Views
from signoff.inbox.sse_stream import stream_changes
from signoff.platform.http.documentation import document_errors, document_response
from signoff.platform.http.json_routes import JsonRoute, json_response
from signoff.platform.http.streams import stream_response
from signoff.platform.schemas import Cursor, Limit, Page, sparse_page_response
from signoff.sessions.schemas import SessionFilter, SessionId

router = APIRouter(route_class=JsonRoute, tags=["Inbox"])

# No proxy may cache a stream, or buffer it.
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("/inbox/counts", operation_id="getInboxCounts", summary="Get inbox counts")
async def get_counts(caller: SignedInUser) -> Counts:
    """Returns the number of pending reviews per view, agent, and review type."""
    return await count_inbox(caller)


@router.get("/inbox/views", operation_id="listViews", summary="List saved views")
async def list_views(caller: SignedInUser) -> Views:
    """Returns your saved views, oldest first."""
    return await saved_views.list_views(caller)


@router.post(
    "/inbox/views",
    operation_id="createView",
    summary="Create a saved view",
    status_code=201,
    responses=document_errors(TooManyViews(MAX_VIEWS)),
)
async def create_view(caller: SignedInUser, new: NewView) -> View:
    """Saves a set of filters under a name, for you only."""
    return await saved_views.save_view(caller, new)


@router.patch("/inbox/views/{viewId}", operation_id="changeView", summary="Update a saved view")
async def change_view(caller: SignedInUser, view_id: ViewId, change: ViewChange) -> View:
    """Updates the given properties. `filters` are replaced as a whole."""
    return await saved_views.update_view(caller, view_id, change)


@router.delete("/inbox/views/{viewId}", operation_id="deleteView", summary="Delete a saved view", status_code=204)
async def delete_view(caller: SignedInUser, view_id: ViewId) -> None:
    """Deletes a saved view."""
    await saved_views.delete_view(caller, view_id)


@router.get("/runs", operation_id="listRuns", summary="List runs", responses=document_response(Page[RunRow]))
async def list_runs(
    caller: CanRead,
    agent_id: AgentFilter = None,
    session_id: SessionFilter = None,
    q: Annotated[
        str | None,
        Query(max_length=200, description="Part of the name, or the start of the ID.", examples=["autumn news"]),
    ] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    """Returns workflow runs, newest first. A page can be shorter than `limit` and still have a `nextCursor`."""
    after = runs.parse_cursor(cursor)
    found = await runs.list_runs(
        caller, agent_id=agent_id, session_id=session_id, words=q or None, after=after, limit=limit
    )
    return sparse_page_response(found)


@router.get("/runs/{runId}", operation_id="getRun", summary="Get a run", response_model_exclude_none=True)
async def get_run(caller: CanRead, run_id: RunId) -> Run:
    """Returns a run with its steps, decisions, and durations."""
    return await runs.get_run(caller.db, caller.account_id, run_id)


@router.patch("/runs/{runId}", operation_id="nameRun", summary="Rename a run", response_model_exclude_none=True)
async def name_run(caller: ChatParticipant, run_id: RunId, change: RunName) -> Run:
    """Renames a run. A later review request with a `runName` renames it again."""
    return await runs.rename_run(caller, run_id, change)


@router.get(
    "/sessions/{sessionId}/timeline",
    operation_id="getTimeline",
    summary="Get a session's timeline",
    tags=["Sessions"],
    responses=document_response(Page[TimelineItem]),
)
async def get_timeline(
    caller: CanRead,
    session_id: SessionId,
    before: Annotated[
        str | None, Query(pattern=timeline.CURSOR, description="`nextCursor` from the previous page.")
    ] = None,
    limit: Limit = 50,
) -> Response:
    """Returns a session's messages, reviews, and trigger forms, newest first."""
    return json_response(await timeline.read_timeline(caller, session_id, before or None, limit))


@router.get(
    "/live",
    operation_id="followChanges",
    summary="Stream live updates",
    response_class=StreamingResponse,
    responses=LIVE_RESPONSES,
)
async def get_live(
    request: Request,
    caller: SignedInUser,
    after: Annotated[
        str | None, Query(pattern="^[0-9]{1,18}$", description="`id` of the last event received, to resume after it.")
    ] = None,
    last_event_id: Annotated[
        str | None, Header(alias="Last-Event-ID", description="Same as `after`. Sent by browsers when they reconnect.")
    ] = None,
) -> Response:
    """Streams changes in the account as server-sent events until either side closes the connection."""
    feeds = caller.context.get(Feeds)
    pieces = stream_changes(request, caller, feeds, last_event_id if last_event_id is not None else after)
    return await stream_response(request, pieces, "text/event-stream", STREAM_HEADERS)
