"""Differences between two versions of a review type, and whom they break.

A change is *breaking* if an agent that sends the same data as before gets an error or its data isn't shown, or if a
receiver that reads the same properties as before finds something else or nothing. Everything else is *compatible*: good
to know, but no action needed. Types with the same kind of value (`text` and `longText`, `buttons` and `dropdown`) are
interchangeable.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import ChoiceValueType
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType
from signoff.forms.paths import join_path
from signoff.forms.translations import Translations
from signoff.platform.json_values import Json, same_json
from signoff.platform.messages import Language, Message, msg, msgs

_SAME_KIND: Final = {
    **dict.fromkeys(("text", "longText", "markdown", "richText", "code", "email"), "text"),
    **dict.fromkeys(("number", "rating"), "number"),
    **dict.fromkeys(("buttons", "checkboxes", "dropdown"), "choice"),
    **dict.fromkeys(("image", "video", "audio", "file"), "media"),
}
"""Types with the same kind of value, by the kind's name. Base64, which only images accept, is handled separately
below.
"""

_LANGUAGE_NAMES: Final[Mapping[Language, Message]] = {
    "en": msg("English"),
    "de": msg("German"),
    "fr": msg("French"),
    "es": msg("Spanish"),
    "pt-BR": msg("Brazilian Portuguese"),
    "ja": msg("Japanese"),
    "zh-Hans": msg("Simplified Chinese"),
    "ar": msg("Arabic"),
}


@dataclass(frozen=True, slots=True)
class Difference:
    kind: str
    field_id: str | None
    message: Message


@dataclass(frozen=True, slots=True)
class Differences:
    breaking: list[Difference] = field(default_factory=list[Difference])
    compatible: list[Difference] = field(default_factory=list[Difference])

    def add_breaking(self, kind: str, field_id: str | None, message: Message) -> None:
        self.breaking.append(Difference(kind, field_id, message))

    def add_compatible(self, kind: str, field_id: str | None, message: Message) -> None:
        self.compatible.append(Difference(kind, field_id, message))


def compare_definitions(before: Definition, after: Definition) -> Differences:
    """Return the changes of fields, their positions, and rules."""
    differences = Differences()
    renamed = dict(_find_renames(before, after))
    for was in before.fields:
        now = after.by_id.get(was.id)
        if now is not None:
            _compare_fields(was, now, differences)
        elif was.id in renamed:
            to = after.by_id[renamed[was.id]]
            _compare_renamed(was, to, differences)
        else:
            message = msg(
                "{field} was removed: values that agents send for it no longer belong to a field", field=_name(was)
            )
            differences.add_breaking("fieldRemoved", was.id, message)
    for now in after.fields:
        if now.id not in before.by_id and now.id not in renamed.values():
            message = msg(
                "{field} was added: it's shown when a request sends '{path}'", field=_name(now), path=_path(now)
            )
            differences.add_compatible("fieldAdded", now.id, message)
    _compare_unmapped(before, after, differences)
    if before.title_field != after.title_field:
        differences.add_compatible("titleFieldChanged", after.title_field, msg("the title field changed"))
    if not same_json(before.layout.to_json(), after.layout.to_json()) or before.width != after.width:
        differences.add_compatible("layoutChanged", None, msg("the layout changed"))
    if not same_json(before.rules.to_json(), after.rules.to_json()):
        message = msg("the rules changed: different fields may be shown and included in the response")
        differences.add_compatible("rulesChanged", None, message)
    _compare_translations(before.translations, after.translations, differences)
    return differences


def _compare_translations(before: Translations, after: Translations, differences: Differences) -> None:
    for language, name in _LANGUAGE_NAMES.items():
        was, now = before.get(language), after.get(language)
        if was is None and now is not None:
            differences.add_compatible(
                "languageAdded", None, msg("the {language} translations were added", language=name)
            )
        elif was is not None and now is None:
            differences.add_compatible(
                "languageRemoved", None, msg("the {language} translations were removed", language=name)
            )
        elif was is not None and now is not None and was != now:
            changed = set(_texts(was.to_json())) ^ set(_texts(now.to_json()))
            count = len({place for place, _ in changed})
            message = msgs(
                "{count} {language} translation changed",
                "{count} {language} translations changed",
                count=count,
                language=name,
            )
            differences.add_compatible("translationChanged", None, message)


def _texts(written: Json, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield each text of a translation with its path."""
    if isinstance(written, dict):
        for name, value in written.items():
            yield from _texts(value, (*place, name))
    else:
        yield place, written


