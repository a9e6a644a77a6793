"""A review with what has been added so far."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from signoff.demo.seed.content.models import Data, SeedReview
from signoff.forms.versions import FormVersion


@dataclass(slots=True)
class SeededReview:
    case: SeedReview
    form: FormVersion
    review_id: str
    session_id: str
    agent_id: str
    requested_at: datetime
    row: dict[str, Any]
    data: Data
    meta: dict[str, Any] | None
    revision: int = 1
    media: set[str] = field(default_factory=set[str])
    """The media in any of its revisions."""

    @property
    def content(self) -> dict[str, Any]:
        """Return the review's current content."""
        return {**self.row, "data": self.data, "config": None, "meta": self.meta}

    @property
    def title(self) -> str | None:
        return self.row["title"]


def blank_row(
    account_id: str, form: FormVersion, review_id: str, session_id: str, agent_id: str, requested_at: datetime
) -> dict[str, Any]:
    """Return a review that was just requested."""
    return {
        "account_id": account_id,
        "review_id": review_id,
        "agent_id": agent_id,
        "form_id": form.form_id,
        "form_version": form.version,
        "form_name": form.name,
        "session_id": session_id,
        "run_id": None,
        "batch_id": None,
        "prev_steps": None,
        "title": None,
        "revision": 1,
        "state": "pending",
        "retry_requested": False,
        "response": None,
        "auto_approved": False,
        "timed_out": False,
        "responding_user": None,
        "responding_user_id": None,
        "responded_at": None,
        "webhook_delivery_id": None,
        "edited_fields": None,
        "absent_fields": None,
        "assigned": False,
        "taken_by": None,
        "taken_at": None,
        "due_at": None,
        "due_step": None,
        "due_action": None,
        "due_left": None,
        "reminded_at": None,
        "created_at": requested_at,
        "updated_at": requested_at,
    }
