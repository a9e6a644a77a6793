"""The event `session.human_message`: a person's message, with the messages before it."""

from collections.abc import Sequence
from typing import Any, Final

from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.settings import Settings
from signoff.sessions.message_queries import rows_before, to_event
from signoff.webhooks import subscriptions
from signoff.webhooks.events import Destination, WebhookEvent, emit_event
from signoff.webhooks.subscriptions import Address

EVENT: Final = "session.human_message"
HISTORY: Final = 20


def session_destinations(session: Row) -> list[Destination]:
    """Return the destinations. `session` has the agent's and the account's webhooks."""
    agent = Address("agent", session["webhook_url"], session["webhook_events"])
    return subscriptions.destinations(EVENT, [agent], session["audit_webhook_url"])


async def emit_human_message(
    tx: Executor, settings: Settings, session: Row, number: int, goes_to: Sequence[Destination]
) -> None:
    """Write the event, in the transaction that wrote the message with this number and holds the session's lock. So
    a session's events are in the order of its messages.
    """
    rows = await rows_before(tx, session["account_id"], session["session_id"], number + 1, HISTORY)
    members: dict[str, Any] = {
        "message": to_event(settings, rows[0]),
        "session": {
            "id": session["session_id"],
            "name": session["name"],
            "createdAt": iso(session["created_at"]),
        },
        "history": [{"role": row["role"], **to_event(settings, row)} for row in reversed(rows)],
    }
    event = WebhookEvent(
        event=EVENT,
        account_id=session["account_id"],
        agent_id=session["agent_id"],
        session_id=session["session_id"],
        members=members,
        line_number=number,
    )
    await emit_event(tx, event, goes_to, settings.max_attempts)
