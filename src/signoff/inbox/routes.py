from typing import Annotated, cast

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from signoff.accounts.identity import Person
from signoff.inbox import saved_views
from signoff.inbox.counting import count
from signoff.inbox.documented import LIVE_RESPONSES
from signoff.inbox.feed import Feeds
from signoff.inbox.schemas import Counts, NewView, View, ViewChange, ViewId, Views
from signoff.inbox.stream import changes
from signoff.platform.http import JsonRoute
from signoff.platform.streaming import streamed

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
