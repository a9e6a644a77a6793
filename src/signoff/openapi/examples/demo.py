"""A demo workspace in which someone has started working."""

from typing import Any

EXAMPLES: dict[str, Any] = {
    "DemoState": {"state": "ready", "own": {"agents": 1, "reviewTypes": 2, "editedReviewTypes": 0}},
    "OwnWork": {"agents": 1, "reviewTypes": 2, "editedReviewTypes": 0},
}
