from typing import Annotated, cast

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from signoff.accounts.access import Reader
from signoff.accounts.identity import Participant, Person
from signoff.inbox import runs, saved_views, timeline
from signoff.inbox.account_feed import Feeds
from signoff.inbox.counts import count
from signoff.inbox.openapi import LIVE_RESPONSES
from signoff.inbox.run_schemas import Run, RunId, RunName, RunRow
from signoff.inbox.schemas import Counts, NewView, TimelineItem, View, ViewChange, ViewId, Views
from signoff.inbox.sse_stream import changes
from signoff.platform.http import JsonRoute, json_response
from signoff.platform.schemas import Cursor, Limit, Page, written_page
from signoff.platform.streaming import streamed
from signoff.sessions.schemas import SessionId

router = APIRouter(route_class=JsonRoute, tags=["Inbox"])

# Nobody on the way may keep a stream, or hold it back until there is more of it.
NOT_HELD_BACK = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("/inbox/counts")
async def get_counts(caller: Person) -> Counts:
    """How many pending reviews there are in each view, of each agent and of each review type."""
    return await count(caller)


@router.get("/inbox/views")
async def list_views(caller: Person) -> Views:
    """One's own saved views, oldest first."""
    return await saved_views.list_views(caller)


@router.post("/inbox/views", status_code=201, responses={409: {}})
async def create_view(caller: Person, new: NewView) -> View:
    """Save a set of filters under a name, for oneself."""
    return await saved_views.save_view(caller, new)


@router.patch("/inbox/views/{viewId}")
async def change_view(caller: Person, view_id: ViewId, change: ViewChange) -> View:
    """Change what is given; `filters` are replaced as a whole."""
    return await saved_views.change_view(caller, view_id, change)


@router.delete("/inbox/views/{viewId}", status_code=204)
async def delete_view(caller: Person, view_id: ViewId) -> None:
    """Throw a saved view away."""
    await saved_views.delete_view(caller, view_id)


@router.get("/runs", responses={200: {"model": Page[RunRow], "description": "OK"}})
async def list_runs(
    caller: Reader,
    agent_id: Annotated[str | None, Query(alias="agentId", max_length=128)] = None,
    session_id: Annotated[str | None, Query(alias="sessionId", max_length=128)] = None,
    q: Annotated[str | None, Query(max_length=200, description="A part of the name, or how the ID begins.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Response:
    """Runs of workflows, newest first.

    A page with rare filters may be short and still have a `nextCursor`: it is over after so many runs were looked at.
    """
    after = runs.read_place(cursor)
    found = await runs.list_runs(
        caller, agent_id=agent_id, session_id=session_id, words=q or None, after=after, limit=limit
    )
    return written_page(found)


@router.get("/runs/{runId}", response_model_exclude_none=True)
async def get_run(caller: Reader, run_id: RunId) -> Run:
    """A run with its steps: what came before what, who decided what, and how long it took."""
    return await runs.get_run(caller.db, caller.account_id, run_id)


@router.patch("/runs/{runId}", response_model_exclude_none=True)
async def name_run(caller: Participant, run_id: RunId, change: RunName) -> Run:
    """Give a run a name. A later request of the run with a `runName` gives it another."""
    return await runs.name_run(caller, run_id, change)


@router.get(
    "/sessions/{sessionId}/timeline",
    tags=["Sessions"],
    responses={200: {"model": Page[TimelineItem], "description": "OK"}},
)
async def get_timeline(
    caller: Reader,
    session_id: SessionId,
    before: Annotated[
        str | None, Query(pattern=timeline.CURSOR, description="`nextCursor` of the page before.")
    ] = None,
    limit: Limit = 50,
) -> Response:
    """A session's messages, reviews and trigger forms, newest first."""
    return json_response(await timeline.read_timeline(caller, session_id, before or None, limit))


@router.get("/live", response_class=StreamingResponse, responses=LIVE_RESPONSES)
async def get_live(
    request: Request,
    caller: Person,
    after: Annotated[
        str | None, Query(pattern="^[0-9]{1,18}$", description="`id` of the last message received, to go on behind it.")
    ] = None,
    last_event_id: Annotated[
        str | None, Header(alias="Last-Event-ID", description="The same; browsers send it when they come back.")
    ] = None,
) -> Response:
    """What changes in the account, as it happens: Server-Sent Events, until either side ends it."""
    feeds = cast(Feeds, request.app.state.feeds)
    pieces = changes(request, caller, feeds, last_event_id if last_event_id is not None else after)
    return await streamed(request, pieces, "text/event-stream", NOT_HELD_BACK)
