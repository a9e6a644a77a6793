"""The format `pairs`: for each review, the suggested values next to the approved ones."""

from collections.abc import Iterable, Iterator

from signoff.memory.export.query_params import Export
from signoff.memory.export.reader import DecidedReview
from signoff.platform.clock import iso
from signoff.platform.json_values import Json, JsonObject


def pair_lines(export: Export, reviews: Iterable[DecidedReview]) -> Iterator[JsonObject]:
    for review in reviews:
        line: JsonObject = {
            "reviewId": review.review_id,
            "createdAt": iso(review.created_at),
            "respondedAt": iso(review.position.responded_at),
            "response": review.response,
        }
        if review.auto_approved:
            line["autoApproved"] = True
        line["fields"] = {
            field.id: _pair(review, field.id)
            for field in export.fields
            if field.id in review.suggested or field.id in review.entries
        }
        if review.meta is not None:
            line["meta"] = review.meta
        line["cursor"] = review.position.cursor
        yield line


def _pair(review: DecidedReview, field_id: str) -> Json:
    pair: JsonObject = {
        "suggestedValue": review.suggested.get(field_id),
        "approvedValue": review.approved(field_id),
    }
    entry = review.entries.get(field_id)
    if isinstance(entry, dict) and "wasEdited" in entry:
        pair["wasEdited"] = entry["wasEdited"]
    return pair
