"""The session in the API reference's examples, and a message in it."""

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
    SESSION_ID,
    URL,
)

SESSION_ROW: dict[str, Any] = {
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
ATTACHMENT = {
    "url": f"{URL}/media/{ACCOUNT_ID}/med_01a1de8ac9c2f05b7e91d3a84c60",
    "name": "last-year.png",
    "contentType": "image/png",
    "size": 48213,
}
AUTHOR = {"id": EDITOR_ID, "email": EDITOR, "name": "Eda Torres"}
MESSAGE: dict[str, Any] = {
    "messageId": MESSAGE_ID,
    "sessionId": SESSION_ID,
    "number": 1,
    "role": "human",
    "text": "Could the headline name the season?",
    "attachments": [ATTACHMENT],
    "state": "complete",
    "createdAt": RESPONDED_AT,
    "updatedAt": RESPONDED_AT,
    "user": AUTHOR,
    "agentId": AGENT_ID,
    "delivery": {"deliveryId": DELIVERY_ID, "status": "succeeded"},
}
