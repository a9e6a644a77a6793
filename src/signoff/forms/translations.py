"""Translations of a review type's texts.

Only people read them: untranslated text is shown as written, and what programs send and receive is the same in every
language.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from signoff.forms.fields import Field
from signoff.forms.fields.choices import MAX_OPTION_LABEL, ChoiceValueType
from signoff.forms.fields.error_messages import OBJECT, must_be, one_of
from signoff.forms.fields.lists import ListValueType
from signoff.forms.fields.settings import read_text
from signoff.forms.fields.value_type import INVALID
from signoff.forms.layout import MAX_GROUP_LABEL
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import LANGUAGES, Message, msg

MAX_NAME: Final = 200
MAX_KEY_IN_PATH: Final = 100
_MEMBERS: Final = ("name", "fields", "groups")


@dataclass(frozen=True, slots=True)
class FieldTranslation:
    """The texts of one field in one language."""

    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    """By the setting with the original text."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """Labels by option ID."""
    children: "Mapping[str, FieldTranslation]" = field(default_factory=dict[str, "FieldTranslation"])
    """The fields of a list's items or a table's columns, by ID."""

    def to_json(self) -> JsonObject:
        written: JsonObject = {**self.texts}
        if self.options:
            written["options"] = _labels_to_json(self.options)
        if self.children:
            written["fields"] = _fields_to_json(self.children)
        return written


@dataclass(frozen=True, slots=True)
class Translation:
    """The texts of a review type in one language."""

    name: str | None = None
    fields: Mapping[str, FieldTranslation] = field(default_factory=dict[str, FieldTranslation])
    groups: Mapping[str, str] = field(default_factory=dict[str, str])
    """Labels by the group's ID in the layout."""

    def to_json(self) -> JsonObject:
        written: JsonObject = {}
        if self.name is not None:
            written["name"] = self.name
        if self.fields:
            written["fields"] = _fields_to_json(self.fields)
        if self.groups:
            written["groups"] = _labels_to_json(self.groups)
        return written


Translations: TypeAlias = Mapping[str, Translation]
"""By language."""

UNTRANSLATED: Final = Translation()
UNTRANSLATED_FIELD: Final = FieldTranslation()
"""Without any text, so that the original ones are shown."""


def _fields_to_json(fields: Mapping[str, FieldTranslation]) -> JsonObject:
    return {name: each.to_json() for name, each in fields.items()}


def _labels_to_json(labels: Mapping[str, str]) -> JsonObject:
    return {name: {"label": label} for name, label in labels.items()}


def parse_translations(
    raw: Json, fields: Collection[Field], declared: Collection[str], groups: Collection[str], errors: list[ErrorDetail]
) -> Translations:
    """Compile the translations and report everything that's wrong with them.

    `declared` has the IDs of all fields, including those with errors of their own, whose texts can't be checked.
    """
    by_id = {each.id: each for each in fields}
    translations: dict[str, Translation] = {}
    for language, texts in _members(raw, "translations", errors):
        where = _place("translations", language)
        if language not in LANGUAGES:
            errors.append(ErrorDetail(where, "unknown_language", one_of(LANGUAGES)))
        else:
            translations[language] = _read_translation(texts, by_id, declared, groups, where, errors)
    return translations


def _read_translation(
    raw: Json,
    fields: Mapping[str, Field],
    declared: Collection[str],
    groups: Collection[str],
    where: str,
    errors: list[ErrorDetail],
) -> Translation:
    members = dict(_members(raw, where, errors))
    errors.extend(
        ErrorDetail(_place(where, name), "unknown_member", one_of(_MEMBERS)) for name in members if name not in _MEMBERS
    )
    name = members.get("name")
    return Translation(
        name=None if name is None else _read_text(name, MAX_NAME, f"{where}.name", errors),
        fields=_read_fields(
            members.get("fields"), fields, declared, f"{where}.fields", msg("isn't a field of this review type"), errors
        ),
        groups=_read_labels(
            members.get("groups"),
            groups,
            MAX_GROUP_LABEL,
            f"{where}.groups",
            ("unknown_group", msg("isn't a group in the layout")),
            errors,
        ),
    )


