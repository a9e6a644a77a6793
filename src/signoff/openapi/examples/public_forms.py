"""The form as everyone with its link sees it."""

from typing import Any

from signoff.openapi.examples.triggers import DEFINITION_OF_TRIGGER, FILLED_IN, TRIGGER

_challenge = "Yk3vQ0m7cN1xT9aZ5rW2eA.16.1794736975.7cN1xT9aZ5rW2eLhB8uJ4oD6fGsPiKyVtXqEYk3vQ0m"

EXAMPLES: dict[str, Any] = {
    "PublicTrigger": {**TRIGGER, "workspace": "Acme", "definition": DEFINITION_OF_TRIGGER},
    "ChallengeAnswer": {"challenge": _challenge, "bits": 16, "expiresAt": "2026-11-15T10:02:55.000Z"},
    "PublicSubmission": {
        "data": FILLED_IN,
        "challenge": _challenge,
        "solution": "48213",
        "name": "Kim Visitor",
        "email": "kim@example.org",
        "version": 1,
    },
    "Received": {"received": True},
}
