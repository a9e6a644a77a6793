"""Merge what a person submits into a suggestion, and return the validated result.

The design decisions behind the result's format:

- A submission is partial. An omitted property keeps the suggestion; null clears a shown field. A cleared text becomes
  empty, a cleared list becomes `[]`, anything else null.
- Only editable fields can change. Including a field that isn't editable, or a property that no field maps, is fine as
  long as its value is the one that was sent.
- Fields hidden by rules aren't validated, and are omitted from `responseValues` and `data`.
- Approving enforces the limits of every visible field that the reviewer could have corrected; rejecting only requires
  the right types. A trigger form has the same limits as an approval, and since it starts empty, its fields can be
  filled in whatever `editable` says.
- A value `wasEdited` if it differs as JSON from the suggestion: `"a "` from `"a"`, but not `1.0` from `1`.
- `responseValues` has an entry for every visible field with a value, for a cleared one if its type tracks edits, and
  for every visible choice: one without a selection is null, or `[]` for a multiple choice.
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from signoff.forms.arguments import build_approved_arguments
from signoff.forms.definition import Definition, PathTree
from signoff.forms.fields.choices import ChoiceValueType
from signoff.forms.fields.error_messages import OBJECT, must_be
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType, all_plain, check_value
from signoff.forms.fields.value_type import INVALID, NO_CONFIG, FieldConfig, ReadResult
from signoff.forms.paths import MISSING, PathValue, get_path, join_path, set_path
from signoff.forms.suggestion import InvalidValues, Suggestion
from signoff.platform.errors import MAX_REPORTED_ERRORS, ErrorDetail
from signoff.platform.json_values import Json, JsonObject, same_json
from signoff.platform.messages import msg

Response: TypeAlias = Literal["approved", "rejected"]


@dataclass(frozen=True, slots=True)
class SubmissionResult:
    data: JsonObject
    """The request's data with the reviewer's edits and choices. Shares unchanged parts with the original."""
    response_values: JsonObject
    changed: tuple[str, ...]
    """IDs of the visible fields whose value differs from the suggestion, in the order of the fields."""
    arguments: JsonObject
    """The approved values as they were sent: `approvedArguments`. Shares unchanged parts with the original."""

    @property
    def stored_arguments(self) -> "JsonObject | None":
        """Return the arguments, or None if they equal `data`: most reviews don't need to store them twice."""
        return None if same_json(self.arguments, self.data) else self.arguments


def response_values(definition: Definition, suggestion: Suggestion) -> JsonObject:
    """Return the `responseValues` of a review before anyone has edited it."""
    entries = _entries(definition, suggestion.values, frozenset())
    hidden = definition.rules.hidden(entries)
    return {name: entry for name, entry in entries.items() if name not in hidden} if hidden else entries


def response_errors(response: Response | None, *, trigger: bool) -> list[ErrorDetail]:
    """Check the response. Reviews are approved or rejected; trigger forms are only submitted."""
    if trigger and response is not None:
        return [
            ErrorDetail("response", "not_allowed", msg("must be left out: trigger forms can't be approved or rejected"))
        ]
    if not trigger and response is None:
        return [ErrorDetail("response", "missing", msg("is required: `approved` or `rejected`"))]
    return []


def apply_submission(
    definition: Definition,
    suggestion: Suggestion,
    original_data: JsonObject,
    submitted: Json,
    response: Response | None,
    *,
    enforce_limits: bool = True,
) -> SubmissionResult:
    """Merge a submission into a suggestion, or raise an error that lists everything that's wrong with it.

    `response` is None for a trigger form. Auto-approval passes `enforce_limits=False`: with nobody there to correct a
    value, enforcing limits would only turn monitoring into refusals.
    """
    errors: list[ErrorDetail] = []
    if submitted is None:
        submitted = {}
    if not isinstance(submitted, dict):
        raise InvalidValues([ErrorDetail("data", "wrong_type", must_be(OBJECT, submitted))])
    _check_unmapped(definition.paths, submitted, original_data, "data", errors)
    enforced = enforce_limits and response != "rejected"
    values: JsonObject = {}
    edited: set[str] = set()
    own_errors: dict[str, list[ErrorDetail]] = {}
    for field in definition.fields:
        given = get_path(submitted, field.path) if submitted else MISSING
        if field.id not in suggestion.values:
            if given is not MISSING and given is not None:
                errors.append(ErrorDetail(field.where, "field_not_shown", msg("isn't a field of this review")))
            continue
        field_errors: list[ErrorDetail] = []
        config = suggestion.configs.get(field.id, NO_CONFIG)
        before = suggestion.values[field.id]
        value = _read_submitted(field, given, before, config, original_data, field_errors)
        if value is not INVALID:
            fillable = (response is None or config.empty) and field.value_type.is_empty(before)
            correctable = field.editable or fillable
            if _differs(field, value, before):
                edited.add(field.id)
                _check_change(field, value, before, correctable, field_errors)
            values[field.id] = value
            if enforced and correctable:
                check_value(field, value, config, field.where, field_errors)
        if field_errors:
            own_errors[field.id] = field_errors
    entries = _entries(definition, values, edited)
    hidden = definition.rules.hidden(entries)
    for name, field_errors in own_errors.items():
        if name not in hidden:
            errors.extend(field_errors)
    if errors:
        raise InvalidValues(errors)
    visible = {name: entry for name, entry in entries.items() if name not in hidden} if hidden else entries
    changed = tuple(field.id for field in definition.fields if field.id in edited and field.id not in hidden)
    arguments = build_approved_arguments(definition, suggestion, original_data, values, changed, hidden)
    return SubmissionResult(_merge(definition, values, hidden, original_data), visible, changed, arguments)


