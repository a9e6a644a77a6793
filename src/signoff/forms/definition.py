"""Compile a review type: its JSON is checked once, then used by every request without further checks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from signoff.forms.fields import FIELD_TYPES, Field, FieldType, read_field
from signoff.forms.fields.error_messages import must_be, one_of, used_by_field
from signoff.forms.fields.lists import ListValueType
from signoff.forms.layout import Layout, parse_layout
from signoff.forms.paths import join_path, split_path
from signoff.forms.rules import Rules, parse_rules
from signoff.forms.translations import UNTRANSLATED, Translation, Translations, parse_translations
from signoff.platform.errors import ErrorDetail, ValidationFailed
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import msg

MAX_FIELDS: Final = 200
WIDTHS: Final = ("narrow", "medium", "wide", "full")
Unmapped: TypeAlias = Literal["show", "hide", "reject"]
UNMAPPED: Final[tuple[Unmapped, ...]] = ("show", "hide", "reject")
MEMBERS: Final = ("titleField", "width", "unmapped", "fields", "layout", "rules", "translations")
"""The members of a review type that are compiled here; `compile_definition` ignores all others."""

PathTree: TypeAlias = "dict[str, Field | PathTree]"
"""The properties of `data` that fields map, with a field at the end of each path."""


class InvalidDefinition(ValidationFailed):
    """The review type isn't valid."""


@dataclass(frozen=True, slots=True)
class Definition:
    fields: tuple[Field, ...]
    layout: Layout
    rules: Rules
    title_field: str | None
    width: str
    unmapped: Unmapped
    """What happens to values that no field shows."""
    translations: Translations
    by_id: Mapping[str, Field] = field(compare=False, repr=False)
    paths: PathTree = field(compare=False, repr=False)
    branches: tuple[tuple[str, ...], ...] = field(compare=False, repr=False)
    """The paths of all objects that contain fields, below `data` itself."""
    copied: tuple[Field, ...] = field(compare=False, repr=False)
    """The fields that can contain images or videos. Most review types have none, so their requests aren't searched."""

    def translation(self, language: str) -> Translation:
        """Only what is translated: for everything else, the original is shown."""
        return self.translations.get(language, UNTRANSLATED)

    def to_json(self) -> JsonObject:
        """Return the normal form: compiling it again gives an equal definition."""
        written: JsonObject = {
            "titleField": self.title_field,
            "width": self.width,
            "unmapped": self.unmapped,
            "fields": [each.to_json() for each in self.fields],
            "rules": self.rules.to_json(),
        }
        if self.layout.nodes:
            written["layout"] = self.layout.to_json()
        if self.translations:
            written["translations"] = {language: each.to_json() for language, each in self.translations.items()}
        return written


def compile_definition(raw: Mapping[str, Json]) -> Definition:
    """Compile the members named in MEMBERS, or raise an error that lists everything that's wrong."""
    errors: list[ErrorDetail] = []
    fields = _read_fields(raw.get("fields"), errors)
    # References to a field are checked against the declared fields, not the compiled ones: a field with an error of its
    # own still exists, and references to it can still have the wrong position or type.
    declared = list(_declarations(raw.get("fields")))
    _check_ids(declared, errors)
    _check_paths(declared, errors)
    has_value = {each.id: each.type is None or each.type.has_value for each in declared}
    layout = parse_layout(raw.get("layout"), has_value, "layout", errors)
    rules = parse_rules(raw.get("rules"), has_value, layout, "rules", errors)
    title_field = _read_title_field(raw.get("titleField"), declared, errors)
    width = _read_width(raw.get("width"), errors)
    unmapped = _read_unmapped(raw.get("unmapped"), errors)
    translations = parse_translations(raw.get("translations"), fields, has_value, layout.groups, errors)
    if errors:
        raise InvalidDefinition(errors)
    by_id = {each.id: each for each in fields}
    branches = {each.path[:depth]: None for each in fields for depth in range(1, len(each.path))}
    copied = tuple(each for each in fields if _is_copied(each))
    return Definition(
        fields,
        layout,
        rules,
        title_field,
        width,
        unmapped,
        translations,
        by_id,
        _path_tree(fields),
        tuple(branches),
        copied,
    )


