"""The newsletter's session, and Eda's messages."""

from typing import Any

from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    DELIVERY_ID,
    EDITOR,
    EDITOR_ID,
    MESSAGE_ID,
    REQUESTED_AT,
    RESPONDED_AT,
    RUN_ID,
    SESSION_ID,
    URL,
)

_session_row: dict[str, Any] = {
    "sessionId": SESSION_ID,
    "name": "The November newsletter",
    "agentId": AGENT_ID,
    "agentName": "Newsletter writer",
    "createdAt": REQUESTED_AT,
    "activeAt": RESPONDED_AT,
    "messageCount": 1,
    "unread": 0,
    "lastMessage": {
        "messageId": MESSAGE_ID,
        "role": "human",
        "text": "Could the headline name the season?",
        "at": RESPONDED_AT,
        "by": "Eda Torres",
    },
    "openReviews": 0,
}
_attachment = {
    "url": f"{URL}/media/{ACCOUNT_ID}/med_01a1de8ac9c2f05b7e91d3a84c60",
    "name": "last-year.png",
    "contentType": "image/png",
    "size": 48213,
}
_author = {"id": EDITOR_ID, "email": EDITOR, "name": "Eda Torres"}
MESSAGE: dict[str, Any] = {
    "messageId": MESSAGE_ID,
    "sessionId": SESSION_ID,
    "number": 1,
    "role": "human",
    "text": "Could the headline name the season?",
    "attachments": [_attachment],
    "state": "complete",
    "createdAt": RESPONDED_AT,
    "updatedAt": RESPONDED_AT,
    "user": _author,
    "agentId": AGENT_ID,
    "delivery": {"deliveryId": DELIVERY_ID, "status": "succeeded"},
}
TOLD_MESSAGE = {
    "id": MESSAGE_ID,
    "text": MESSAGE["text"],
    "attachments": [_attachment],
    "createdAt": RESPONDED_AT,
    "user": _author,
}

EXAMPLES: dict[str, Any] = {
    "NewSession": {"agentId": AGENT_ID, "name": "The November newsletter"},
    "SessionName": {"name": "The November newsletter"},
    "SessionRow": _session_row,
    "Session": {
        **_session_row,
        "chat": "on",
        "participants": [{"userId": EDITOR_ID, "name": "Eda Torres", "email": EDITOR}],
        "working": {"text": "Looking for a better headline", "since": RESPONDED_AT},
        "typing": [],
        "runs": [{"runId": RUN_ID, "name": "Newsletter"}],
        "mayWrite": True,
    },
    "NewMessage": {
        "text": MESSAGE["text"],
        "attachments": [{"url": _attachment["url"], "name": _attachment["name"]}],
    },
    "Message": MESSAGE,
    "Messages": {"items": [MESSAGE]},
    "Piece": {"offset": 0, "text": "How about *Autumn news from Acme*", "done": False},
    "Working": {"working": True, "text": "Looking for a better headline"},
    "ReadUpTo": {"messageId": MESSAGE_ID},
}
