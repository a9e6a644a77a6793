from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from signoff.accounts.dependencies import AgentKey, CanRead, ChatParticipant, SignedInDecider, SignedInUser
from signoff.accounts.errors import ApiKeyRequired, FairUseExceeded
from signoff.agents.schemas import AgentFilter
from signoff.platform import examples
from signoff.platform.errors import ErrorDetail, InvalidQuery, InvalidRequest, NotFound
from signoff.platform.http.documentation import document_errors, document_response, invalid
from signoff.platform.http.json_routes import JsonRoute, json_response
from signoff.platform.idempotency import IDEMPOTENCY_KEY, key_reused, read_idempotency
from signoff.platform.messages import msg
from signoff.platform.schemas import Limit, Page
from signoff.sessions import actions, activity, message_actions, message_queries, queries, session_list
from signoff.sessions.attachments import NOT_UPLOADED
from signoff.sessions.errors import ChatOff, ChatReplyOnly, NotStreaming, SessionOfAnotherAgent, WrongOffset
from signoff.sessions.message_actions import EMPTY_MESSAGE
from signoff.sessions.message_pieces import add_piece
from signoff.sessions.read_markers import mark_read
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


# Examples of errors that several routes have.
OTHER_AGENT = SessionOfAnotherAgent(examples.SESSION_ID, examples.AGENT_ID)
INVALID_MESSAGE = InvalidRequest(
    [
        ErrorDetail("text", "missing", EMPTY_MESSAGE),
        ErrorDetail("attachments[0].url", "not_uploaded", NOT_UPLOADED),
    ]
)


@router.get(
    "/sessions", operation_id="listSessions", summary="List sessions", responses=document_response(Page[SessionRow])
)
async def list_sessions(
    caller: CanRead,
    agent_id: AgentFilter = None,
    q: Annotated[
        str | None,
        Query(max_length=500, description="Session ID, or text from its name or messages.", examples=["autumn news"]),
    ] = None,
    chat: Annotated[bool, Query(description="Only sessions that were started as a chat or have messages.")] = False,
    cursor: Annotated[
        str | None, Query(pattern=session_list.CURSOR, description="`nextCursor` from the previous page.")
    ] = None,
    limit: Limit = 50,
) -> Response:
    """Returns sessions, most recently active first. With very common search words, a page can be shorter than
    `limit` and still have a `nextCursor`.
    """
    selection = session_list.SessionSelection(agent_id, (q or "").strip() or None, chat)
    return json_response(await session_list.list_sessions(caller, selection, cursor or None, limit))


@router.post(
    "/sessions",
    operation_id="createSession",
    summary="Create a session",
    status_code=201,
    responses=document_response(
        Session,
        ChatOff(),
        ChatReplyOnly(),
        OTHER_AGENT,
        invalid("agentId", "unknown_agent", msg("must be the ID of an agent, not '{id}'", id="agt_1")),
    )
    | document_response(Session, status=201),
)
async def create_session(caller: ChatParticipant, new: NewSession) -> Response:
    """Starts a session with an agent. If `sessionId` already exists, returns that session with 200. Members need a role
    that can decide, and the agent's `chat` must be `on`. API keys need the `reviews:write` scope, and the agent's
    `chat` can't be `off`.
    """
    session, is_new = await actions.create_session(caller, new)
    return json_response(session, 201 if is_new else 200)


@router.get(
    "/sessions/{sessionId}", operation_id="getSession", summary="Get a session", responses=document_response(Session)
)
async def get_session(caller: CanRead, session_id: SessionId) -> Response:
    """Returns a session with its participants, what the agent is doing, and who is typing."""
    return json_response(await queries.get_session(caller, session_id))


@router.patch(
    "/sessions/{sessionId}",
    operation_id="changeSession",
    summary="Rename a session",
    responses=document_response(Session),
)
async def change_session(caller: ChatParticipant, session_id: SessionId, change: SessionName) -> Response:
    """Renames a session. Requires a role that can decide, or the `reviews:write` scope."""
    return json_response(await actions.rename_session(caller, session_id, change.name))


@router.get(
    "/sessions/{sessionId}/messages",
    operation_id="listMessages",
    summary="List messages",
    responses=document_response(Messages),
)
async def list_messages(
    caller: CanRead,
    session_id: SessionId,
    after: Annotated[str | None, Query(max_length=128, description="Only messages after this one.")] = None,
    before: Annotated[str | None, Query(max_length=128, description="Only messages before this one.")] = None,
    limit: Limit = 50,
) -> Response:
    """Returns messages, oldest first. Without `after` or `before`, returns the latest ones."""
    if after is not None and before is not None:
        raise InvalidQuery(msg("Use either `after` or `before`, not both."))
    return json_response(await message_queries.list_messages(caller, session_id, after, before, limit))


@router.post(
    "/sessions/{sessionId}/messages",
    operation_id="createMessage",
    summary="Send a message",
    status_code=201,
    responses=document_response(
        Message,
        ChatOff(),
        ChatReplyOnly(),
        OTHER_AGENT,
        key_reused(),
        INVALID_MESSAGE,
        FairUseExceeded("reviewRequests", 20_000, 20_000, examples.MONTH_ENDS),
        status=201,
    ),
    openapi_extra={"parameters": [IDEMPOTENCY_KEY]},
)
async def create_message(request: Request, caller: ChatParticipant, session_id: SessionId, new: NewMessage) -> Response:
    """Sends a message. Messages from members are delivered to the agent's webhook as `session.human_message`, in order.
    Requires a role that can decide, or the `reviews:write` scope. Messages sent with an API key are from the agent.
    """
    size = len(await request.body())
    message = await message_actions.create_message(
        caller, session_id, new, size, await read_idempotency(request, caller.actor.id)
    )
    return json_response(message, 201)


@router.post(
    "/sessions/{sessionId}/messages/{messageId}/pieces",
    operation_id="addPiece",
    summary="Append to a streaming message",
    responses=document_response(Message, WrongOffset(34), NotStreaming(34), ApiKeyRequired()),
)
async def create_piece(
    request: Request, caller: AgentKey, session_id: SessionId, message_id: MessageId, piece: Piece
) -> Response:
    """Appends a chunk to a streaming message. Sending the same chunk twice has no effect. Requires the `reviews:write`
    scope.
    """
    return json_response(await add_piece(caller, session_id, message_id, piece, len(await request.body())))


@router.put(
    "/sessions/{sessionId}/working",
    operation_id="sayWorking",
    summary="Set working status",
    status_code=204,
    responses=document_errors(ApiKeyRequired()),
)
async def put_working(caller: AgentKey, session_id: SessionId, body: Working) -> None:
    """Shows or hides the agent's working status. The status clears after 60 seconds or when the agent sends a complete
    message. Requires the `reviews:write` scope.
    """
    await activity.set_agent_working(caller, session_id, body)


@router.put("/sessions/{sessionId}/typing", operation_id="sayTyping", summary="Set typing status", status_code=204)
async def put_typing(caller: SignedInDecider, session_id: SessionId) -> None:
    """Shows that you're typing. The status clears after 6 seconds. Requires a role that can decide."""
    await activity.set_user_typing(caller, session_id)


@router.put(
    "/sessions/{sessionId}/read",
    operation_id="markRead",
    summary="Mark messages as read",
    status_code=204,
    responses=document_errors(NotFound(msg("message"), examples.MESSAGE_ID)),
)
async def put_read(caller: SignedInUser, session_id: SessionId, body: ReadUpTo) -> None:
    """Marks all messages up to the given one as read. Has no effect if you aren't a participant."""
    await mark_read(caller, session_id, body.message_id)