def _compare_unmapped(before: Definition, after: Definition, differences: Differences) -> None:
    if before.unmapped == after.unmapped:
        return
    if after.unmapped == "reject":
        differences.add_breaking(
            "unmappedRejected", None, msg("requests with values that aren't mapped to a field are now rejected")
        )
    else:
        message = (
            msg("reviewers now see values that aren't mapped to a field")
            if after.unmapped == "show"
            else msg("reviewers no longer see values that aren't mapped to a field")
        )
        differences.add_compatible("unmappedChanged", None, message)


def _find_renames(before: Definition, after: Definition) -> Iterator[tuple[str, str]]:
    """Pair removed fields with added ones: by the property they map, otherwise by type and label."""
    gone = [each for each in before.fields if each.id not in after.by_id]
    come = [each for each in after.fields if each.id not in before.by_id]
    by_path = {each.path: each for each in come}
    paired: set[str] = set()
    for was in gone:
        now = by_path.get(was.path)
        if now is None:
            alike = [each for each in come if each.type is was.type and each.label == was.label]
            twins = [each for each in gone if each.type is was.type and each.label == was.label]
            now = alike[0] if len(alike) == len(twins) == 1 and was.label != was.id else None
        if now is not None and now.id not in paired:
            paired.add(now.id)
            yield was.id, now.id


def _compare_renamed(was: Field, now: Field, differences: Differences) -> None:
    message = msg("{field} was renamed to '{id}', including in `responseValues`", field=_name(was), id=now.id)
    differences.add_breaking("fieldRenamed", was.id, message)
    _compare_fields(was, now, differences)


def _compare_fields(was: Field, now: Field, differences: Differences) -> None:
    if was.path != now.path:
        message = msg(
            "{field} is now read from '{path}' instead of '{before}': agents have to send it there",
            field=_name(now),
            path=_path(now),
            before=_path(was),
        )
        differences.add_breaking("pathChanged", now.id, message)
    _compare_types(was, now, now.id, _name(now), differences)
    if now.required and not was.required:
        differences.add_breaking("becameRequired", now.id, msg("{field} is now required", field=_name(now)))
    if was.required and not now.required:
        differences.add_compatible("becameOptional", now.id, msg("{field} is now optional", field=_name(now)))
    if was.editable != now.editable:
        message = (
            msg("reviewers can now edit {field}", field=_name(now))
            if now.editable
            else msg("reviewers can no longer edit {field}", field=_name(now))
        )
        differences.add_compatible("editableChanged", now.id, message)
    if not same_json(was.default, now.default):
        differences.add_compatible(
            "defaultChanged", now.id, msg("the default value of {field} changed", field=_name(now))
        )
    if (was.label, was.help) != (now.label, now.help):
        differences.add_compatible(
            "labelChanged", now.id, msg("the label or help text for {field} changed", field=_name(now))
        )


