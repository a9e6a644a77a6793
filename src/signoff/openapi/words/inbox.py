"""The operations under "Inbox"."""

from signoff.inbox.errors import TooManyViews
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.messages import msg

OPERATIONS: Operations = {
    ("get", "/sessions/{sessionId}/timeline"): Words("getTimeline", "Get a session's timeline"),
    ("get", "/inbox/counts"): Words("getInboxCounts", "Get inbox counts"),
    ("get", "/inbox/views"): Words("listViews", "List saved views"),
    ("post", "/inbox/views"): Words(
        "createView",
        "Create a saved view",
        problems=(
            TooManyViews(msg("You've reached the limit of {limit} saved views. Delete one to save another.", limit=50)),
        ),
    ),
    ("patch", "/inbox/views/{viewId}"): Words("changeView", "Update a saved view"),
    ("delete", "/inbox/views/{viewId}"): Words("deleteView", "Delete a saved view"),
    ("get", "/runs"): Words("listRuns", "List runs"),
    ("get", "/runs/{runId}"): Words("getRun", "Get a run"),
    ("patch", "/runs/{runId}"): Words("nameRun", "Rename a run"),
    ("get", "/live"): Words("followChanges", "Stream live updates"),
}
