"""Read suggested and approved values of the requested fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from signoff.forms.suggestion import InvalidValues, read_suggestion
from signoff.forms.versions import FormVersion, get_form_version
from signoff.platform.db import Executor, Row
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.logs import get_logger

log = get_logger("memory")

META = "meta."


@dataclass(frozen=True, slots=True)
class Response:
    review_id: str
    created_at: datetime
    responded_at: datetime
    response: str | None
    """None for a trigger form."""
    suggested: dict[str, Any]
    approved: dict[str, Any]
    """By field ID, for the fields that the review showed. A rejected review has no approved values."""


async def read_responses(
    db: Executor, account_id: str, form_id: str, review_ids: Sequence[str], field_ids: Sequence[str]
) -> list[Response]:
    """Return responses in the order of `review_ids`; reviews deleted in the meantime are left out."""
    rows = await db.fetch(
        """
        select r.review_id, r.created_at, r.responded_at, r.response, r.form_version,
               v.data, v.config, v.meta, x.response_values
        from unnest($2::text[]) with ordinality as found (id, place)
        join reviews r on r.account_id = $1 and r.review_id = found.id
        join review_revisions v using (account_id, review_id, revision)
        join review_results x using (account_id, review_id)
        order by found.place
        """,
        account_id,
        list(review_ids),
    )
    return [_read(row, await get_form_version(db, form_id, row["form_version"]), field_ids) for row in rows]


def _read(row: Row, form: FormVersion, field_ids: Sequence[str]) -> Response:
    meta: dict[str, Any] = row["meta"] or {}
    suggested = {
        **suggested_values(form, row["review_id"], row["data"], row["config"]),
        **{META + key: value for key, value in meta.items()},
    }
    approved: dict[str, Any] = {}
    if row["response"] != "rejected":
        entries: dict[str, Any] = row["response_values"]
        approved = {
            **{field_id: entry["value"] for field_id, entry in entries.items()},
            **{META + key: value for key, value in meta.items()},
        }
    return Response(
        row["review_id"],
        row["created_at"],
        row["responded_at"],
        row["response"],
        {field_id: suggested[field_id] for field_id in field_ids if field_id in suggested},
        {field_id: approved[field_id] for field_id in field_ids if field_id in approved},
    )


def suggested_values(form: FormVersion, review_id: str, data: Json, config: Json) -> JsonObject:
    """Return the values by field ID, for every field that the review showed."""
    try:
        return read_suggestion(form.definition, data, config).values
    except InvalidValues as error:
        # It was accepted under earlier, less strict rules. One such review must not make every search fail.
        log.warning("couldn't read suggestion", review_id=review_id, error=str(error))
        return {}
