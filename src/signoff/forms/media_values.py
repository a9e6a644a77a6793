"""Find images and videos in a request, and replace some of them.

Sounds and files aren't included: only images and videos are copied to the media storage.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from signoff.forms.definition import Definition
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType
from signoff.forms.fields.value_type import NO_CONFIG, FieldConfig
from signoff.forms.paths import MISSING, get_path
from signoff.platform.json_values import Json, JsonObject

ValuePath: TypeAlias = tuple[str | int, ...]
"""The names and indexes that lead to a value; the first is `data` or `config`."""

_Tree: TypeAlias = "dict[str | int, str | _Tree]"


@dataclass(frozen=True, slots=True)
class MediaValue:
    text: str
    """A URL, or base64 content."""
    field: Field
    config: FieldConfig
    place: ValuePath
    """Empty for a default of the review type, which isn't part of the request."""

    @property
    def where(self) -> str:
        """Return its path as errors write it."""
        return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.place)[1:]


def media_values(definition: Definition, data: JsonObject, configs: Mapping[str, FieldConfig]) -> Iterator[MediaValue]:
    """Return every image and video in a valid request, in the order of the fields.

    `configs` are those of its `Suggestion`. Defaults are included: the request's own, if its config has one, and the
    review type's if the request has no value.
    """
    for field in definition.copied:
        config = configs.get(field.id, NO_CONFIG)
        value = get_path(data, field.path)
        if value is not MISSING:
            yield from _values_in_field(field, value, config, ("data", *field.path))
        elif config.default is None:
            yield from (_without_place(each) for each in _values_in_field(field, field.default, config, ()))
        if config.default is not None:
            yield from _values_in_field(field, config.default, config, ("config", "fields", field.id, "default"))


def _without_place(value: MediaValue) -> MediaValue:
    return MediaValue(value.text, value.field, value.config, ())


def _values_in_field(field: Field, value: Json, config: FieldConfig, place: ValuePath) -> Iterator[MediaValue]:
    if not isinstance(field.value_type, ListValueType):
        if isinstance(value, str):
            yield MediaValue(value, field, config, place)
        return
    children = [child for child in field.value_type.children if child.type.copied]
    for index, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, str):  # plain items are for a list with one media child
            yield MediaValue(item, children[0], _child_config(config, children[0]), (*place, index))
        elif isinstance(item, dict):
            for child in children:
                child_value = item.get(child.id)
                if isinstance(child_value, str):
                    yield MediaValue(child_value, child, _child_config(config, child), (*place, index, child.id))


def _child_config(config: FieldConfig, child: Field) -> FieldConfig:
    return config.items.get(child.id, NO_CONFIG)


def replace_values(members: JsonObject, changes: Mapping[ValuePath, str]) -> JsonObject:
    """Return a copy of `members` (`data`, `config`) with other values at these places, all of which must exist.

    The original isn't changed; the copy shares unchanged parts with it.
    """
    tree: _Tree = {}
    for place, value in changes.items():
        node = tree
        for step in place[:-1]:
            below = node.setdefault(step, {})
            assert isinstance(below, dict), "no place lies within another"
            node = below
        node[place[-1]] = value
    copy = _replace_values(members, tree)
    assert isinstance(copy, dict)
    return copy


def _replace_values(value: Json, tree: "str | _Tree") -> Json:
    if not isinstance(tree, dict):
        return tree
    if isinstance(value, dict):
        return {name: _replace_values(held, tree[name]) if name in tree else held for name, held in value.items()}
    assert isinstance(value, list)
    return [_replace_values(item, tree[index]) if index in tree else item for index, item in enumerate(value)]
