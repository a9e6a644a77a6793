"""Values that a request sends and no field shows.

They're part of the result all the same, so whoever approves a review approves them too. Everything that handles them
uses this module: the inbox and the external reviewer's page, chat apps, and requests of a review type that rejects
them.

Fields hidden by rules aren't included: their values are removed from the result.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from signoff.forms.definition import Definition, PathTree
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType
from signoff.platform.json_values import Json, JsonObject

Path: TypeAlias = "tuple[str | int, ...]"


@dataclass(frozen=True, slots=True)
class UnmappedValue:
    path: Path
    """Property names and indexes, starting below `data`."""
    value: Json
    field_id: str | None = None
    """The list or table whose item contains it, or the field that has the value but nothing to show it with."""
    is_mapped: bool = False
    """Whether a field maps it but isn't shown, like a choice without options."""

    @property
    def where(self) -> str:
        """Return the path as errors write it: `data.rows[0].sku`."""
        return "data" + "".join(f"[{step}]" if isinstance(step, int) else f".{step[:100]}" for step in self.path)

    def to_json(self) -> JsonObject:
        written: JsonObject = {"path": list(self.path), "value": self.value}
        return written if self.field_id is None else {**written, "fieldId": self.field_id}


def unmapped_values(definition: Definition, data: JsonObject, shown: Collection[str]) -> Iterator[UnmappedValue]:
    """Return unmapped values in the order of the data. `shown` has the IDs of the fields that the review shows
    (`Suggestion.values`).
    """
    return _find_unmapped(definition.paths, data, (), shown)


def _find_unmapped(tree: PathTree, data: JsonObject, path: Path, shown: Collection[str]) -> Iterator[UnmappedValue]:
    # Only descends as far as field paths do, which is limited; an unmapped property is one value with everything in it.
    for name, value in data.items():
        node, here = tree.get(name), (*path, name)
        if node is None:
            yield UnmappedValue(here, value)
        elif isinstance(node, Field):
            yield from _unmapped_in_field(node, value, here, shown)
        elif isinstance(value, dict):
            yield from _find_unmapped(node, value, here, shown)


def _unmapped_in_field(field: Field, value: Json, path: Path, shown: Collection[str]) -> Iterator[UnmappedValue]:
    if field.id not in shown:
        if value is not None:
            yield UnmappedValue(path, value, field.id, is_mapped=True)
    elif isinstance(field.value_type, ListValueType) and isinstance(value, list):
        children = {child.id for child in field.value_type.children}
        for index, item in enumerate(value):
            if isinstance(item, dict) and item.keys() - children:
                for name, extra in item.items():
                    if name not in children:
                        yield UnmappedValue((*path, index, name), extra, field.id)
