"""Write approved values in the format they were sent in, so that an agent can call its tool with them.

`reviewResult.data` has values in their normal form. Here they keep the format of the request:

- What didn't change is exactly what was sent. That includes properties that no field maps.
- A default that nobody changed was never sent, so it's omitted.
- A changed choice has the same format as the one that was sent: an option's ID, an array of IDs, an array of `{id,
  label}`, or an object with options and the choice as its `default`. A choice that wasn't sent is an ID or an array of
  IDs.
- Items of a list are plain values if all of them were sent that way and still can be.
- Fields hidden by rules are omitted, just as in `data`.
"""

from collections.abc import Collection

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import ChoiceValueType
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType, all_plain
from signoff.forms.fields.value_type import NO_CONFIG, FieldConfig
from signoff.forms.paths import MISSING, PathValue, get_path, set_path
from signoff.forms.suggestion import Suggestion
from signoff.platform.json_values import Json, JsonObject, freeze, same_json


def build_approved_arguments(
    definition: Definition,
    suggestion: Suggestion,
    sent: JsonObject,
    values: JsonObject,
    changed: Collection[str],
    hidden: Collection[str],
) -> JsonObject:
    """Return the approved `values`, by field ID in normal form, as they were sent. Shares unchanged parts with
    `sent`.
    """
    arguments = dict(sent)
    for field in definition.fields:
        if field.id not in values or not field.type.has_value:
            continue
        original = get_path(sent, field.path)
        if field.id in hidden:
            if original is not MISSING:
                set_path(arguments, field.path, MISSING)
        elif field.id in changed:
            config = suggestion.configs.get(field.id, NO_CONFIG)
            set_path(arguments, field.path, _write(field, values[field.id], original, config))
    return arguments


def _write(field: Field, value: Json, sent: PathValue, config: FieldConfig) -> Json:
    if isinstance(field.value_type, ListValueType):
        return _write_items(field.value_type, value, sent if isinstance(sent, list) else [], config)
    if not isinstance(field.value_type, ChoiceValueType):
        return value
    if isinstance(sent, dict):
        return {**sent, "default": _write_choice(value, sent.get("default", MISSING))}
    return _write_choice(value, sent)


def _write_choice(value: Json, sent: PathValue) -> Json:
    """Write a choice. A single one is already an ID. In a multiple choice, those that were sent come first, in the
    order they were sent.
    """
    if not isinstance(value, list):
        return value
    chosen = {entry["id"]: entry for entry in value if isinstance(entry, dict)}
    if isinstance(sent, str) and len(chosen) == 1:
        return next(iter(chosen))
    before = sent if isinstance(sent, list) else []
    written: list[Json] = []
    for entry in before:
        identifier = entry.get("id") if isinstance(entry, dict) else entry
        if isinstance(identifier, str) and identifier in chosen:
            del chosen[identifier]
            written.append(entry)
    as_entries = bool(before) and all(isinstance(entry, dict) for entry in before)
    return [*written, *(chosen.values() if as_entries else chosen)]


def _write_items(value_type: ListValueType, value: Json, sent: list[Json], config: FieldConfig) -> Json:
    items = value if isinstance(value, list) else []
    read = value_type.read(sent, config, "", [])
    before = read if isinstance(read, list) else []
    # Items can move, so an unchanged one is found by its content.
    known = {freeze(item): original for item, original in zip(before, sent, strict=True)}
    written: list[Json] = []
    for index, item in enumerate(items):
        key = freeze(item)
        if key in known:
            written.append(known[key])
        elif index < len(before):
            written.append(_write_item(value_type, item, before[index], sent[index]))
        else:
            written.append(_write_item(value_type, item, MISSING, MISSING))
    return value_type.as_plain(written) if all_plain(sent) else written


def _write_item(value_type: ListValueType, item: Json, before: PathValue, sent: PathValue) -> Json:
    """Write an item. `before` is what was sent in its place, in normal form."""
    if not isinstance(item, dict):
        return _write_child(value_type.children[0], item, before, sent)
    written = dict(item)
    for child in value_type.children:
        if child.id in item:
            was = before.get(child.id, MISSING) if isinstance(before, dict) else MISSING
            original = sent.get(child.id, MISSING) if isinstance(sent, dict) else MISSING
            written[child.id] = _write_child(child, item[child.id], was, original)
    return written


def _write_child(child: Field, value: Json, before: PathValue, sent: PathValue) -> Json:
    if before is not MISSING and sent is not MISSING and same_json(value, before):
        return sent
    return _write_choice(value, sent) if isinstance(child.value_type, ChoiceValueType) else value
