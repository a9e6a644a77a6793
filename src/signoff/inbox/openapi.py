"""OpenAPI texts for the stream of changes."""

from typing import Any

_EXAMPLE = (
    "id: 4711\nevent: hello\ndata: {}\n\n"
    'id: 4712\nevent: change\ndata: {"action":"agent.changed","objectId":"agt_01a1108c69c2c61d7e09b4a8f35c"}\n\n'
)
_DESCRIPTION = (
    "Server-Sent Events, each with `id`, `event` and `data` in JSON. `hello` `{}`: the beginning. `review` "
    "`{reviewId, action, actorId, row}`: a review changed; `row` is as in `GET /reviews`, null once it is deleted. "
    "`session` `{sessionId, action, actorId, row?}`: something happened in a session; `row`, as in `GET /sessions`, is "
    "there unless `action` is `session.piece`, `session.working` or `session.typing`. "
    "`change` `{action, objectId}`: something else in the audit log. `presence` "
    "`{reviews: {reviewId: [{userId, name}]}}`: who has which review open, all of it. "
    "`reset` `{}`: too much was missed, read everything again."
)
LIVE_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "OK",
        "content": {
            "text/event-stream": {"schema": {"type": "string", "description": _DESCRIPTION}, "example": _EXAMPLE}
        },
    }
}
