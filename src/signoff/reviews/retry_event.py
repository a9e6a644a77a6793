"""The event that asks the agent for other content, and asks again."""

from typing import Any

from signoff.forms.values import prepare, response_values
from signoff.forms.versions import FormVersion
from signoff.platform.db import Executor, Row
from signoff.platform.settings import Settings
from signoff.reviews.deciding import agent_and_audit, optional_members
from signoff.reviews.links import review_link
from signoff.webhooks.actions import Event, emit


async def emit_retry(
    tx: Executor, settings: Settings, form: FormVersion, review: Row, retry: dict[str, Any], reminder: int | None = None
) -> None:
    """`reminder` counts how often the agent was asked again; None the first time."""
    suggestion = prepare(form.definition, review["data"], review["config"])
    told = {name: retry[name] for name in ("at", "by", "instructions", "fieldIds")}
    members = {
        "reviewId": review["review_id"],
        "formId": form.form_id,
        "formName": form.name,
        "revision": review["revision"],
        "retry": told if reminder is None else {**told, "reminder": reminder},
        "data": review["data"],
        "responseValues": response_values(form.definition, suggestion),
        **optional_members(review),
        f"{settings.name_prefix}Link": review_link(settings, review["review_id"]),
    }
    event = Event(
        event="review.retry_requested",
        account_id=review["account_id"],
        agent_id=review["agent_id"],
        session_id=review["session_id"],
        review_id=review["review_id"],
        form_id=form.form_id,
        form_name=form.name,
        members=members,
    )
    await emit(tx, event, agent_and_audit(form, review), settings.max_attempts)
