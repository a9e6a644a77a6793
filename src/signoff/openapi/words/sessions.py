"""The operations under "Sessions"."""

from signoff.accounts import errors as accounts
from signoff.openapi import story
from signoff.openapi.words.common_problems import FAIR_USE_EXCEEDED, KEY_REUSED
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.messages import msg, msgs
from signoff.sessions import errors as sessions

_NO_CHAT = (
    sessions.ChatOff(msg("Chat is turned off for this agent.")),
    sessions.ChatReplyOnly(msg("You can reply to this agent, but only the agent can start a chat.")),
)
_OTHER_AGENT = sessions.SessionOfAnotherAgent(
    msg(
        "Session '{id}' belongs to agent '{agent}'. Use that agent, or another session ID.",
        id=story.SESSION_ID,
        agent=story.AGENT_ID,
    )
)

OPERATIONS: Operations = {
    ("get", "/sessions"): Words("listSessions", "List sessions"),
    ("post", "/sessions"): Words(
        "createSession",
        "Create a session",
        problems=(
            *_NO_CHAT,
            _OTHER_AGENT,
            invalid("agentId", "unknown_agent", msg("no agent with ID '{id}'", id="agt_1")),
        ),
    ),
    ("get", "/sessions/{sessionId}"): Words("getSession", "Get a session"),
    ("patch", "/sessions/{sessionId}"): Words("changeSession", "Rename a session"),
    ("get", "/sessions/{sessionId}/messages"): Words("listMessages", "List messages"),
    ("post", "/sessions/{sessionId}/messages"): Words(
        "createMessage",
        "Send a message",
        problems=(
            *_NO_CHAT,
            _OTHER_AGENT,
            KEY_REUSED,
            InvalidRequest(
                [
                    ErrorDetail("text", "missing", msg("can't be empty unless you attach a file")),
                    ErrorDetail(
                        "attachments[0].url",
                        "not_uploaded",
                        msg("must be a `downloadURL` returned by `POST /uploadFiles`"),
                    ),
                ]
            ),
            FAIR_USE_EXCEEDED,
        ),
    ),
    ("post", "/sessions/{sessionId}/messages/{messageId}/pieces"): Words(
        "addPiece",
        "Append to a streaming message",
        problems=(
            sessions.WrongOffset(
                msgs(
                    "The message has {count} character. Send the next chunk with `offset` {offset}.",
                    "The message has {count} characters. Send the next chunk with `offset` {offset}.",
                    count=34,
                    offset="34",
                ),
                length=34,
            ),
            sessions.NotStreaming(msg("This message is complete. Send a new message instead."), length=34),
            accounts.ApiKeyRequired(msg("Use an API key. Only agents can call this endpoint.")),
        ),
    ),
    ("put", "/sessions/{sessionId}/working"): Words(
        "sayWorking",
        "Set working status",
        problems=(accounts.ApiKeyRequired(msg("Use an API key. Only agents can call this endpoint.")),),
    ),
    ("put", "/sessions/{sessionId}/typing"): Words("sayTyping", "Set typing status"),
    ("put", "/sessions/{sessionId}/read"): Words(
        "markRead", "Mark messages as read", problems=(NotFound(msg("message"), story.MESSAGE_ID),)
    ),
}