def _read_fields(
    raw: Json,
    fields: Mapping[str, Field],
    declared: Collection[str],
    where: str,
    unknown: Message,
    errors: list[ErrorDetail],
) -> dict[str, FieldTranslation]:
    read: dict[str, FieldTranslation] = {}
    for identifier, texts in _members(raw, where, errors):
        place = _place(where, identifier)
        if identifier not in declared:
            errors.append(ErrorDetail(place, "unknown_field", unknown))
        elif identifier in fields:
            translation = _read_field(texts, fields[identifier], place, errors)
            if translation != UNTRANSLATED_FIELD:
                read[identifier] = translation
    return read


def _read_field(raw: Json, translated: Field, where: str, errors: list[ErrorDetail]) -> FieldTranslation:
    texts: dict[str, str] = {}
    options: dict[str, str] = {}
    children: dict[str, FieldTranslation] = {}
    settings, value_type = translated.type.texts(), translated.value_type
    for name, value in _members(raw, where, errors):
        place = _place(where, name)
        if name in settings:
            text = _read_text(value, settings[name].max_length, place, errors)
            if text is not None:
                texts[name] = text
        elif name == "options" and isinstance(value_type, ChoiceValueType):
            unknown = ("unknown_option", msg("isn't an option of this field"))
            options = _read_labels(value, value_type.options or (), MAX_OPTION_LABEL, place, unknown, errors)
        elif name == "fields" and isinstance(value_type, ListValueType):
            by_id = {child.id: child for child in value_type.children}
            children = _read_fields(value, by_id, by_id, place, msg("isn't one of this field's child fields"), errors)
        else:
            errors.append(ErrorDetail(place, "unknown_setting", one_of(_translatable(translated))))
    return FieldTranslation(texts, options, children)


def _translatable(of: Field) -> Iterator[str]:
    yield from of.type.texts()
    if isinstance(of.value_type, ChoiceValueType):
        yield "options"
    if isinstance(of.value_type, ListValueType):
        yield "fields"


def _read_labels(
    raw: Json,
    known: Collection[str],
    max_length: int,
    where: str,
    unknown: tuple[str, Message],
    errors: list[ErrorDetail],
) -> dict[str, str]:
    """Read `{"<id>": {"label": "…"}}` as labels by ID; `unknown` is the code and message for an unknown ID."""
    labels: dict[str, str] = {}
    for identifier, members in _members(raw, where, errors):
        place = _place(where, identifier)
        if identifier not in known:
            errors.append(ErrorDetail(place, *unknown))
            continue
        for name, value in _members(members, place, errors):
            if name != "label":
                errors.append(ErrorDetail(_place(place, name), "unknown_member", one_of(("label",))))
            elif (label := _read_text(value, max_length, f"{place}.label", errors)) is not None:
                labels[identifier] = label
    return labels


def _read_text(raw: Json, max_length: int, where: str, errors: list[ErrorDetail]) -> str | None:
    text = read_text(raw, max_length, where, errors)
    if text is INVALID:
        return None
    if not text.strip():
        errors.append(ErrorDetail(where, "empty_text", msg("can't be empty. Leave it out to show the original")))
        return None
    return text


def _members(raw: Json, where: str, errors: list[ErrorDetail]) -> Iterator[tuple[str, Json]]:
    """Return the members of an object; null is the same as omitting one."""
    if raw is None:
        return
    if not isinstance(raw, dict):
        errors.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, raw)))
        return
    yield from ((name, value) for name, value in raw.items() if value is not None)


def _place(where: str, name: str) -> str:
    return f"{where}.{name[:MAX_KEY_IN_PATH]}"