def _compare_types(was: Field, now: Field, field_id: str, name: str, differences: Differences) -> None:
    """Compare types. `name` includes the list or table for a child field."""
    if _kind(was) != _kind(now):
        message = msg(
            "{field} changed from {before} to {after}, so its values have a different format",
            field=name,
            before=_type_label(was),
            after=_type_label(now),
        )
        differences.add_breaking("typeChanged", field_id, message)
        return
    if was.type is not now.type:
        message = msg(
            "{field} changed from {before} to {after}, with the same value format",
            field=name,
            before=_type_label(was),
            after=_type_label(now),
        )
        differences.add_compatible("typeChanged", field_id, message)
    if isinstance(was.value_type, ChoiceValueType) and isinstance(now.value_type, ChoiceValueType):
        _compare_options(was.value_type, now.value_type, field_id, name, differences)
    if isinstance(was.value_type, ListValueType) and isinstance(now.value_type, ListValueType):
        _compare_children(was.value_type, now.value_type, field_id, name, differences)
    if was.type is now.type and not same_json(_limits(was), _limits(now)):
        differences.add_compatible(
            "settingsChanged", field_id, msg("the limits or display settings for {field} changed", field=name)
        )


def _compare_options(
    was: ChoiceValueType, now: ChoiceValueType, field_id: str, name: str, differences: Differences
) -> None:
    if was.options is None:
        if now.options is not None:
            message = msg("{field} now has fixed options; requests can still send their own", field=name)
            differences.add_compatible("optionsAdded", field_id, message)
        return
    if now.options is None:
        message = msg("{field} no longer has fixed options: every request must send its own", field=name)
        differences.add_breaking("optionRemoved", field_id, message)
        return
    for option, label in was.options.items():
        if option not in now.options:
            message = msg(
                "option '{option}' was removed from {field}: requests that use it will fail", option=option, field=name
            )
            differences.add_breaking("optionRemoved", field_id, message)
        elif now.options[option] != label:
            message = msg("the label of option '{option}' in {field} changed", option=option, field=name)
            differences.add_compatible("optionRelabelled", field_id, message)
    for option in now.options:
        if option not in was.options:
            differences.add_compatible(
                "optionAdded", field_id, msg("option '{option}' was added to {field}", option=option, field=name)
            )


def _compare_children(
    was: ListValueType, now: ListValueType, field_id: str, parent: str, differences: Differences
) -> None:
    before, after = {each.id: each for each in was.children}, {each.id: each for each in now.children}
    if was.plain_items and len(before) == 1 < len(after):
        message = msg(
            "items of {field} now have multiple fields: requests that send plain values instead of objects will fail",
            field=parent,
        )
        differences.add_breaking("typeChanged", field_id, message)
    for name, child in before.items():
        if name not in after:
            differences.add_breaking(
                "fieldRemoved", field_id, msg("{field} was removed", field=_child_name(child, parent))
            )
            continue
        now_child = after[name]
        child_name = _child_name(now_child, parent)
        _compare_types(child, now_child, field_id, child_name, differences)
        if now_child.required and not child.required:
            differences.add_breaking("becameRequired", field_id, msg("{field} is now required", field=child_name))
    for name, child in after.items():
        if name not in before:
            differences.add_compatible(
                "fieldAdded", field_id, msg("{field} was added", field=_child_name(child, parent))
            )


def _kind(field: Field) -> tuple[object, ...]:
    """Return the kind of a field's values: two fields of the same kind accept and produce the same values."""
    kind = _SAME_KIND.get(field.type.name, field.type.name)
    if isinstance(field.value_type, ChoiceValueType):
        return kind, field.value_type.multiple
    return (kind, field.type.name == "image") if kind == "media" else (kind,)


def _limits(field: Field) -> Json:
    """Return the field's own settings, except for those that are compared separately."""
    written = field.to_json()
    apart = {"id", "type", "label", "help", "path", "required", "editable", "default", "options", "item", "columns"}
    return {name: value for name, value in written.items() if name not in apart}


def _name(field: Field) -> str:
    return f"'{field.id}'" if field.label == field.id else f"'{field.label}' ({field.id})"


def _child_name(child: Field, parent: str) -> Message:
    return msg("{child} in {parent}", child=_name(child), parent=parent)


def _path(field: Field) -> str:
    return join_path(field.path)


def _type_label(field: Field) -> str | Message:
    several = (
        isinstance(field.value_type, ChoiceValueType) and field.value_type.multiple and field.type.name != "checkboxes"
    )
    return msg("{type} (multiple)", type=field.type.name) if several else field.type.name
