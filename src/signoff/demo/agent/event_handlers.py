"""Handles review events: approvals, rejections, change requests and submitted forms."""

from datetime import datetime
from typing import Any

from signoff.demo.agent.api_client import ApiClient, RequestRejected
from signoff.demo.agent.console import print_line, quote, span
from signoff.demo.agent.context import AgentContext
from signoff.demo.agent.revisions import revise
from signoff.demo.agent.webhook_receiver import Event

OUTCOMES = {
    "Social post": "published",
    "Support reply": "sent to the customer",
    "Product photos": "added to the shop",
    "Invoice approval": "scheduled for payment",
}
AUTOMATIC_DECISIONS = {"auto-approve": "auto-approval", "time-out": "the deadline"}


class EventHandler:
    def __init__(self, api: ApiClient, context: AgentContext) -> None:
        self._api = api
        self._context = context

    async def handle(self, event: Event) -> None:
        match event["event"]:
            case "review.completed":
                await self._handle_decision(event)
            case "review.retry_requested":
                await self._send_revision(event)
            case "trigger.submitted":
                await self._handle_submission(event)
            case name:  # Test events, and event types that a later version may add.
                print_line(self._agent(event), f"received {name}")

    async def _handle_decision(self, event: Event) -> None:
        review, result = await self._api.get(f"/reviews/{event['reviewId']}"), event["reviewResult"]
        approved = result["response"] == "approved"
        who = AUTOMATIC_DECISIONS.get(result["respondingUser"]) or await self._name(result)
        took = _parse_time(result["respondedAt"]) - _parse_time(review["createdAt"])
        then = (
            f"{OUTCOMES.get(event['formName'], 'carried out')} (simulated)" if approved else "saved as a lesson learned"
        )
        print_line(
            self._agent(event),
            f"{who} {result['response']} {quote(review.get('title'))} after {span(took)}"
            f"{self._remarks(event)} → {then}",
            good=approved,
        )
        if (event.get("meta") or {}).get("askedInChat"):
            await self._confirm_in_chat(event, approved=approved)

    async def _name(self, result: dict[str, Any]) -> str:
        """Who decided. External reviewers have no account, so only their email is known."""
        try:
            person = await self._api.get(f"/users/{result['respondingUserId']}")
        except RequestRejected:
            return result["respondingUser"]
        return person["name"] or person["email"]

    def _remarks(self, event: Event) -> str:
        """The fields that the reviewer edited, and their reason: what an agent can learn the most from."""
        result = event["reviewResult"]
        edited = [
            self._context.label(event["formId"], field)
            for field, entry in result["responseValues"].items()
            if entry.get("wasEdited")
        ]
        remarks = [f"edited {', '.join(edited)}"] if edited else []
        if result.get("reason"):
            remarks.append(f"reason: {quote(result['reason'])}")
        return f" ({'; '.join(remarks)})" if remarks else ""

    async def _confirm_in_chat(self, event: Event, *, approved: bool) -> None:
        text = "Sent. Thanks! *(Not really. This is a demo.)*" if approved else "OK, I won't send it."
        path = f"/sessions/{event['sessionId']}/messages"
        await self._api.post(path, {"text": text}, once=event["eventId"])

    async def _send_revision(self, event: Event) -> None:
        """Send a new revision of the review. Signoff notifies the reviewer who requested changes."""
        retry = event["retry"]
        fields = self._context.fields(event["formId"])
        changed = revise(event["data"], fields, retry["instructions"], retry["fieldIds"], self._context.pictures)
        body = {
            "formId": event["formId"],
            "agentId": event["agentId"],
            "updateForReviewId": event["reviewId"],
            "data": changed,
            **{member: event[member] for member in ("config", "meta") if event.get(member) is not None},
        }
        answered = await self._api.post("/requestReview", body, once=event["eventId"])
        review = await self._api.get(f"/reviews/{answered['reviewId']}")
        print_line(
            self._agent(event),
            f"changes requested: {quote(retry['instructions'])} → sent a new draft of {quote(review.get('title'))}",
        )

    async def _handle_submission(self, event: Event) -> None:
        print_line(
            self._agent(event),
            f"form {quote(event['formName'])} submitted → added to the list (simulated)",
        )

    def _agent(self, event: Event) -> str:
        return self._context.agents.get(event["agentId"], "Demo")


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text)
