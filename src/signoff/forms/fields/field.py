"""Field types as declarations, fields of a review type as data, and how one reads the other."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from signoff.forms.fields.error_messages import OBJECT, STRING, must_be, one_of
from signoff.forms.fields.settings import FlagSetting, Setting, Settings, TextSetting
from signoff.forms.fields.value_type import INVALID, NO_CONFIG, ValueType
from signoff.forms.paths import join_path, split_path
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import msg

ID_PATTERN: Final = r"^[A-Za-z][A-Za-z0-9_-]{0,63}$"
MAX_PATH_SEGMENTS: Final = 8
MAX_SEGMENT: Final = 256

_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_RESERVED: Final = frozenset({"__proto__", "constructor", "prototype"})
"""Names that a JavaScript client must never assign to."""

_LABEL: Final = TextSetting(name="label", summary="Label above the field. Defaults to the ID")
_HELP: Final = TextSetting(name="help", summary="Help text below the label", max_length=2_000)
_REQUIRED: Final = FlagSetting(name="required", summary="Must be filled in before approval")
_EDITABLE: Final = {
    default: FlagSetting(name="editable", summary="Whether reviewers can edit the value", default=default)
    for default in (True, False)
}


Category: TypeAlias = Literal["text", "numbers", "choices", "media", "lists", "other"]
ValueName: TypeAlias = Literal[
    "text", "number", "boolean", "date", "datetime", "choice", "choices", "items", "json", "none"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldType:
    """The complete declaration of a field type."""

    name: str
    summary: str
    category: Category
    value: ValueName
    """`none` for fields that only display something: no entry in `responseValues`, nothing to require, edit, or
    preset. A `choice` becomes `choices` if the field's `multiple` setting is true.
    """
    value_summary: str
    """The value's type in words, for the documentation."""
    limits: JsonObject = field(default_factory=dict[str, Json])
    """What a value must meet whatever the field's settings are, in JSON Schema's words, and `maxDepth`."""
    settings: tuple[Setting, ...] = ()
    value_type: Callable[[Settings], ValueType]
    cross_check: Callable[[Settings, str, list[ErrorDetail]], None] | None = None
    """Checks combinations of settings that are each valid on their own."""
    tracks_edits: bool = False
    """Whether `responseValues` has `wasEdited`."""
    copied: bool = False
    """Whether the content behind its URL is copied to the media storage."""
    titles: bool = False
    """Whether its text can be the review's title."""
    editable: bool = True
    """The default of the `editable` setting."""

    @property
    def has_value(self) -> bool:
        return self.value != "none"

    @property
    def selectable(self) -> bool:
        return self.value in ("choice", "choices")

    @property
    def media(self) -> bool:
        return self.category == "media"

    def all_settings(self) -> tuple[Setting, ...]:
        """Return the common settings and its own, in the order they are written."""
        if not self.has_value:
            return (_LABEL, _HELP, *self.settings)
        return (_LABEL, _HELP, _REQUIRED, _EDITABLE[self.editable], *self.settings)

    def texts(self) -> Mapping[str, TextSetting]:
        """Return the settings that people read, by name."""
        return {
            setting.name: setting
            for setting in self.all_settings()
            if isinstance(setting, TextSetting) and setting.translatable
        }

    def to_json(self) -> JsonObject:
        """Return the type's entry in the catalog of field types, `x-field-types` in the OpenAPI document."""
        return {
            "category": self.category,
            "value": self.value,
            "tracksEdits": self.tracks_edits,
            "canBeTitle": self.titles,
            "limits": self.limits,
            "settings": {setting.name: setting.to_json() for setting in self.all_settings()},
        }


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a review type, or a child field of a list or table (which has no path)."""

    id: str
    type: FieldType = field(repr=False)
    label: str
    help: str | None
    path: tuple[str, ...]
    required: bool
    editable: bool
    default: Json
    """In the type's normal form; None for no default."""
    settings: Settings
    value_type: ValueType = field(repr=False, compare=False)
    where: str = field(repr=False, compare=False)
    """The value's path in a request, for errors."""

    def to_json(self) -> JsonObject:
        written: JsonObject = {"id": self.id, "type": self.type.name, "label": self.label}
        if self.path:
            written["path"] = join_path(self.path)
        if self.help is not None:
            written["help"] = self.help
        if self.type.has_value:
            written["required"] = self.required
            written["editable"] = self.editable
        if self.default is not None:
            written["default"] = self.default
        for setting in self.type.settings:
            value = self.settings[setting.name]
            if value is not None:
                written[setting.name] = setting.write(value)
        return written


