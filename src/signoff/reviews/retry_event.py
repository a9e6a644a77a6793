"""The event that requests changes from the agent, and its reminders."""

from typing import Any

from signoff.forms.versions import FormVersion
from signoff.platform.db import Executor, Row
from signoff.platform.settings import Settings
from signoff.reviews.decisions import agent_and_audit_destinations
from signoff.reviews.events import retry_requested_event
from signoff.webhooks.events import emit_event


async def emit_retry_requested(
    tx: Executor, settings: Settings, form: FormVersion, review: Row, retry: dict[str, Any], reminder: int | None = None
) -> None:
    """Write the event. `reminder` is the number of earlier ones; None the first time."""
    told = {name: retry[name] for name in ("at", "by", "instructions", "fieldIds")}
    asked = told if reminder is None else {**told, "reminder": reminder}
    event = retry_requested_event(settings, form, review, asked)
    await emit_event(tx, event, agent_and_audit_destinations(event.event, form, review), settings.max_attempts)
