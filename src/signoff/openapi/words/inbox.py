"""The operations under "Inbox"."""

from signoff.inbox.errors import TooManyViews
from signoff.openapi.words.wording import Operations, Words

OPERATIONS: Operations = {
    ("get", "/sessions/{sessionId}/timeline"): Words("getTimeline", "See what happened in a session"),
    ("get", "/inbox/counts"): Words("getInboxCounts", "Count what waits"),
    ("get", "/inbox/views"): Words("listViews", "List saved views"),
    ("post", "/inbox/views"): Words(
        "createView", "Save a view", problems=(TooManyViews("You have 50 saved views. Delete one first."),)
    ),
    ("patch", "/inbox/views/{viewId}"): Words("changeView", "Change a saved view"),
    ("delete", "/inbox/views/{viewId}"): Words("deleteView", "Delete a saved view"),
    ("get", "/runs"): Words("listRuns", "List runs"),
    ("get", "/runs/{runId}"): Words("getRun", "Fetch a run with its steps"),
    ("patch", "/runs/{runId}"): Words("nameRun", "Name a run"),
    ("get", "/live"): Words("followChanges", "Follow what changes"),
}
