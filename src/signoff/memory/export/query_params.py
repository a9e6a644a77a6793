"""The query parameters of an export: which reviews, which of their fields, and the range."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, LiteralString

from signoff.forms.errors import unknown_field
from signoff.forms.fields import FIELD_TYPES
from signoff.forms.versions import latest_version
from signoff.memory.export.column_types import FieldColumnType, field_column_types
from signoff.memory.export.cursor import START, Position, read_cursor
from signoff.memory.form_fields import fields_of_all_versions
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidQuery, summarize_errors
from signoff.platform.messages import Message, msg
from signoff.platform.sql import Sql, all_of

Format = Literal["jsonl", "csv", "parquet"]
Shape = Literal["pairs", "sft", "dpo", "dpo-conversational"]

RESPONDED: Final = "r.account_id = :account_id and r.form_id = :form_id and r.state = 'responded'"
DECIDED_BY_PEOPLE: Final = "not r.auto_approved and not r.timed_out"

SELECT_LAST = Sql(
    """
    select r.responded_at, r.review_id from reviews r where {responded}
    order by r.responded_at desc, r.review_id desc limit 1
    """,
    Position,
    responded=RESPONDED,
)


@cache
def _select_end(condition: Sql[Row]) -> Sql[Position]:
    return Sql(
        """
        select r.responded_at, r.review_id from reviews r
        where {condition} and (r.responded_at, r.review_id) > (:after_at, :after_id)
        order by r.responded_at, r.review_id offset :skipped limit 2
        """,
        Position,
        condition=condition,
    )


@cache
def _condition(response: Literal["approved", "rejected"] | None, by_people: bool) -> Sql[Row]:
    of_response: dict[str | None, LiteralString] = {
        None: "true",
        "approved": "r.response = 'approved'",
        "rejected": "r.response = 'rejected'",
    }
    return all_of((RESPONDED, of_response[response], DECIDED_BY_PEOPLE if by_people else "true"))


@dataclass(frozen=True, slots=True)
class FieldColumn:
    """A field of any version of the review type."""

    id: str
    tracks_edits: bool
    type: FieldColumnType = "text"


@dataclass(frozen=True, slots=True)
class Export:
    account_id: str
    form_id: str
    shape: Shape
    fields: tuple[FieldColumn, ...]
    """The requested fields; all fields with values if none were requested."""
    named: frozenset[str]
    """The IDs of fields requested by name; empty if none were."""
    response: Literal["approved", "rejected"] | None
    by_people: bool
    """Whether to leave out reviews that were decided automatically."""
    resumed: bool
    after: Position
    until: Position
    """The last review to include; decisions made while the export runs come after it."""
    next_cursor: str | None
    """Where to continue, if `limit` ended the export early."""

    @property
    def has_typed_columns(self) -> bool:
        return any(field.type != "text" for field in self.fields)

    @property
    def condition(self) -> Sql[Row]:
        """Return SQL over `reviews r`, with the parameters `account_id` and `form_id`."""
        return _condition(self.response, self.by_people)


async def read_export(
    db: Executor,
    account_id: str,
    form_id: str,
    *,
    shape: Shape,
    field_ids: str | None,
    response: Literal["approved", "rejected"] | None,
    after: str | None,
    limit: int | None,
) -> Export:
    await latest_version(db, account_id, form_id)
    if shape == "sft" and response == "rejected":
        raise _invalid_query(
            "filterResponse",
            "contradiction",
            msg("can't be `rejected`: the `sft` shape only contains approved reviews"),
        )
    known = await fields_of_all_versions(db, form_id)
    # Only `pairs` has a column for each field.
    types = await field_column_types(db, form_id) if shape == "pairs" else {}
    fields = _select_columns(field_ids, known, types)
    start = START if after is None else read_cursor(after)
    export = Export(
        account_id=account_id,
        form_id=form_id,
        shape=shape,
        fields=fields or tuple(_column(name, known, types) for name in known if FIELD_TYPES[known[name]].has_value),
        named=frozenset(each.id for each in fields),
        response="approved" if shape == "sft" else response,
        by_people=shape != "pairs",
        resumed=after is not None,
        after=start,
        until=start,
        next_cursor=None,
    )
    return await _find_end(db, export, limit)


def _column(field_id: str, known: dict[str, str], types: dict[str, FieldColumnType]) -> FieldColumn:
    return FieldColumn(field_id, FIELD_TYPES[known[field_id]].tracks_edits, types.get(field_id, "text"))


def _select_columns(
    text: str | None, known: dict[str, str], types: dict[str, FieldColumnType]
) -> tuple[FieldColumn, ...]:
    if text is None:
        return ()
    names = list(dict.fromkeys(part.strip() for part in text.split(",")))
    if names == [""]:
        raise _invalid_query(
            "fieldIds", "missing", msg("must include at least one field; leave it out to get all fields")
        )
    errors = [
        ErrorDetail("fieldIds", "unknown_field", unknown_field(name[:100])) for name in names if name not in known
    ]
    if errors:
        raise InvalidQuery(summarize_errors(errors), errors)
    return tuple(_column(name, known, types) for name in names)


async def _find_end(db: Executor, export: Export, limit: int | None) -> Export:
    """Return the export with its end, which is determined before anything is sent."""
    if limit is None:
        last = await SELECT_LAST.fetch_one(db, account_id=export.account_id, form_id=export.form_id)
        return _with_end(export, last, more=False)
    rows = await _select_end(export.condition).fetch(
        db,
        account_id=export.account_id,
        form_id=export.form_id,
        after_at=export.after.responded_at,
        after_id=export.after.review_id,
        skipped=limit - 1,
    )
    if not rows:
        return await _find_end(db, export, None)
    return _with_end(export, rows[0], more=len(rows) > 1)


def _with_end(export: Export, last: Position | None, *, more: bool) -> Export:
    until = last or export.after
    return replace(export, until=until, next_cursor=until.cursor if more else None)


def _invalid_query(path: str, code: str, message: Message) -> InvalidQuery:
    errors = [ErrorDetail(path, code, message)]
    return InvalidQuery(summarize_errors(errors), errors)
