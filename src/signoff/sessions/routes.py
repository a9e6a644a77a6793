from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from signoff.accounts.access import Reader
from signoff.accounts.identity import AgentsKey, Participant, Person, PersonWhoDecides
from signoff.platform.errors import BadQuery
from signoff.platform.http import JsonRoute, json_response
from signoff.platform.idempotency import IDEMPOTENCY_KEY, read_idempotency
from signoff.platform.schemas import Limit, Page
from signoff.sessions import activity, message_queries, queries, session_list
from signoff.sessions.actions import name_session, start_session
from signoff.sessions.message_actions import post_message
from signoff.sessions.message_pieces import add_piece
from signoff.sessions.read_markers import read_up_to
from signoff.sessions.schemas import (
    Message,
    MessageId,
    Messages,
    NewMessage,
    NewSession,
    Piece,
    ReadUpTo,
    Session,
    SessionId,
    SessionName,
    SessionRow,
    Working,
)

router = APIRouter(route_class=JsonRoute, tags=["Sessions"])


def _documented(model: Any, *errors: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """For routes that write their answer themselves: what OpenAPI shall say about it."""
    return {status: {"model": model, "description": "OK"}, **{error: {} for error in errors}}


@router.get("/sessions", responses=_documented(Page[SessionRow]))
async def list_sessions(
    caller: Reader,
    agent_id: Annotated[str | None, Query(alias="agentId", max_length=128)] = None,
    q: Annotated[
        str | None, Query(max_length=500, description="A session's ID, or words of its name or of its messages.")
    ] = None,
    chat: Annotated[bool, Query(description="Only those that were begun as a chat, or have a message.")] = False,
    cursor: Annotated[
        str | None, Query(pattern=session_list.CURSOR, description="`nextCursor` of the page before.")
    ] = None,
    limit: Limit = 50,
) -> Response:
    """Sessions, newest activity first.

    With words that are in very many messages, a page may be short and still have a `nextCursor`.
    """
    asked = session_list.Asked(agent_id, (q or "").strip() or None, chat)
    return json_response(await session_list.list_sessions(caller, asked, cursor or None, limit))


@router.post("/sessions", status_code=201, responses=_documented(Session, 409) | _documented(Session, status=201))
async def create_session(caller: Participant, new: NewSession) -> Response:
    """Begin a session with an agent. The same `sessionId` again answers the session that there is, with 200.

    For people who may decide, if the agent's chat is on; for keys with the scope `reviews:write`, unless it is off.
    """
    session, is_new = await start_session(caller, new)
    return json_response(session, 201 if is_new else 200)


@router.get("/sessions/{sessionId}", responses=_documented(Session))
async def get_session(caller: Reader, session_id: SessionId) -> Response:
    """One session: who takes part, what its agent is doing, who is typing."""
    return json_response(await queries.get_session(caller, session_id))


@router.patch("/sessions/{sessionId}", responses=_documented(Session))
async def change_session(caller: Participant, session_id: SessionId, change: SessionName) -> Response:
    """Give a session another name. For people who may decide, and keys with the scope `reviews:write`."""
    return json_response(await name_session(caller, session_id, change.name))


@router.get("/sessions/{sessionId}/messages", responses=_documented(Messages))
async def list_messages(
    caller: Reader,
    session_id: SessionId,
    after: Annotated[str | None, Query(max_length=128, description="Messages that follow on this one.")] = None,
    before: Annotated[str | None, Query(max_length=128, description="Messages that come before this one.")] = None,
    limit: Limit = 50,
) -> Response:
    """A session's messages, oldest first. Without `after` or `before`, the newest of them."""
    if after is not None and before is not None:
        raise BadQuery("Give `after` or `before`, not both.")
    return json_response(await message_queries.list_messages(caller, session_id, after, before, limit))


@router.post(
    "/sessions/{sessionId}/messages",
    status_code=201,
    responses=_documented(Message, 409, status=201),
    openapi_extra={"parameters": [IDEMPOTENCY_KEY]},
)
async def create_message(request: Request, caller: Participant, session_id: SessionId, new: NewMessage) -> Response:
    """Write a message. A person's goes to the agent's webhook as `session.human_message`, in order.

    For people who may decide, unless the agent's chat is off; and for keys with the scope `reviews:write`, which write
    as the agent.
    """
    size = len(await request.body())
    message = await post_message(caller, session_id, new, size, await read_idempotency(request, caller.actor.id))
    return json_response(message, 201)


@router.post("/sessions/{sessionId}/messages/{messageId}/pieces", responses=_documented(Message, 409))
async def create_piece(
    request: Request, caller: AgentsKey, session_id: SessionId, message_id: MessageId, piece: Piece
) -> Response:
    """Add a piece to a message that is streaming. The same piece once more changes nothing.

    For keys with the scope `reviews:write`.
    """
    return json_response(await add_piece(caller, session_id, message_id, piece, len(await request.body())))


@router.put("/sessions/{sessionId}/working", status_code=204)
async def put_working(caller: AgentsKey, session_id: SessionId, body: Working) -> None:
    """Say that the agent is at work, or no longer. Forgotten after 60 seconds, and with its next complete message.

    For keys with the scope `reviews:write`.
    """
    await activity.say_working(caller, session_id, body)


@router.put("/sessions/{sessionId}/typing", status_code=204)
async def put_typing(caller: PersonWhoDecides, session_id: SessionId) -> None:
    """Say that one is typing. Forgotten after 6 seconds. For people who may decide."""
    await activity.say_typing(caller, session_id)


@router.put("/sessions/{sessionId}/read", status_code=204)
async def put_read(caller: Person, session_id: SessionId, body: ReadUpTo) -> None:
    """Say that one has read everything up to a message. Counts for those who take part."""
    await read_up_to(caller, session_id, body.message_id)
