"""A review's events, as they would have been written when they happened."""

from datetime import datetime
from typing import Any

from signoff.demo.seed.rows import Rows, build_id
from signoff.demo.seed.seeded_review import SeededReview
from signoff.demo.seed.workspace import DemoWorkspace
from signoff.reviews import events
from signoff.webhooks.events import WebhookEvent


class Events:
    def __init__(self, workspace: DemoWorkspace, rows: Rows) -> None:
        self._settings = workspace.settings
        self._rows = rows

    def add_decision(self, seeded: SeededReview, decision: events.Decision) -> None:
        event = events.completed_event(self._settings, seeded.form, seeded.content, decision)
        seeded.row["webhook_delivery_id"] = self._add(event, decision.at)

    def retry_requested(self, seeded: SeededReview, retry: dict[str, Any], at: datetime) -> None:
        self._add(events.retry_requested_event(self._settings, seeded.form, seeded.content, retry), at)

    def _add(self, event: WebhookEvent, at: datetime) -> str:
        """Add an event. Returns the ID for its delivery."""
        event_id, delivery_id = build_id("evt", at), build_id("whd", at)
        self._rows.add(
            "events",
            account_id=event.account_id,
            event_id=event_id,
            event=event.event,
            agent_id=event.agent_id,
            session_id=event.session_id,
            review_id=event.review_id,
            payload=event.payload(event_id, at),
            created_at=at,
            delivery_id=delivery_id,
        )
        return delivery_id
