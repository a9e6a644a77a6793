"""The query parameters of an export: which reviews, which of their fields, and the range."""

from dataclasses import dataclass, replace
from typing import Literal

from signoff.forms.fields import FIELD_TYPES
from signoff.forms.versions import latest_version
from signoff.memory.export.column_types import FieldColumnType, field_column_types
from signoff.memory.export.cursor import START, Position, read_cursor
from signoff.memory.form_fields import fields_of_all_versions
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidQuery, summarize_errors
from signoff.platform.messages import Message, msg

Format = Literal["jsonl", "csv", "parquet"]
Shape = Literal["pairs", "sft", "dpo", "dpo-conversational"]

RESPONDED = "r.account_id = $1 and r.form_id = $2 and r.state = 'responded'"


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
    def condition(self) -> str:
        """Return SQL over `reviews r` that takes the account as $1 and the review type as $2."""
        parts = [RESPONDED]
        if self.response is not None:
            parts.append(f"r.response = '{self.response}'")
        if self.by_people:
            parts.append("not r.auto_approved and not r.timed_out")
        return " and ".join(parts)


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
    fields = _asked(field_ids, known, types)
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
    return await _bounded(db, export, limit)


def _column(field_id: str, known: dict[str, str], types: dict[str, FieldColumnType]) -> FieldColumn:
    return FieldColumn(field_id, FIELD_TYPES[known[field_id]].tracks_edits, types.get(field_id, "text"))


def _asked(text: str | None, known: dict[str, str], types: dict[str, FieldColumnType]) -> tuple[FieldColumn, ...]:
    if text is None:
        return ()
    names = list(dict.fromkeys(part.strip() for part in text.split(",")))
    if names == [""]:
        raise _invalid_query(
            "fieldIds", "missing", msg("must include at least one field; leave it out to get all fields")
        )
    errors = [
        ErrorDetail("fieldIds", "unknown_field", msg("no field with ID '{id}' in this review type", id=name[:100]))
        for name in names
        if name not in known
    ]
    if errors:
        raise InvalidQuery(summarize_errors(errors), errors)
    return tuple(_column(name, known, types) for name in names)


async def _bounded(db: Executor, export: Export, limit: int | None) -> Export:
    """Return the export with its end, which is determined before anything is sent."""
    if limit is None:
        last = await db.fetchrow(
            f"select r.responded_at, r.review_id from reviews r where {RESPONDED} "  # noqa: S608
            "order by r.responded_at desc, r.review_id desc limit 1",
            export.account_id,
            export.form_id,
        )
        return _ending(export, last, more=False)
    rows = await db.fetch(
        f"""
        select r.responded_at, r.review_id from reviews r
        where {export.condition} and (r.responded_at, r.review_id) > ($3, $4)
        order by r.responded_at, r.review_id offset $5 limit 2
        """,  # noqa: S608
        export.account_id,
        export.form_id,
        export.after.responded_at,
        export.after.review_id,
        limit - 1,
    )
    if not rows:
        return await _bounded(db, export, None)
    return _ending(export, rows[0], more=len(rows) > 1)


def _ending(export: Export, last: Row | None, *, more: bool) -> Export:
    until = export.after if last is None else Position(last["responded_at"], last["review_id"])
    return replace(export, until=until, next_cursor=until.cursor if more else None)


def _invalid_query(path: str, code: str, message: Message) -> InvalidQuery:
    errors = [ErrorDetail(path, code, message)]
    return InvalidQuery(summarize_errors(errors), errors)