def read_field(
    raw: Json, where: str, errors: list[ErrorDetail], types: Mapping[str, FieldType], *, child: bool = False
) -> Field | None:
    """Compile a field, or report everything that's wrong with it."""
    if not isinstance(raw, dict):
        errors.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, raw)))
        return None
    before = len(errors)
    identifier = read_id(raw, where, errors)
    kind = _read_type(raw.get("type"), f"{where}.type", errors, types)
    if kind is None:
        return None
    path = () if child else _read_path(raw.get("path"), identifier, f"{where}.path", errors)
    known = {"id", "type", *(setting.name for setting in kind.all_settings())}
    known |= set() if child else {"path"}
    known |= {"default"} if kind.has_value else set()
    errors.extend(
        ErrorDetail(f"{where}.{name}", "unknown_setting", msg("isn't a setting of {type} fields", type=kind.name))
        for name in raw
        if name not in known
    )
    settings = {setting.name: _read_setting(setting, raw, where, errors) for setting in kind.all_settings()}
    if kind.cross_check and len(errors) == before:
        kind.cross_check(settings, where, errors)
    if len(errors) > before:
        return None
    value_type = kind.value_type(settings)
    default = _read_default(raw.get("default"), value_type, f"{where}.default", errors)
    if len(errors) > before:
        return None
    editable = raw.get("editable")
    return Field(
        id=identifier,
        type=kind,
        label=identifier if settings["label"] is None else settings["label"],
        help=settings["help"],
        path=path,
        required=settings.get("required", False),
        editable=editable if isinstance(editable, bool) else _editable_by_default(kind, settings),
        default=default,
        settings={setting.name: settings[setting.name] for setting in kind.settings},
        value_type=value_type,
        where=f"data.{join_path(path)}",
    )


def _editable_by_default(kind: FieldType, settings: Settings) -> bool:
    """Whether a collection is editable by default: if anything in it is."""
    children = settings.get("item") or settings.get("columns")
    return any(child.editable for child in children) if children else kind.editable


def read_id(raw: JsonObject, where: str, errors: list[ErrorDetail]) -> str:
    """Return the `id` member, or an empty string if it's missing or malformed."""
    identifier = raw.get("id")
    if identifier is None:
        errors.append(ErrorDetail(f"{where}.id", "missing_id", msg("is required")))
    elif not isinstance(identifier, str) or not _ID.fullmatch(identifier) or identifier in _RESERVED:
        errors.append(
            ErrorDetail(
                f"{where}.id",
                "bad_id",
                msg("must start with a letter and contain only letters, digits, `_`, and `-` (at most 64 characters)"),
            )
        )
    else:
        return identifier
    return ""


def _read_type(raw: Json, where: str, errors: list[ErrorDetail], types: Mapping[str, FieldType]) -> FieldType | None:
    kind = types.get(raw) if isinstance(raw, str) else None
    if kind is None:
        errors.append(ErrorDetail(where, "unknown_type", one_of(types)))
    return kind


def _read_path(raw: Json, identifier: str, where: str, errors: list[ErrorDetail]) -> tuple[str, ...]:
    if raw is None:
        return (identifier,)
    if not isinstance(raw, str):
        errors.append(ErrorDetail(where, "bad_path", must_be(STRING, raw)))
        return ()
    segments = split_path(raw)
    if (
        len(segments) > MAX_PATH_SEGMENTS
        or not all(0 < len(segment) <= MAX_SEGMENT for segment in segments)
        or not _RESERVED.isdisjoint(segments)
    ):
        errors.append(
            ErrorDetail(
                where,
                "bad_path",
                msg(
                    "must be 1 to {segments} property names separated by dots, each with 1 to {characters} characters; "
                    "write \\. for a dot in a name",
                    segments=MAX_PATH_SEGMENTS,
                    characters=MAX_SEGMENT,
                ),
            )
        )
        return ()
    return segments


def _read_setting(setting: Setting, raw: JsonObject, where: str, errors: list[ErrorDetail]) -> Any:
    given = raw.get(setting.name)
    if given is None:
        return setting.default
    value = setting.read(given, f"{where}.{setting.name}", errors)
    return setting.default if value is INVALID else value


def _read_default(raw: Json, value_type: ValueType, where: str, errors: list[ErrorDetail]) -> Json:
    if raw is None:
        return None
    value = value_type.read(raw, NO_CONFIG, where, errors)
    return None if value is INVALID else value_type.keep_shown(value)
