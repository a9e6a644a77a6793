"""The position of a review type's fields on the page: a tree of fields, columns, groups, and grids.

Fields missing from the layout come after everything in it, in the order of the fields. So a review type without a
layout shows its fields in order, and a field added later is always visible.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from signoff.forms.fields.error_messages import OBJECT, must_be, one_of, out_of_range_message, used_by_field
from signoff.forms.fields.field import read_id
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject, too_deep
from signoff.platform.messages import Message, msg, msgs

MAX_LAYOUT_DEPTH: Final = 8
MAX_COLUMNS: Final = 6
MAX_GRID_COLUMNS: Final = 12
MAX_NODES: Final = 1_000
MAX_GROUP_LABEL: Final = 200


@dataclass(frozen=True, slots=True)
class FieldNode:
    field: str

    def to_json(self) -> JsonObject:
        return {"kind": "field", "field": self.field}


@dataclass(frozen=True, slots=True)
class ColumnsNode:
    columns: "tuple[tuple[Node, ...], ...]"

    def to_json(self) -> JsonObject:
        return {"kind": "columns", "columns": [_to_json(column) for column in self.columns]}


@dataclass(frozen=True, slots=True)
class GroupNode:
    id: str
    label: str
    children: "tuple[Node, ...]"

    def to_json(self) -> JsonObject:
        return {"kind": "group", "id": self.id, "label": self.label, "children": _to_json(self.children)}


@dataclass(frozen=True, slots=True)
class GridNode:
    columns: int
    children: "tuple[Node, ...]"

    def to_json(self) -> JsonObject:
        return {"kind": "grid", "columns": self.columns, "children": _to_json(self.children)}


Node: TypeAlias = FieldNode | ColumnsNode | GroupNode | GridNode


def _to_json(nodes: "Iterable[Node]") -> list[Json]:
    return [node.to_json() for node in nodes]


@dataclass(frozen=True, slots=True)
class Layout:
    nodes: tuple[Node, ...] = ()
    groups: tuple[str, ...] = field(default=(), compare=False)
    parent: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    """The innermost group around a field or group, if it's in one."""

    def to_json(self) -> list[Json]:
        return _to_json(self.nodes)


_MEMBERS: Final[Mapping[str, frozenset[str]]] = {
    "field": frozenset({"kind", "field"}),
    "columns": frozenset({"kind", "columns"}),
    "group": frozenset({"kind", "id", "label", "children"}),
    "grid": frozenset({"kind", "columns", "children"}),
}


def parse_layout(raw: Json, field_ids: Collection[str], where: str, errors: list[ErrorDetail]) -> Layout:
    """Compile a layout and report everything that's wrong with it; None means no layout."""
    if raw is None:
        return Layout()
    reader = _Reader(field_ids, errors)
    nodes = reader.nodes(raw, where, group=None, depth=1)
    return Layout(nodes, tuple(reader.groups), reader.parent)


