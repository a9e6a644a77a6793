"""A review type's payloads as types, from which code in any language can be written.

There are three payloads: the `data` of a request, the `responseValues`, and the event. The types of received payloads
accept every event that the service can send, including those of reviews on another version or with options that the
request supplied. The types of sent payloads are as strict as the service and refuse properties that no field maps, so
that a misspelled one is found.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from signoff.forms.codegen.identifiers import comment
from signoff.forms.definition import Definition, PathTree
from signoff.forms.fields.choices import ChoiceValueType
from signoff.forms.fields.field import Field
from signoff.forms.fields.json_and_label import JsonValueType
from signoff.forms.fields.lists import ListValueType
from signoff.forms.fields.numbers import BooleanValueType, NumberValueType

MAX_LISTED_OPTIONS: Final = 50
"""A choice with more options is typed as a string: nobody reads a union of a thousand."""


@dataclass(frozen=True, slots=True)
class Plain:
    """`string`, `number`, `boolean`, `null`, or `anything`."""

    name: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these strings; with `others`, also any other string."""

    texts: tuple[str, ...]
    others: bool = False


@dataclass(frozen=True, slots=True)
class ArrayOf:
    items: "Type"


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with arbitrary property names."""

    values: "Type"


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    type: "Type"
    optional: bool = True
    words: str = ""
    """Text for a comment, safe to include in source code."""


@dataclass(frozen=True, slots=True)
class ObjectOf:
    members: tuple[Member, ...]
    name: str
    """The type's name in languages that need one, within the name of its parent."""
    more: bool = False
    """Whether it has other members too."""


@dataclass(frozen=True, slots=True)
class Either:
    parts: "tuple[Type, ...]"


Type: TypeAlias = Plain | OneOf | ArrayOf | MapOf | ObjectOf | Either

STRING: Final = Plain("string")
NUMBER: Final = Plain("number")
BOOLEAN: Final = Plain("boolean")
NULL: Final = Plain("null")
ANYTHING: Final = Plain("anything")


def either(*parts: Type) -> Type:
    """Return a union without duplicates; `anything` absorbs all alternatives."""
    flat: list[Type] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Either) else (part,))
    if ANYTHING in flat:
        return ANYTHING
    unique = tuple(dict.fromkeys(flat))
    return unique[0] if len(unique) == 1 else Either(unique)


def data_type(definition: Definition) -> ObjectOf:
    """Return the type of a request's `data`."""
    return ObjectOf(_members(definition.paths, _sent, more=False), "Data")


def result_data_type(definition: Definition) -> ObjectOf:
    """Return the type of `reviewResult.data`: as sent, with the reviewer's changes and choices."""
    return ObjectOf(_members(definition.paths, _decided_type, more=True), "ResultData", more=True)


def response_values_type(definition: Definition) -> ObjectOf:
    entries = tuple(
        Member(field.id, _entry(field), words=_field_comment(field))
        for field in definition.fields
        if field.type.has_value
    )
    return ObjectOf(entries, "ResponseValues", more=True)


def event_type(definition: Definition, *, trigger: bool) -> ObjectOf:
    """Return the type of the event `review.completed` or `trigger.submitted`."""
    needed = ("eventId", "accountId", "agentId", "sessionId", "createdAt", "reviewId", "formId", "formName", "svcLink")
    response = () if trigger else (Member("response", OneOf(("approved", "rejected")), optional=False),)
    result = ObjectOf(
        (
            *response,
            *(Member(name, STRING, optional=False) for name in ("respondingUser", "respondingUserId", "respondedAt")),
            Member("reason", STRING, words="Reason, if the reviewer gave one."),
            Member("data", result_data_type(definition), optional=False),
            Member("responseValues", response_values_type(definition), optional=False),
            Member("changed", ArrayOf(STRING), optional=False, words="IDs of the fields that changed."),
            *_approved_arguments(definition, always=trigger),
        ),
        "Result",
        more=True,
    )
    event = "trigger.submitted" if trigger else "review.completed"
    members = (
        Member("event", OneOf((event,)), optional=False),
        *(Member(name, STRING, optional=False) for name in needed),
        Member("deliveryId", either(STRING, NULL), optional=False),
        Member("reviewResult", result, optional=False),
        Member("config", MapOf(ANYTHING), words="Only present if the request included it."),
        Member("meta", MapOf(ANYTHING), words="Only present if the request included it."),
        Member("workflowRunId", STRING, words="Run ID, if the review belongs to a run."),
        Member("fileCache", MapOf(STRING), optional=False, words="Maps media URLs to stored copies."),
        Member("autoApproved", BOOLEAN, words="`true` if the review was auto-approved."),
        *(() if trigger else (Member("timedOut", BOOLEAN, words="`true` if the deadline decided the review."),)),
        Member("toolResult", ANYTHING, words="The tool webhook's response, if there is one."),
    )
    return ObjectOf(members, "Event", more=True)


def _approved_arguments(definition: Definition, *, always: bool) -> tuple[Member, ...]:
    """Return the type of approved values as they were sent, including properties that no field maps."""
    members = _members(definition.paths, _sent, more=True)
    words = "The approved values in the format you sent." + ("" if always else " Omitted if rejected.")
    arguments = ObjectOf(members, "ApprovedArguments", more=True)
    return (Member("approvedArguments", arguments, optional=not always, words=words),)


