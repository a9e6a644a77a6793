"""Past decisions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from signoff_client.flow import Flow, Retrying, ask, perform, reading
from signoff_client.paging import Page
from signoff_client.values import encode, read_time

Decision = Literal["approved", "rejected"]
Filter = tuple[str, str] | tuple[str, str, Any]
"""Path, operation and, if the operation takes one, a value: `("score.value", ">=", 5)`."""


@dataclass(frozen=True)
class PastResponse:
    review_id: str
    response: Decision | None
    """None for trigger forms."""
    created_at: datetime
    responded_at: datetime
    suggested: dict[str, Any]
    """The agent's values by field ID."""
    approved: dict[str, Any]
    """The approved values by field ID. All None if the review was rejected."""
    raw: Mapping[str, Any] = field(repr=False)


def recall(
    form_id: str,
    field_ids: Iterable[str],
    response: Decision | None,
    where: Iterable[Filter],
    limit: int,
    retrying: Retrying,
) -> Flow[list[PastResponse]]:
    filters = [dict(zip(("field", "operation", "value"), each, strict=False)) for each in where]
    call = reading(
        "/fetchResponses",
        formId=form_id,
        fieldIds=",".join(field_ids),
        filterResponse=response,
        filterResponseValues=encode(filters).decode() if filters else None,
        limit=limit,
    )
    return [_read(each) for each in (yield from ask(call, retrying))]


def page_of_responses(
    form_id: str,
    after: str,
    field_ids: Iterable[str] | None,
    response: Decision | None,
    page_size: int,
    retrying: Retrying,
) -> Flow[Page[PastResponse]]:
    call = reading(
        "/responses/export",
        formId=form_id,
        after=after or None,
        fieldIds=",".join(field_ids) if field_ids is not None else None,
        filterResponse=response,
        limit=page_size,
    )
    answer = yield from perform(call, retrying)
    # Not `splitlines()`, which also splits at characters that a text may contain.
    lines = [json.loads(line) for line in answer.content.split(b"\n") if line]
    following = answer.headers.get("x-next-cursor")
    cursor = following or (lines[-1]["cursor"] if lines else after)
    return Page([_read(line) for line in lines], cursor, last=following is None)


def _read(raw: Mapping[str, Any]) -> PastResponse:
    return PastResponse(
        review_id=raw["reviewId"],
        response=raw["response"],
        created_at=read_time(raw["createdAt"]),
        responded_at=read_time(raw["respondedAt"]),
        suggested={name: each["suggestedValue"] for name, each in raw["fields"].items()},
        approved={name: each["approvedValue"] for name, each in raw["fields"].items()},
        raw=raw,
    )
