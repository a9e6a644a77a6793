"""Lists and tables: any number of items, each with the same child fields.

An item is an object keyed by child ID. A list also accepts plain values in place of such objects: those of its only
child field or, if it has several, of the only one with media. In normal form only items of a single child field are
plain, and an array is never a mixture. Members of an item that aren't child fields are kept, like the properties of a
request that no field maps.
"""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from signoff.forms.fields import choices, json_and_label, media, numbers, text
from signoff.forms.fields.error_messages import EMPTY, at_least_items, at_most_items, used_by_field
from signoff.forms.fields.field import Field, FieldType, read_field
from signoff.forms.fields.schema_fragments import or_null
from signoff.forms.fields.settings import CountSetting, FlagSetting, Setting, Settings, SettingType, check_order
from signoff.forms.fields.value_type import (
    INVALID,
    NO_CONFIG,
    FieldConfig,
    InvalidValue,
    ReadResult,
    ValueType,
    report_wrong_type,
)
from signoff.forms.paths import PathValue
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import MAX_DEPTH, Json, JsonObject, exceeds_depth, freeze, too_deep
from signoff.platform.messages import msg

MAX_ITEMS: Final = 2_000
MAX_CHILDREN: Final = 30

ITEM_TYPES: Final = {
    kind.name: kind for kind in (*text.TYPES, *numbers.TYPES, json_and_label.JSON, *choices.TYPES, *media.TYPES)
}
"""What items can contain: everything except nested collections and labels."""


