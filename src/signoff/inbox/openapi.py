"""OpenAPI texts for the stream of changes."""

from signoff.platform.http.documentation import Responses

_EXAMPLE = (
    "id: 4711\nevent: hello\ndata: {}\n\n"
    'id: 4712\nevent: change\ndata: {"action":"agent.changed","objectId":"agt_01a1108c69c2c61d7e09b4a8f35c"}\n\n'
)
_DESCRIPTION = (
    "Server-sent events, each with `id`, `event`, and JSON `data`. `hello` `{}`: the stream has started. `review` "
    "`{reviewId, action, actorId, row}`: a review changed. `row` is as in `GET /reviews`, or null if the review was "
    "deleted. `session` `{sessionId, action, actorId, row?}`: something happened in a session. `row` is as in "
    "`GET /sessions`, and omitted if `action` is `session.piece`, `session.working`, or `session.typing`. "
    "`change` `{action, objectId}`: something else was added to the audit log. `presence` "
    "`{reviews: {reviewId: [{userId, name}]}}`: the complete list of who has which review open. "
    "`reset` `{}`: you missed too many events. Load everything again."
)
LIVE_RESPONSES: Responses = {
    200: {
        "description": "OK",
        "content": {
            "text/event-stream": {"schema": {"type": "string", "description": _DESCRIPTION}, "example": _EXAMPLE}
        },
    }
}
