"""Past decisions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from signoff_client.api_requests import Flow, RetryPolicy, get_request, send_json, send_with_retries
from signoff_client.pagination import Page
from signoff_client.serialization import encode_json, parse_time

Decision = Literal["approved", "rejected"]
Filter = tuple[str, str] | tuple[str, str, Any]
"""Path, operation, and a value if the operation takes one: `("score.value", ">=", 5)`."""


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


def fetch_responses(
    form_id: str,
    field_ids: Iterable[str],
    response: Decision | None,
    where: Iterable[Filter],
    limit: int,
    policy: RetryPolicy,
) -> Flow[list[PastResponse]]:
    filters = [dict(zip(("field", "operation", "value"), each, strict=False)) for each in where]
    request = get_request(
        "/fetchResponses",
        formId=form_id,
        fieldIds=",".join(field_ids),
        filterResponse=response,
        filterResponseValues=encode_json(filters).decode() if filters else None,
        limit=limit,
    )
    return [_parse_response(each) for each in (yield from send_json(request, policy))]


def fetch_response_page(
    form_id: str,
    after: str,
    field_ids: Iterable[str] | None,
    response: Decision | None,
    page_size: int,
    policy: RetryPolicy,
) -> Flow[Page[PastResponse]]:
    request = get_request(
        "/responses/export",
        formId=form_id,
        after=after or None,
        fieldIds=",".join(field_ids) if field_ids is not None else None,
        filterResponse=response,
        limit=page_size,
    )
    reply = yield from send_with_retries(request, policy)
    # Not `splitlines()`, which also splits at characters that a text may contain.
    lines = [json.loads(line) for line in reply.content.split(b"\n") if line]
    following = reply.headers.get("x-next-cursor")
    cursor = following or (lines[-1]["cursor"] if lines else after)
    return Page([_parse_response(line) for line in lines], cursor, last=following is None)


def _parse_response(raw: Mapping[str, Any]) -> PastResponse:
    return PastResponse(
        review_id=raw["reviewId"],
        response=raw["response"],
        created_at=parse_time(raw["createdAt"]),
        responded_at=parse_time(raw["respondedAt"]),
        suggested={name: each["suggestedValue"] for name, each in raw["fields"].items()},
        approved={name: each["approvedValue"] for name, each in raw["fields"].items()},
        raw=raw,
    )