@dataclass(frozen=True, slots=True)
class ListValueType(ValueType):
    children: tuple[Field, ...]
    plain_items: bool
    """Whether a child's value can represent the item; see `plain_child`."""
    min_items: int | None = None
    max_items: int | None = None
    can_add: bool = True
    can_remove: bool = True
    can_reorder: bool = True

    @property
    def plain_child(self) -> Field | None:
        """Return the child whose value can represent the item: the only one, or the only one with media."""
        if not self.plain_items:
            return None
        candidates = [child for child in self.children if child.type.media] if len(self.children) > 1 else self.children
        return candidates[0] if len(candidates) == 1 else None

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        if not isinstance(value, list):
            return report_wrong_type(value, msg("an array"), where, errors)
        if len(value) > MAX_ITEMS:
            errors.append(ErrorDetail(where, "too_many_items", at_most_items(MAX_ITEMS)))
            return INVALID
        if exceeds_depth(value, MAX_DEPTH):
            errors.append(ErrorDetail(where, "too_deep", too_deep(MAX_DEPTH)))
            return INVALID
        only = self.plain_child
        as_plain = len(self.children) == 1 and not any(isinstance(item, dict) for item in value)
        before = len(errors)
        items: list[Json] = []
        for index, item in enumerate(value):
            place = f"{where}[{index}]"
            if isinstance(item, dict):
                items.append(self._read_item(item, config, place, errors))
            elif only is None:
                report_wrong_type(item, msg("an object keyed by child field ID"), place, errors)
            else:
                read = _read_child(only, item, config, place, errors)
                if read is not INVALID:
                    # A missing choice is null in an object; as a whole item it stays the empty string that was sent.
                    items.append({only.id: read} if not as_plain else item if read is None else read)
        return items if len(errors) == before else INVALID

    def _read_item(self, item: JsonObject, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> JsonObject:
        result = dict(item)
        for child in self.children:
            value = item.get(child.id)
            if value is None:
                continue
            read = _read_child(child, value, config, f"{where}.{child.id}", errors)
            if read is not INVALID:
                result[child.id] = read
        return result

    def keep_shown(self, value: Json) -> Json:
        ids = {child.id for child in self.children}
        return [
            {name: each for name, each in item.items() if name in ids} if isinstance(item, dict) else item
            for item in (value if isinstance(value, list) else [])
        ]

    def is_empty(self, value: Json) -> bool:
        return not value

    def cleared(self, before: Json = None) -> Json:
        return []

    def check(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:
        items = value if isinstance(value, list) else []
        if self.min_items is not None and len(items) < self.min_items:
            errors.append(ErrorDetail(where, "too_few_items", at_least_items(self.min_items)))
        if self.max_items is not None and len(items) > self.max_items:
            errors.append(ErrorDetail(where, "too_many_items", at_most_items(self.max_items)))
        for index, item in enumerate(items):
            for child in self.children:
                keyed = isinstance(item, dict)
                place = f"{where}[{index}].{child.id}" if keyed else f"{where}[{index}]"
                child_value = item.get(child.id) if isinstance(item, dict) else item
                check_value(child, child_value, config.items.get(child.id, NO_CONFIG), place, errors)

    def alike(self, value: Json, before: Json) -> Json:
        """Return `value` with its items in the format of those in `before`, plain or as objects, if that loses
        nothing.
        """
        if not self.plain_items or len(self.children) != 1 or not isinstance(value, list) or not value:
            return value
        name = self.children[0].id
        keyed = isinstance(before, list) and any(isinstance(item, dict) for item in before)
        if keyed:
            return [item if isinstance(item, dict) else {name: item} for item in value]
        if all(isinstance(item, dict) and item.keys() == {name} and _is_plain_item(item[name]) for item in value):
            return [item[name] for item in value if isinstance(item, dict)]
        return value

    def as_plain(self, items: list[Json]) -> list[Json]:
        """Return items that were sent as plain values as plain values again, if all of them still can be; otherwise
        as objects.
        """
        child = self.plain_child
        if child is None:
            return items
        if all(not isinstance(item, dict) or _has_only_child(item, child.id) for item in items):
            return [item[child.id] if isinstance(item, dict) else item for item in items]
        return [item if isinstance(item, dict) else {child.id: item} for item in items]

    def changes(self, value: Json, before: Json, where: str, errors: list[ErrorDetail]) -> None:
        """Report changes to the items that the settings don't allow.

        The parts of an item that a reviewer can't change (read-only children, unknown members) identify it, so items
        can be moved and removed without being mistaken for new ones.
        """
        items, was = _items(value), _items(before)
        now, then = Counter(map(self._fixed_values, items)), Counter(map(self._fixed_values, was))
        if not self.can_remove and then - now:
            errors.append(ErrorDetail(where, "remove_not_allowed", msg("can't have items removed or replaced")))
        if not self.can_add and now - then:
            errors.append(ErrorDetail(where, "add_not_allowed", msg("can't have items added or replaced")))
        if not self.can_reorder and len(items) == len(was):
            frozen, earlier = [freeze(item) for item in items], [freeze(item) for item in was]
            if frozen != earlier and Counter(frozen) == Counter(earlier):
                errors.append(ErrorDetail(where, "reorder_not_allowed", msg("can't be reordered")))
        known = {freeze(self._extras(item)) for item in was}
        errors.extend(
            ErrorDetail(
                f"{where}[{index}]",
                "unmapped_property",
                msg("has properties that aren't child fields and weren't in the request"),
            )
            for index, item in enumerate(items)
            if (extras := self._extras(item)) and freeze(extras) not in known
        )

    def _extras(self, item: Json) -> JsonObject:
        if not isinstance(item, dict):
            return {}
        names = {child.id for child in self.children}
        return {name: value for name, value in item.items() if name not in names}

    def _fixed_values(self, item: Json) -> Hashable:
        if not isinstance(item, dict):
            return None if self.children[0].editable else freeze(item)
        fixed = {child.id: item.get(child.id) for child in self.children if not child.editable}
        return freeze({**self._extras(item), **fixed})

    def schema(self, *, closed: bool = False) -> JsonObject:
        properties: JsonObject = {child.id: or_null(child.value_type.schema()) for child in self.children}
        item: JsonObject = {"type": "object", "properties": properties}
        if closed:
            item["additionalProperties"] = False
        if (child := self.plain_child) is not None:
            plain: JsonObject = {"allOf": [{"not": {"type": ["object", "null"]}}, child.value_type.schema()]}
            item = {"anyOf": [item, plain]}
        return {"type": "array", "maxItems": MAX_ITEMS, "items": item}


def all_plain(sent: PathValue) -> bool:
    """Whether a request sent items, all of them as plain values."""
    return isinstance(sent, list) and bool(sent) and not any(isinstance(item, dict) for item in sent)


def _has_only_child(item: JsonObject, name: str) -> bool:
    """Whether an item contains nothing but this child's value."""
    others = (value for other, value in item.items() if other != name)
    return _is_plain_item(item.get(name)) and all(value is None for value in others)


def _is_plain_item(value: Json) -> bool:
    """Whether a value can represent an item: an object would be read as keyed by child ID."""
    return value is not None and not isinstance(value, dict)


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _read_child(child: Field, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
    if value is None:
        return report_wrong_type(value, msg("a value"), where, errors)
    return child.value_type.read(value, config.items.get(child.id, NO_CONFIG), where, errors)


def check_value(field: Field, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:
    """Report what prevents a value from being approved."""
    if value is None or field.value_type.is_empty(value):
        if field.required:
            errors.append(ErrorDetail(where, "required", EMPTY))
        return
    field.value_type.check(value, config, where, errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildrenSetting(Setting):
    type: SettingType = "fields"

    def read(self, raw: Json, where: str, errors: list[ErrorDetail]) -> tuple[Field, ...] | InvalidValue:
        if not isinstance(raw, list):
            return report_wrong_type(raw, msg("an array of fields"), where, errors)
        if not 0 < len(raw) <= MAX_CHILDREN:
            errors.append(
                ErrorDetail(
                    where, "out_of_range", msg("must have {least} to {most} fields", least=1, most=MAX_CHILDREN)
                )
            )
            return INVALID
        before = len(errors)
        children: dict[str, Field] = {}
        for index, child in enumerate(raw):
            read = read_field(child, f"{where}[{index}]", errors, ITEM_TYPES, child=True)
            if read is not None and read.id in children:
                errors.append(ErrorDetail(f"{where}[{index}].id", "duplicate_id", used_by_field(read.id)))
            elif read is not None:
                children[read.id] = read
        return tuple(children.values()) if len(errors) == before else INVALID

    def write(self, value: Any) -> Json:
        return [child.to_json() for child in value]

    def schema(self) -> JsonObject:
        return {"type": "array", "minItems": 1, "maxItems": MAX_CHILDREN, "items": {"type": "object"}}

    def to_json(self) -> JsonObject:
        return {**Setting.to_json(self), "types": [*ITEM_TYPES]}


_ITEM_COUNTS: Final = (
    CountSetting(name="minItems", summary="Minimum number of items", most=MAX_ITEMS),
    CountSetting(name="maxItems", summary="Maximum number of items", most=MAX_ITEMS),
    FlagSetting(name="allowAdd", summary="Whether the reviewer can add items", default=True),
    FlagSetting(name="allowRemove", summary="Whether the reviewer can remove items", default=True),
    FlagSetting(name="allowReorder", summary="Whether the reviewer can move items", default=True),
)


def _list_field_type(name: str, summary: str, value: str, children: ChildrenSetting, *, plain_items: bool) -> FieldType:
    def value_type(settings: Settings) -> ValueType:
        return ListValueType(
            settings[children.name],
            plain_items,
            *(settings[setting.name] for setting in _ITEM_COUNTS),
        )

    def cross_check(settings: Settings, where: str, errors: list[ErrorDetail]) -> None:
        if settings[children.name] is None:
            errors.append(ErrorDetail(f"{where}.{children.name}", "missing", msg("must list the item's fields")))
        check_order(settings, "minItems", "maxItems", where, errors)

    return FieldType(
        name=name,
        summary=summary,
        category="lists",
        value="items",
        value_summary=value,
        limits={"maxItems": MAX_ITEMS, "maxDepth": MAX_DEPTH},
        settings=(children, *_ITEM_COUNTS),
        value_type=value_type,
        cross_check=cross_check,
        tracks_edits=True,
    )


LIST: Final = _list_field_type(
    "list",
    "List of items with the same fields",
    "array of objects keyed by child field ID. If there's only one child field, or only one for media, plain values "
    "are also accepted",
    ChildrenSetting(name="item", summary="The fields of one item"),
    plain_items=True,
)
TABLE: Final = _list_field_type(
    "table",
    "Table with typed columns",
    "array of objects keyed by column ID",
    ChildrenSetting(name="columns", summary="The columns, each a field"),
    plain_items=False,
)
