"""The column types of fields in Parquet, determined before the first review is read.

A Parquet file declares its column types once, and a second pass over the reviews would double the work. So the types
come from what the review type's versions declare.
"""

from typing import Literal

from signoff.forms.fields import FIELD_TYPES
from signoff.platform.db import Executor

FieldColumnType = Literal["text", "boolean", "integer", "number"]
ColumnType = Literal["text", "boolean", "integer", "number", "messages"]


async def field_column_types(db: Executor, form_id: str) -> dict[str, FieldColumnType]:
    """Return a type by field ID: one that holds the values of all versions, or text if the versions disagree."""
    rows = await db.fetch(
        """
        select distinct field ->> 'id' as id, field ->> 'type' as type,
               coalesce(field ->> 'integer' = 'true', false) as whole
        from form_versions v cross join lateral json_array_elements(v.definition -> 'fields') as declared (field)
        where v.form_id = $1
        """,
        form_id,
    )
    declared: dict[str, set[FieldColumnType]] = {}
    for row in rows:
        if FIELD_TYPES[row["type"]].has_value:
            declared.setdefault(row["id"], set()).add(_declared_type(row["type"], whole=row["whole"]))
    return {field_id: _common_type(types) for field_id, types in declared.items()}


def _declared_type(field_type: str, *, whole: bool) -> FieldColumnType:
    if field_type == "boolean":
        return "boolean"
    if field_type == "rating" or (field_type == "number" and whole):
        return "integer"
    return "number" if field_type == "number" else "text"


def _common_type(types: set[FieldColumnType]) -> FieldColumnType:
    if len(types) == 1:
        return next(iter(types))
    return "number" if types == {"integer", "number"} else "text"
