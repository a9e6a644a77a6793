"""A line of an export, and its columns in a table."""

from dataclasses import dataclass

from signoff.memory.export.column_types import ColumnType
from signoff.memory.export.query_params import Export
from signoff.platform.json_values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    path: tuple[str, ...]
    """The path of its value in a line."""
    type: ColumnType = "text"

    def value(self, line: JsonObject) -> Json:
        value_at: Json = line
        for member in self.path:
            if not isinstance(value_at, dict):
                return None
            value_at = value_at.get(member)
        return value_at


def export_columns(export: Export) -> list[Column]:
    """Return the columns. A review's field columns don't depend on the exported reviews, so the parts of an export
    fit together.
    """
    if export.shape == "sft":
        return [_named_column("reviewId"), Column("messages", ("messages",), "messages"), _named_column("cursor")]
    if export.shape in ("dpo", "dpo-conversational"):
        column_type: ColumnType = "text" if export.shape == "dpo" else "messages"
        answers = [Column(name, (name,), column_type) for name in ("prompt", "chosen", "rejected")]
        return [_named_column("reviewId"), *answers, _named_column("cursor")]
    columns = [_named_column(name) for name in ("reviewId", "createdAt", "respondedAt", "response")]
    columns.append(Column("autoApproved", ("autoApproved",), "boolean"))
    for field in export.fields:
        place = ("fields", field.id)
        columns.append(Column(f"{field.id}.suggested", (*place, "suggestedValue"), field.type))
        columns.append(Column(f"{field.id}.approved", (*place, "approvedValue"), field.type))
        if field.tracks_edits:
            columns.append(Column(f"{field.id}.wasEdited", (*place, "wasEdited"), "boolean"))
    return [*columns, _named_column("meta"), _named_column("cursor")]


def _named_column(name: str) -> Column:
    return Column(name, (name,))