class _Reader:
    """Tracks what the whole tree has already placed."""

    def __init__(self, field_ids: Collection[str], errors: list[ErrorDetail]) -> None:
        self._field_ids = field_ids
        self._errors = errors
        self._placed: set[str] = set()
        self._count = 0
        self.groups: dict[str, None] = {}
        self.parent: dict[str, str] = {}

    def _add_error(self, where: str, code: str, message: Message) -> None:
        self._errors.append(ErrorDetail(where, code, message))

    def nodes(self, raw: Json, where: str, *, group: str | None, depth: int) -> tuple[Node, ...]:
        if not isinstance(raw, list):
            self._add_error(where, "wrong_type", must_be(msg("an array of layout entries"), raw))
            return ()
        if depth > MAX_LAYOUT_DEPTH:
            self._add_error(where, "too_deep", too_deep(MAX_LAYOUT_DEPTH))
            return ()
        read = (self._node(entry, f"{where}[{index}]", group, depth) for index, entry in enumerate(raw))
        return tuple(node for node in read if node is not None)

    def _node(self, raw: Json, where: str, group: str | None, depth: int) -> Node | None:
        self._count += 1
        if self._count > MAX_NODES:
            if self._count == MAX_NODES + 1:
                self._add_error(
                    where,
                    "too_many_entries",
                    msgs("must have at most {count} entry", "must have at most {count} entries", count=MAX_NODES),
                )
            return None
        if not isinstance(raw, dict):
            self._add_error(where, "wrong_type", must_be(OBJECT, raw))
            return None
        kind = raw.get("kind")
        members = _MEMBERS.get(kind) if isinstance(kind, str) else None
        if members is None:
            self._add_error(f"{where}.kind", "unknown_kind", one_of(_MEMBERS))
            return None
        for name in raw:
            if name not in members:
                self._add_error(
                    f"{where}.{name}", "unknown_member", msg("isn't allowed in a '{kind}' entry", kind=kind)
                )
        if kind == "field":
            return self._field(raw, where, group)
        if kind == "columns":
            return self._columns(raw, where, group, depth)
        if kind == "group":
            return self._group(raw, where, group, depth)
        return self._grid(raw, where, group, depth)

    def _field(self, raw: JsonObject, where: str, group: str | None) -> FieldNode | None:
        identifier = raw.get("field")
        if not isinstance(identifier, str) or identifier not in self._field_ids:
            self._add_error(f"{where}.field", "unknown_field", msg("must be the ID of a field"))
            return None
        if identifier in self._placed:
            self._add_error(
                f"{where}.field", "placed_twice", msg("'{field}' is already in the layout", field=identifier)
            )
            return None
        self._placed.add(identifier)
        if group is not None:
            self.parent[identifier] = group
        return FieldNode(identifier)

    def _columns(self, raw: JsonObject, where: str, group: str | None, depth: int) -> ColumnsNode | None:
        columns = raw.get("columns")
        if not isinstance(columns, list) or not 0 < len(columns) <= MAX_COLUMNS:
            self._add_error(
                f"{where}.columns",
                "wrong_type",
                msg("must be an array of {least} to {most} columns", least=1, most=MAX_COLUMNS),
            )
            return None
        return ColumnsNode(
            tuple(
                self.nodes(column, f"{where}.columns[{index}]", group=group, depth=depth + 1)
                for index, column in enumerate(columns)
            )
        )

    def _group(self, raw: JsonObject, where: str, group: str | None, depth: int) -> GroupNode | None:
        identifier = read_id(raw, where, self._errors)
        if identifier in self.groups:
            self._add_error(f"{where}.id", "duplicate_id", msg("'{id}' is used by another group", id=identifier))
        elif identifier in self._field_ids:
            self._add_error(f"{where}.id", "duplicate_id", used_by_field(identifier))
        elif identifier:
            self.groups[identifier] = None
            if group is not None:
                self.parent[identifier] = group
        label = raw.get("label")
        if label is not None and (not isinstance(label, str) or len(label) > MAX_GROUP_LABEL):
            self._add_error(
                f"{where}.label",
                "wrong_type",
                msgs(
                    "must be a string of at most {count} character",
                    "must be a string of at most {count} characters",
                    count=MAX_GROUP_LABEL,
                ),
            )
        children = self.nodes(raw.get("children"), f"{where}.children", group=identifier or group, depth=depth + 1)
        return GroupNode(identifier, label if isinstance(label, str) else "", children)

    def _grid(self, raw: JsonObject, where: str, group: str | None, depth: int) -> GridNode | None:
        columns = raw.get("columns")
        if not isinstance(columns, int) or isinstance(columns, bool) or not 1 <= columns <= MAX_GRID_COLUMNS:
            self._add_error(f"{where}.columns", "out_of_range", out_of_range_message(1, MAX_GRID_COLUMNS))
            columns = 1
        children = self.nodes(raw.get("children"), f"{where}.children", group=group, depth=depth + 1)
        return GridNode(columns, children)
