"""The demo, beside which somebody has begun work of their own."""

from typing import Any

EXAMPLES: dict[str, Any] = {
    "DemoState": {"state": "ready", "own": {"agents": 1, "reviewTypes": 2, "editedReviewTypes": 0}},
    "OwnWork": {"agents": 1, "reviewTypes": 2, "editedReviewTypes": 0},
}