def _is_copied(field: Field) -> bool:
    children = field.value_type.children if isinstance(field.value_type, ListValueType) else (field,)
    return any(child.type.copied for child in children)


def _read_fields(raw: Json, errors: list[ErrorDetail]) -> tuple[Field, ...]:
    if not isinstance(raw, list):
        errors.append(ErrorDetail("fields", "wrong_type", must_be(msg("an array of fields"), raw)))
        return ()
    if not 0 < len(raw) <= MAX_FIELDS:
        errors.append(
            ErrorDetail("fields", "out_of_range", msg("must have {least} to {most} fields", least=1, most=MAX_FIELDS))
        )
        return ()
    read = (read_field(each, f"fields[{index}]", errors, FIELD_TYPES) for index, each in enumerate(raw))
    return tuple(each for each in read if each is not None)


@dataclass(frozen=True, slots=True)
class _Declaration:
    """What a field declares about itself, as far as it can be read."""

    position: int
    id: str
    type: FieldType | None
    path: tuple[str, ...]


def _declarations(raw: Json) -> Iterator[_Declaration]:
    for index, each in enumerate(raw[:MAX_FIELDS] if isinstance(raw, list) else []):
        if not isinstance(each, dict):
            continue
        identifier, kind, path = each.get("id"), each.get("type"), each.get("path")
        if isinstance(identifier, str):
            place = path if isinstance(path, str) else identifier
            known = FIELD_TYPES.get(kind) if isinstance(kind, str) else None
            yield _Declaration(index, identifier, known, split_path(place))


def _check_ids(declared: list[_Declaration], errors: list[ErrorDetail]) -> None:
    seen: set[str] = set()
    for each in declared:
        if each.id in seen:
            errors.append(ErrorDetail(f"fields[{each.position}].id", "duplicate_id", used_by_field(each.id)))
        seen.add(each.id)


def _check_paths(declared: list[_Declaration], errors: list[ErrorDetail]) -> None:
    """Report conflicting paths: two fields that map the same property, or one that maps into the other's."""
    first: dict[tuple[str, ...], _Declaration] = {}
    for each in declared:
        for earlier in first.values():
            shared = min(len(each.path), len(earlier.path))
            if each.id != earlier.id and each.path[:shared] == earlier.path[:shared]:
                message = msg(
                    "'{path}' conflicts with the path of field '{field}'", path=join_path(each.path), field=earlier.id
                )
                errors.append(ErrorDetail(f"fields[{each.position}].path", "path_clash", message))
                break
        first.setdefault(each.path, each)


def _path_tree(fields: tuple[Field, ...]) -> PathTree:
    tree: PathTree = {}
    for each in fields:
        node = tree
        for segment in each.path[:-1]:
            below = node.setdefault(segment, {})
            if not isinstance(below, Field):
                node = below
        node[each.path[-1]] = each
    return tree


def _read_title_field(raw: Json, declared: list[_Declaration], errors: list[ErrorDetail]) -> str | None:
    if raw is None:
        return None
    named = next((each for each in declared if each.id == raw), None)
    if named is None:
        errors.append(ErrorDetail("titleField", "unknown_field", msg("must be the ID of a field")))
        return None
    if named.type is not None and not named.type.titles:
        errors.append(
            ErrorDetail("titleField", "not_a_text_field", msg("'{field}' must be a text field", field=named.id))
        )
    return named.id


def _read_width(raw: Json, errors: list[ErrorDetail]) -> str:
    if raw is None:
        return "medium"
    if isinstance(raw, str) and raw in WIDTHS:
        return raw
    errors.append(ErrorDetail("width", "unknown_width", one_of(WIDTHS)))
    return ""


def _read_unmapped(raw: Json, errors: list[ErrorDetail]) -> Unmapped:
    if raw is None:
        return "show"
    for known in UNMAPPED:
        if raw == known:
            return known
    errors.append(ErrorDetail("unmapped", "unknown_unmapped", one_of(UNMAPPED)))
    return "show"
