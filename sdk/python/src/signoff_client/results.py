"""Results of reviews."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from signoff_client.serialization import M, parse_time

Response = Literal["approved", "rejected", "retry_requested", "submitted"]


@dataclass(frozen=True)
class Retry:
    """A change request. Respond with `review.update(…)`."""

    instructions: str
    field_ids: tuple[str, ...]
    """Fields to change. Empty for the whole review."""
    by: str
    at: datetime


@dataclass(frozen=True)
class Result:
    """A reviewer's decision."""

    review_id: str
    response: Response
    """`retry_requested` isn't final: the review waits for a new revision. `submitted` is used for trigger forms."""
    values: dict[str, Any]
    """The values with the reviewer's edits. Your values if changes are requested."""
    arguments: dict[str, Any] | None
    """The approved values in the structure you sent. Call your function with these.

    None unless the review was approved or submitted. Also None for decisions made before the server stored approved
    arguments.
    """
    changed: tuple[str, ...] | None
    """IDs of the fields the reviewer changed. None if changes were requested, and for decisions made before the server
    stored this.
    """
    responding_user: str
    """Email of the reviewer, `auto-approve`, or `time-out`."""
    responding_user_id: str | None
    responded_at: datetime
    reason: str | None
    """Reason, if given."""
    retry: Retry | None
    auto_approved: bool
    timed_out: bool
    external: bool
    """Whether an external reviewer decided."""
    response_values: dict[str, dict[str, Any]] | None
    """`{"value": …, "wasEdited": …}` by field ID. Only in events."""
    meta: dict[str, Any]
    raw: Mapping[str, Any] = field(repr=False)
    """The review or event as returned by the API."""

    @property
    def approved(self) -> bool:
        return self.response == "approved"

    @property
    def rejected(self) -> bool:
        return self.response == "rejected"

    @property
    def retry_requested(self) -> bool:
        return self.response == "retry_requested"

    def values_as(self, model: type[M]) -> M:
        """Return the values as a Pydantic model, such as one from `python -m signoff_client models`."""
        return model.model_validate(self.values)


def parse_result(raw: Mapping[str, Any]) -> Result | None:
    """Parse the result of a review or an event. None if there isn't one yet."""
    decision: Mapping[str, Any] | None = raw.get("reviewResult")
    request: Mapping[str, Any] | None = raw.get("retryRequested") or raw.get("retry")
    retry = None
    if decision is None:
        if request is None:
            return None
        retry = Retry(request["instructions"], tuple(request["fieldIds"]), request["by"], parse_time(request["at"]))
        decision = {
            "response": "retry_requested",
            "respondingUser": request["by"],
            "respondedAt": request["at"],
            "data": raw["data"],
            "responseValues": raw.get("responseValues"),
        }
    return Result(
        review_id=raw["reviewId"],
        response=decision.get("response", "submitted"),
        values=decision["data"],
        arguments=decision.get("approvedArguments"),
        changed=tuple(decision["changed"]) if "changed" in decision else None,
        responding_user=decision["respondingUser"],
        responding_user_id=decision.get("respondingUserId"),
        responded_at=parse_time(decision["respondedAt"]),
        reason=decision.get("reason"),
        retry=retry,
        auto_approved=raw.get("autoApproved", False),
        timed_out=raw.get("timedOut", False),
        external=decision.get("external", False),
        response_values=decision.get("responseValues"),
        meta=raw.get("meta") or {},
        raw=raw,
    )
