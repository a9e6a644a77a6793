"""The audit log entry of the decision."""

from typing import Any

from signoff.platform.examples import EDITOR, EDITOR_ID, ENTRY_ID, RESPONDED_AT, REVIEW_ID

EXAMPLES: dict[str, Any] = {
    "Entry": {
        "entryId": ENTRY_ID,
        "at": RESPONDED_AT,
        "actor": {"kind": "user", "id": EDITOR_ID, "name": EDITOR},
        "action": "review.approved",
        "objectId": REVIEW_ID,
        "details": {"revision": 1},
        "ip": "203.0.113.7",
        "requestId": "req_01a1de9085da7c21f48e0b65d39a",
    },
}
