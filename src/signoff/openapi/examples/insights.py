"""Statistics of a busy hour."""

from typing import Any

from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.openapi.examples.agents import AGENT
from signoff.platform.examples import AGENT_ID, EDITOR_ID, FORM_ID, REQUESTED_AT

_insight_counts = {
    "requested": 6,
    "decided": 4,
    "approved": 3,
    "rejected": 1,
    "edited": 1,
    "autoApproved": 1,
    "medianSeconds": 187.5,
    "p90Seconds": 512.25,
}

EXAMPLES: dict[str, Any] = {
    "Insights": {
        "from": "2026-11-15",
        "to": "2026-11-15",
        "timeZone": "UTC",
        "bucket": "hour",
        "open": {
            "total": 1,
            "waiting": 0,
            "oldestAt": REQUESTED_AT,
            "ages": [{"label": "under an hour", "upToSeconds": 3600, "count": 1}],
        },
        "totals": {
            **_insight_counts,
            "previous": {**dict.fromkeys(_insight_counts, 0), "medianSeconds": None, "p90Seconds": None},
        },
        "series": [{"start": "2026-11-15T09:00:00.000Z", **_insight_counts}],
        "agents": [{"agentId": AGENT_ID, "name": AGENT["name"], **_insight_counts, "series": [4]}],
        "forms": [{"formId": FORM_ID, "name": NEW_FORM["name"], "agentId": AGENT_ID, **_insight_counts, "series": [4]}],
        "fields": [{"formId": FORM_ID, "fieldId": "headline", "label": "Headline", "shown": 3, "edited": 1}],
        "people": [
            {
                "userId": EDITOR_ID,
                "name": "Eda Torres",
                "decided": 4,
                "approved": 3,
                "rejected": 1,
                "medianSeconds": 187.5,
            }
        ],
        "hours": [[0] * 24] * 6 + [[0] * 9 + [4] + [0] * 14],
        "requestedHours": [[0] * 24] * 6 + [[0] * 9 + [6] + [0] * 14],
        "deliveries": {
            "total": 4,
            "succeeded": 4,
            "retrying": 0,
            "dead": 0,
            "pending": 0,
            "firstTry": 4,
            "medianMs": 48,
            "series": [{"start": "2026-11-15T09:00:00.000Z", "succeeded": 4, "failed": 0}],
        },
    },
}
