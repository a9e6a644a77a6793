"""The events of a review, as they would have been written when they happened."""

from datetime import datetime
from typing import Any, Final

from signoff.accounts.actors import Actor
from signoff.demo.identifiers import id_of
from signoff.demo.office import Office
from signoff.demo.rows import Rows
from signoff.demo.told import Told
from signoff.forms.values import Outcome, prepare, response_values
from signoff.platform.clock import iso
from signoff.reviews.deciding import AUTO_APPROVE, TIME_OUT
from signoff.reviews.links import review_link

RETRY: Final = "review.retry_requested"


class Events:
    def __init__(self, office: Office, rows: Rows) -> None:
        self._office = office
        self._rows = rows

    def decided(self, told: Told, who: Actor, outcome: Outcome, response: str | None, at: datetime) -> None:
        result: dict[str, Any] = {
            **({} if response is None else {"response": response}),
            "respondingUser": who.name,
            "respondingUserId": who.id,
            "respondedAt": iso(at),
            **({} if told.case.reason is None else {"reason": told.case.reason}),
            "data": outcome.data,
            "responseValues": outcome.response_values,
        }
        members = {
            "reviewId": told.review_id,
            "formId": told.form.form_id,
            "formName": told.form.name,
            "reviewResult": result,
            **_optional(told),
            "fileCache": {},
            **({"autoApproved": True} if told.case.by == AUTO_APPROVE else {}),
            **({"timedOut": True} if told.case.by == TIME_OUT else {}),
        }
        event = "trigger.submitted" if told.form.trigger else "review.completed"
        told.row["webhook_delivery_id"] = self._add(told, event, members, at)

    def retry_requested(self, told: Told, retry: dict[str, Any], at: datetime) -> None:
        suggestion = prepare(told.form.definition, told.data)
        members = {
            "reviewId": told.review_id,
            "formId": told.form.form_id,
            "formName": told.form.name,
            "revision": told.revision,
            "retry": retry,
            "data": told.data,
            "responseValues": response_values(told.form.definition, suggestion),
            **_optional(told),
        }
        self._add(told, RETRY, members, at)

    def _add(self, told: Told, event: str, members: dict[str, Any], at: datetime) -> str:
        """Answers the ID that its delivery is to have."""
        settings = self._office.settings
        event_id, delivery_id = id_of("evt", at), id_of("whd", at)
        payload = {
            "event": event,
            "eventId": event_id,
            "accountId": self._office.account_id,
            "agentId": told.agent_id,
            "sessionId": told.session_id,
            "createdAt": iso(at),
            **members,
            f"{settings.name_prefix}Link": review_link(settings, told.review_id),
        }
        self._rows.add(
            "events",
            account_id=self._office.account_id,
            event_id=event_id,
            event=event,
            agent_id=told.agent_id,
            session_id=told.session_id,
            review_id=told.review_id,
            payload=payload,
            created_at=at,
            delivery_id=delivery_id,
        )
        return delivery_id


def _optional(told: Told) -> dict[str, Any]:
    """What is there only when the request had it."""
    members = {"meta": told.meta, "workflowRunId": told.row["run_id"]}
    return {name: value for name, value in members.items() if value is not None}