def _read_submitted(
    field: Field,
    given: PathValue,
    before: Json,
    config: FieldConfig,
    original_data: JsonObject,
    errors: list[ErrorDetail],
) -> ReadResult:
    if given is MISSING:
        return before
    value_type = field.value_type
    if given is None:
        return value_type.cleared(before)
    if isinstance(value_type, ChoiceValueType):
        if isinstance(given, dict):
            # A client that sends the whole data back also returns the object with options: no choice was made.
            sent = get_path(original_data, field.path)
            if sent is not MISSING and same_json(given, sent):
                return before
    elif same_json(given, before):
        return before
    value = value_type.read(given, _without_base64(config), field.where, errors)
    return value_type.alike(value, before) if isinstance(value_type, ListValueType) and value is not INVALID else value


def _without_base64(config: FieldConfig) -> FieldConfig:
    """Refuse base64 content, which only requests may contain: reviewers upload files and submit their URLs."""
    if config is NO_CONFIG:
        return config
    items = {name: _without_base64(item) for name, item in config.items.items()}
    return replace(config, is_base64=False, items=items)


def _differs(field: Field, value: Json, before: Json) -> bool:
    if value is before or (isinstance(field.value_type, ChoiceValueType) and not value and not before):
        return False
    return not same_json(value, before)


def _check_change(field: Field, value: Json, before: Json, correctable: bool, errors: list[ErrorDetail]) -> None:
    if not correctable:
        errors.append(ErrorDetail(field.where, "not_editable", msg("is read-only")))
    elif isinstance(field.value_type, ListValueType):
        field.value_type.changes(value, before, field.where, errors)


def _check_unmapped(
    tree: PathTree, submitted: JsonObject, original: PathValue, where: str, errors: list[ErrorDetail]
) -> None:
    for name, value in submitted.items():
        node = tree.get(name)
        if isinstance(node, Field):
            continue
        place = f"{where}.{join_path((name[:100],))}"
        sent: PathValue = original.get(name, MISSING) if isinstance(original, dict) else MISSING
        if node is None:
            if sent is MISSING or not same_json(value, sent):
                errors.append(
                    ErrorDetail(place, "unmapped_property", msg("isn't mapped to a field, so it can't be changed"))
                )
        elif isinstance(value, dict):
            _check_unmapped(node, value, sent, place, errors)
        elif value is not None:
            errors.append(ErrorDetail(place, "wrong_type", must_be(OBJECT, value)))
        if len(errors) >= MAX_REPORTED_ERRORS:
            return


def _entries(definition: Definition, values: JsonObject, edited: "set[str] | frozenset[str]") -> JsonObject:
    entries: JsonObject = {}
    for field in definition.fields:
        if field.id not in values or not field.type.has_value:
            continue
        value = values[field.id]
        if isinstance(field.value_type, ChoiceValueType):
            entries[field.id] = {"value": value or field.value_type.unanswered}
        elif field.type.tracks_edits:
            was_edited = field.id in edited
            if value is not None or was_edited:
                entries[field.id] = {"value": value, "wasEdited": was_edited}
        elif value is not None:
            entries[field.id] = {"value": value}
    return entries


def _merge(definition: Definition, values: JsonObject, hidden: frozenset[str], original_data: JsonObject) -> JsonObject:
    data = dict(original_data)
    for field in definition.fields:
        if field.id not in values or not field.type.has_value:
            continue
        sent = get_path(original_data, field.path)
        if field.id in hidden:
            if sent is not MISSING:
                set_path(data, field.path, MISSING)
            continue
        value = values[field.id]
        if isinstance(field.value_type, ListValueType) and isinstance(value, list) and all_plain(sent):
            value = field.value_type.as_plain(value)
        if value is None:
            # Nothing is selected or entered. If the request already had an empty value, it's kept as it was.
            if sent is not MISSING and sent not in (None, "", []):
                set_path(data, field.path, None)
        elif sent is MISSING or not same_json(value, sent):
            set_path(data, field.path, value)
    return data
