"""The deliveries of the month's events: nearly all immediately, some after a while, a few failed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from signoff.demo.seed.rows import Rows
from signoff.demo.seed.workspace import DemoWorkspace
from signoff.platform.clock import iso
from signoff.webhooks.events import WEBHOOK_CHANNEL

HOST: Final = "https://agents.pottery.example"
"""Belongs to nobody. Retrying one of these deliveries shows how a call to an unreachable host fails."""
PAUSES: Final = (5, 300, 1800, 7200, 18000, 36000)
STATES: Final = {"pending": "queued", "retrying": "queued", "succeeded": "sent", "dead": "failed"}
SETTLED_AFTER: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class SampleAttempt:
    status: int
    """0 means there was no response."""
    text: str
    error: str | None = None


SUCCESS: Final = SampleAttempt(200, "OK")
UNAVAILABLE: Final = SampleAttempt(503, "Service Unavailable")
SERVER_ERROR: Final = SampleAttempt(500, "Internal Server Error")
GONE: Final = SampleAttempt(410, "Gone")
TIMEOUT: Final = SampleAttempt(0, "timeout: No answer within 15 seconds.", "timeout: No answer within 15 seconds.")


class DeliverySeeder:
    def __init__(self, workspace: DemoWorkspace, rows: Rows, now: datetime) -> None:
        self._office = workspace
        self._rows = rows
        self._now = now
        self._forms = {form.form_id: form.name for form in workspace.forms.values()}
        self._names = {agent_id: name for name, agent_id in workspace.agents.items()}

    def deliver_all(self) -> None:
        events = sorted(self._rows.of("events"), key=lambda event: event["created_at"], reverse=True)
        settled = [each for each in events if each["created_at"] < self._now - SETTLED_AFTER]
        troubled = {
            events[0]["event_id"]: ("retrying", (UNAVAILABLE, UNAVAILABLE), timedelta(hours=26)),
            events[1]["event_id"]: ("pending", (), timedelta(hours=38)),
            settled[4]["event_id"]: ("dead", (SERVER_ERROR,) * (len(PAUSES) + 1), None),
            settled[11]["event_id"]: ("dead", (GONE,), None),
            settled[17]["event_id"]: ("succeeded", (TIMEOUT, SUCCESS), None),
            settled[23]["event_id"]: ("succeeded", (UNAVAILABLE, UNAVAILABLE, SUCCESS), None),
            settled[41]["event_id"]: ("succeeded", (SERVER_ERROR, SUCCESS), None),
        }
        for event in events:
            self._deliver(event, *troubled.get(event["event_id"], ("succeeded", (SUCCESS,), None)))

    def _deliver(
        self, event: dict[str, Any], status: str, tries: Sequence[SampleAttempt], later: timedelta | None
    ) -> None:
        attempts, at = _attempts(tries, event["created_at"])
        last = tries[-1] if tries else None
        next_at = None if later is None else self._now + later
        form_id = event["payload"].get("formId")
        self._rows.add(
            "deliveries",
            delivery_id=event["delivery_id"],
            account_id=self._office.account_id,
            event_id=event["event_id"],
            event=event["event"],
            target="agent",
            url_source="agent",
            url=f"{HOST}/{self._names[event['agent_id']].lower().replace(' ', '-')}",
            agent_id=event["agent_id"],
            session_id=event["session_id"],
            review_id=event["review_id"],
            form_id=form_id,
            form_name=self._forms[form_id],
            status=status,
            ok=status == "succeeded",
            status_code=last and last.status,
            status_text=last and last.text,
            attempt_count=len(tries),
            max_attempts=self._office.settings.max_attempts,
            duration_ms=attempts[-1]["durationMs"] if attempts else None,
            first_try=attempts[0]["ok"] if attempts else None,
            next_retry_at=next_at,
            retries_cancelled=last is GONE,
            triggered_at=event["created_at"],
            updated_at=at,
        )
        self._rows.add(
            "outgoing_messages",
            message_id=event["delivery_id"],
            account_id=self._office.account_id,
            channel=WEBHOOK_CHANNEL,
            destination=HOST,
            state=STATES[status],
            due_at=next_at,
            attempt_count=len(tries),
            max_attempts=self._office.settings.max_attempts,
            attempts=attempts,
            error=last.text if last and last is not SUCCESS else None,
            settled_at=None if next_at is not None else at,
            created_at=event["created_at"],
            is_manual=False,
            is_stopped=False,
        )


def _attempts(tries: Sequence[SampleAttempt], triggered: datetime) -> tuple[list[dict[str, Any]], datetime]:
    """Return the attempts as they're recorded, and when the last one was made."""
    attempts: list[dict[str, Any]] = []
    at = triggered + timedelta(milliseconds=40)
    for number, each in enumerate(tries, 1):
        if number > 1:
            at += timedelta(seconds=PAUSES[number - 2])
        attempt = {
            "ok": each.status == SUCCESS.status,
            "statusCode": each.status,
            "at": iso(at),
            "statusText": each.text,
            "error": each.error,
            "durationMs": 15000 if each.status == 0 else 38 + 7 * number,
        }
        attempts.append({name: value for name, value in attempt.items() if value is not None})
    return attempts, at
