"""What became of a review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from signoff_client.values import M, read_time

Response = Literal["approved", "rejected", "retry_requested", "submitted"]


@dataclass(frozen=True)
class Retry:
    """A person asks for other content. Answer with `review.update(…)`."""

    instructions: str
    field_ids: tuple[str, ...]
    """The fields that are meant; empty: the whole review."""
    by: str
    at: datetime


@dataclass(frozen=True)
class Result:
    """What a person said to a review."""

    review_id: str
    response: Response
    """`retry_requested` is not the end: the review waits for other content. `submitted` is said of trigger forms."""
    values: dict[str, Any]
    """What was sent, with the person's edits and choices in it; what was sent, if a retry is asked for."""
    arguments: dict[str, Any] | None
    """The approved values in the shape that was sent: call your function with these. None unless it was approved or
    submitted, and for what was decided before the service kept them."""
    changed: tuple[str, ...] | None
    """IDs of the fields that the person changed. None while nothing is decided, and for old decisions."""
    responding_user: str
    """E-mail address; `auto-approve` or `time-out` if it was no person."""
    responding_user_id: str | None
    responded_at: datetime
    reason: str | None
    """Why, where the person said so."""
    retry: Retry | None
    auto_approved: bool
    timed_out: bool
    external: bool
    """Whether an external reviewer decided, with a link instead of an account."""
    response_values: dict[str, dict[str, Any]] | None
    """By field ID, `{"value": …, "wasEdited": …}`. Only events have it, webhooks' and pulled ones."""
    meta: dict[str, Any]
    raw: Mapping[str, Any] = field(repr=False)
    """The review or the event as the service gave it."""

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
        """The values as a Pydantic model, like the one that `python -m signoff_client models` writes."""
        return model.model_validate(self.values)


def read_result(raw: Mapping[str, Any]) -> Result | None:
    """The result in a review or an event; None if nobody said anything yet."""
    said: Mapping[str, Any] | None = raw.get("reviewResult")
    asked: Mapping[str, Any] | None = raw.get("retryRequested") or raw.get("retry")
    retry = None
    if said is None:
        if asked is None:
            return None
        retry = Retry(asked["instructions"], tuple(asked["fieldIds"]), asked["by"], read_time(asked["at"]))
        said = {
            "response": "retry_requested",
            "respondingUser": asked["by"],
            "respondedAt": asked["at"],
            "data": raw["data"],
            "responseValues": raw.get("responseValues"),
        }
    return Result(
        review_id=raw["reviewId"],
        response=said.get("response", "submitted"),
        values=said["data"],
        arguments=said.get("approvedArguments"),
        changed=tuple(said["changed"]) if "changed" in said else None,
        responding_user=said["respondingUser"],
        responding_user_id=said.get("respondingUserId"),
        responded_at=read_time(said["respondedAt"]),
        reason=said.get("reason"),
        retry=retry,
        auto_approved=raw.get("autoApproved", False),
        timed_out=raw.get("timedOut", False),
        external=said.get("external", False),
        response_values=said.get("responseValues"),
        meta=raw.get("meta") or {},
        raw=raw,
    )
