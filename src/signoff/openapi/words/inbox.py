"""The operations under "Inbox"."""

from signoff.inbox.errors import TooManyViews
from signoff.openapi.words.wording import Operations, Words

OPERATIONS: Operations = {
    ("get", "/sessions/{sessionId}/timeline"): Words("getTimeline", "Get a session's timeline"),
    ("get", "/inbox/counts"): Words("getInboxCounts", "Get inbox counts"),
    ("get", "/inbox/views"): Words("listViews", "List saved views"),
    ("post", "/inbox/views"): Words(
        "createView", "Create a saved view", problems=(TooManyViews("You have 50 saved views. Delete one first."),)
    ),
    ("patch", "/inbox/views/{viewId}"): Words("changeView", "Update a saved view"),
    ("delete", "/inbox/views/{viewId}"): Words("deleteView", "Delete a saved view"),
    ("get", "/runs"): Words("listRuns", "List runs"),
    ("get", "/runs/{runId}"): Words("getRun", "Get a run"),
    ("patch", "/runs/{runId}"): Words("nameRun", "Rename a run"),
    ("get", "/live"): Words("followChanges", "Stream live updates"),
}
