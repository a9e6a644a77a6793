"""The operations under "Sessions"."""

from signoff.accounts import errors as accounts
from signoff.openapi import story
from signoff.openapi.words.common_problems import FAIR_USE_EXCEEDED, KEY_REUSED
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import Invalid, NotFound
from signoff.platform.faults import Fault
from signoff.sessions import errors as sessions

_NO_CHAT = (
    sessions.ChatOff("The agent's chat is off."),
    sessions.ChatReplyOnly("People can write in this agent's sessions, but only the agent begins one."),
)
_OTHER_AGENT = sessions.SessionOfAnotherAgent(
    f"The session {story.SESSION_ID!r} belongs to the agent {story.AGENT_ID!r}."
)

OPERATIONS: Operations = {
    ("get", "/sessions"): Words("listSessions", "List sessions"),
    ("post", "/sessions"): Words(
        "createSession",
        "Create a session",
        problems=(
            *_NO_CHAT,
            _OTHER_AGENT,
            invalid("agentId", "unknown_agent", "there is no agent 'agt_1'"),
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
            Invalid(
                [
                    Fault("text", "missing", "must not be empty without an attachment"),
                    Fault("attachments[0].url", "not_uploaded", "is no address that `POST /uploadFiles` gave …"),
                ]
            ),
            FAIR_USE_EXCEEDED,
        ),
    ),
    ("post", "/sessions/{sessionId}/messages/{messageId}/pieces"): Words(
        "addPiece",
        "Append to a streaming message",
        problems=(
            sessions.WrongOffset("The message has 34 characters; the next piece begins there.", length=34),
            sessions.NotStreaming("The message is complete; nothing can be added to it.", length=34),
            accounts.KeyNeeded("Send an API key: only an agent can do this."),
        ),
    ),
    ("put", "/sessions/{sessionId}/working"): Words(
        "sayWorking",
        "Set working status",
        problems=(accounts.KeyNeeded("Send an API key: only an agent can do this."),),
    ),
    ("put", "/sessions/{sessionId}/typing"): Words("sayTyping", "Set typing status"),
    ("put", "/sessions/{sessionId}/read"): Words(
        "markRead", "Mark messages as read", problems=(NotFound("message", story.MESSAGE_ID),)
    ),
}