def _members(tree: PathTree, type_of: "Callable[[Field], Type]", *, more: bool) -> tuple[Member, ...]:
    members: list[Member] = []
    for name, node in tree.items():
        if isinstance(node, Field):
            members.append(Member(name, type_of(node), words=_field_comment(node)))
        else:
            members.append(Member(name, either(ObjectOf(_members(node, type_of, more=more), name, more), NULL)))
    return tuple(members)


def _field_comment(field: Field) -> str:
    label = "" if field.label == field.id else field.label
    return comment(label and label.rstrip(".") + ".", field.help)


def _scalar(field: Field) -> Type:
    value_type = field.value_type
    if isinstance(value_type, JsonValueType):
        return ANYTHING
    if isinstance(value_type, NumberValueType):
        return NUMBER
    return BOOLEAN if isinstance(value_type, BooleanValueType) else STRING


_OPTION: Final = (Member("id", STRING, optional=False), Member("label", STRING, optional=False))


def _sent(field: Field) -> Type:
    value_type = field.value_type
    if isinstance(value_type, ChoiceValueType):
        return either(_selectable_type(value_type), _offer(), NULL)
    if isinstance(value_type, ListValueType):
        return either(ArrayOf(_items(value_type, _sent_child)), NULL)
    return either(_scalar(field), NULL)


def _sent_child(field: Field) -> Type:
    return either(
        _selectable_type(field.value_type) if isinstance(field.value_type, ChoiceValueType) else _scalar(field), NULL
    )


def _selectable_type(value_type: ChoiceValueType) -> Type:
    """Return what a request may select: an option's ID, or for a multiple choice also IDs and entries."""
    listed = _is_listed(value_type)
    one: Type = OneOf((*(value_type.options or ()), "")) if listed else STRING
    if not value_type.multiple:
        return one
    each: Type = OneOf(tuple(value_type.options or ())) if listed else STRING
    entry = ObjectOf((Member("id", each, optional=False), Member("label", STRING)), "Choice", more=True)
    return either(one, ArrayOf(either(each, entry)))


def _is_listed(value_type: ChoiceValueType) -> bool:
    return value_type.options is not None and len(value_type.options) <= MAX_LISTED_OPTIONS


def _offer() -> ObjectOf:
    default = either(STRING, ArrayOf(either(STRING, ObjectOf(_OPTION[:1], "Preselected", more=True))), NULL)
    options = either(ArrayOf(ObjectOf(_OPTION, "Option")), NULL)
    return ObjectOf((Member("options", options), Member("default", default)), "Offer")


def _items(value_type: ListValueType, type_of: "Callable[[Field], Type]") -> Type:
    """Return the type of items: objects by child ID, or in a list also the plain value of the child that can
    represent the item.
    """
    members = tuple(Member(child.id, type_of(child), words=_field_comment(child)) for child in value_type.children)
    item = ObjectOf(members, "Item", more=True)
    if value_type.plain_child is None:
        return item
    plain = type_of(value_type.plain_child)
    parts = plain.parts if isinstance(plain, Either) else (plain,)
    return either(item, *(part for part in parts if part is not NULL))


def _decided_type(field: Field) -> Type:
    value_type = field.value_type
    if isinstance(value_type, ChoiceValueType):
        # Without any options the field isn't shown, and what was sent remains.
        unshown = () if value_type.options is not None else (_offer(),)
        return either(_decision(value_type), *((OneOf(("",)),) if value_type.multiple else ()), *unshown, NULL)
    if isinstance(value_type, ListValueType):
        return either(ArrayOf(_items(value_type, _decided_child_type)), NULL)
    return either(_scalar(field), NULL)


def _decided_child_type(field: Field) -> Type:
    if not isinstance(field.value_type, ChoiceValueType):
        return either(_scalar(field), NULL)
    return either(_decision(field.value_type), *((OneOf(("",)),) if field.value_type.multiple else ()), NULL)


def _decision(value_type: ChoiceValueType) -> Type:
    """Return the type of a selected value. A request may have supplied options that the review type doesn't have."""
    if value_type.multiple:
        known: Type = OneOf(tuple(value_type.options or ()), others=True) if _is_listed(value_type) else STRING
        return ArrayOf(ObjectOf((Member("id", known, optional=False), _OPTION[1]), "Choice", more=True))
    return OneOf(tuple(value_type.options or ()), others=True) if _is_listed(value_type) else STRING


def _entry(field: Field) -> ObjectOf:
    """Return the type of an entry. Cleared numbers and JSON are null, cleared texts are empty, a missing choice is
    null or `[]`.
    """
    value_type = field.value_type
    if isinstance(value_type, ChoiceValueType):
        value = _decision(value_type) if value_type.multiple else either(_decision(value_type), NULL)
    elif isinstance(value_type, ListValueType):
        value = ArrayOf(_items(value_type, _decided_child_type))
    else:
        value = either(NUMBER, NULL) if isinstance(value_type, NumberValueType) else _scalar(field)
    edited = (Member("wasEdited", BOOLEAN, optional=False),) if field.type.tracks_edits else ()
    return ObjectOf((Member("value", value, optional=False), *edited), field.id, more=True)
