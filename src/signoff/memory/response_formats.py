"""The five formats of a response."""

from collections.abc import Sequence
from typing import Any, Literal

from signoff.memory.responses import Response
from signoff.platform.clock import iso

Only = Literal["approved", "suggested"]


def format_responses(
    responses: Sequence[Response], field_ids: Sequence[str], *, by_field: bool, only: Only | None
) -> Any:
    """Format the responses. With `only`, return nothing but those values; otherwise both sides next to each other,
    with their review.
    """
    if only is not None:
        rows = [response.approved if only == "approved" else response.suggested for response in responses]
        if by_field:
            # For reviews that showed the field: a list of values says nothing about the others.
            return {field_id: [row[field_id] for row in rows if field_id in row] for field_id in field_ids}
        return [{field_id: row.get(field_id) for field_id in field_ids} for row in rows]
    if by_field:
        return {field_id: [{**_review(r), **_pair(r, field_id)} for r in responses] for field_id in field_ids}
    return [{**_review(r), "fields": {field_id: _pair(r, field_id) for field_id in field_ids}} for r in responses]


def _review(response: Response) -> dict[str, Any]:
    return {
        "reviewId": response.review_id,
        "createdAt": iso(response.created_at),
        "respondedAt": iso(response.responded_at),
        "response": response.response,
    }


def _pair(response: Response, field_id: str) -> dict[str, Any]:
    return {"suggestedValue": response.suggested.get(field_id), "approvedValue": response.approved.get(field_id)}
