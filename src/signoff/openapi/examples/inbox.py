"""What the inbox shows next to the reviews: counts, saved views, runs, the timeline."""

from typing import Any

from signoff.openapi.examples.reviews import REVIEW
from signoff.openapi.examples.sessions import MESSAGE
from signoff.platform.examples import (
    AGENT_ID,
    EDITOR,
    FORM_ID,
    JOINED_AT,
    REQUESTED_AT,
    RESPONDED_AT,
    RUN_ID,
    SESSION_ID,
    VIEW_ID,
)

_view = {
    "viewId": VIEW_ID,
    "name": "Newsletters, mine",
    "filters": {"state": "pending", "formId": FORM_ID, "assignedTo": "me"},
    "createdAt": JOINED_AT,
}
_run = {"runId": RUN_ID, "name": "Newsletter", "createdAt": REQUESTED_AT}
_step: dict[str, Any] = {
    **{name: REVIEW[name] for name in ("reviewId", "title", "formId", "formName", "agentId", "agentName")},
    "sessionId": SESSION_ID,
    "kind": "review",
    "state": "responded",
    "response": "approved",
    "retryRequested": False,
    "respondingUser": EDITOR,
    "createdAt": REQUESTED_AT,
    "respondedAt": RESPONDED_AT,
    "waitedMs": 375_520,
    "prevSteps": [],
}

EXAMPLES: dict[str, Any] = {
    "Counts": {
        "views": {"mine": 3, "myGroups": 12, "unassigned": 40, "all": 55, "waiting": 2},
        "agents": {AGENT_ID: 55},
        "forms": {FORM_ID: 55},
        "saved": {VIEW_ID: 3},
        "chat": {"unread": 1},
        "ceiling": 10_000,
    },
    "RunRow": {**_run, "steps": 1, "open": 0, "lastAt": RESPONDED_AT},
    "Run": {**_run, "sessions": [SESSION_ID], "steps": [_step], "more": False},
    "RunName": {"name": "Newsletter of November"},
    "TimelineItem": {"kind": "message", "at": RESPONDED_AT, "message": MESSAGE},
    "NewView": {name: _view[name] for name in ("name", "filters")},
    "ViewChange": {"name": "My newsletters"},
    "View": _view,
    "Views": {"items": [_view]},
}
