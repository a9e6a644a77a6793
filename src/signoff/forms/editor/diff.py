"""What differs between two versions of a review type, and whom it breaks.

A change is *breaking* when an agent that sends as before is refused or not shown, or a receiver that reads as before
finds something else or nothing. Everything else is *compatible*: a consumer may want to know, and needs to do nothing.
Types that hold the same kind of value (`text` and `longText`, `buttons` and `dropdown`) can stand for each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from signoff.forms.definition import Definition
from signoff.forms.fields.choices import ChoiceShape
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import RepeatedShape
from signoff.forms.paths import join_path
from signoff.platform.json_values import Json, same_json

_SAME_KIND: Final = {
    **dict.fromkeys(("text", "longText", "markdown", "richText", "code", "email"), "text"),
    **dict.fromkeys(("number", "rating"), "number"),
    **dict.fromkeys(("buttons", "checkboxes", "dropdown"), "choice"),
    **dict.fromkeys(("image", "video", "audio", "file"), "media"),
}
"""Types whose values are alike, by a name for them. Base64, which only an image takes, is told apart below."""


@dataclass(frozen=True, slots=True)
class Difference:
    kind: str
    field_id: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Differences:
    breaking: list[Difference] = field(default_factory=list[Difference])
    compatible: list[Difference] = field(default_factory=list[Difference])

    def breaks(self, kind: str, field_id: str | None, message: str) -> None:
        self.breaking.append(Difference(kind, field_id, message))

    def keeps(self, kind: str, field_id: str | None, message: str) -> None:
        self.compatible.append(Difference(kind, field_id, message))


def compare_definitions(before: Definition, after: Definition) -> Differences:
    """What became of the fields, their places and the rules."""
    found = Differences()
    renamed = dict(_renamings(before, after))
    for was in before.fields:
        now = after.by_id.get(was.id)
        if now is not None:
            _compare_fields(was, now, found)
        elif was.id in renamed:
            to = after.by_id[renamed[was.id]]
            _compare_renamed(was, to, found)
        else:
            found.breaks("fieldRemoved", was.id, f"{_name(was)} is no more: what agents send for it is not shown")
    for now in after.fields:
        if now.id not in before.by_id and now.id not in renamed.values():
            found.keeps("fieldAdded", now.id, f"{_name(now)} is new; it shows once requests send {_path(now)!r}")
    _compare_unmapped(before, after, found)
    if before.title_field != after.title_field:
        found.keeps("titleFieldChanged", after.title_field, "another field titles the reviews")
    if not same_json(before.layout.to_json(), after.layout.to_json()) or before.width != after.width:
        found.keeps("layoutChanged", None, "fields stand elsewhere on the page")
    if not same_json(before.rules.to_json(), after.rules.to_json()):
        found.keeps("rulesChanged", None, "rules changed: fields may be shown, and be in the response, in other cases")
    return found


def _compare_unmapped(before: Definition, after: Definition, found: Differences) -> None:
    if before.unmapped == after.unmapped:
        return
    if after.unmapped == "reject":
        found.breaks("unmappedRejected", None, "requests with values that no field shows are rejected")
    else:
        shows = "see" if after.unmapped == "show" else "don't see"
        found.keeps("unmappedChanged", None, f"reviewers {shows} values that have no field")


def _renamings(before: Definition, after: Definition) -> Iterator[tuple[str, str]]:
    """Fields that went and fields that came, paired: by the property they map, else by type and label."""
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


def _compare_renamed(was: Field, now: Field, found: Differences) -> None:
    message = f"{_name(was)} is now called {now.id!r}: receivers find it under that name in responseValues"
    found.breaks("fieldRenamed", was.id, message)
    _compare_fields(was, now, found)


def _compare_fields(was: Field, now: Field, found: Differences) -> None:
    if was.path != now.path:
        message = f"{_name(now)} is read from {_path(now)!r} instead of {_path(was)!r}: agents have to send it there"
        found.breaks("pathChanged", now.id, message)
    _compare_types(was, now, now.id, "", found)
    if now.required and not was.required:
        found.breaks("becameRequired", now.id, f"{_name(now)} cannot be approved while it is empty")
    if was.required and not now.required:
        found.keeps("becameOptional", now.id, f"{_name(now)} may be approved while it is empty")
    if was.editable != now.editable:
        can = "can" if now.editable else "cannot"
        found.keeps("editableChanged", now.id, f"reviewers {can} change {_name(now)}")
    if not same_json(was.default, now.default):
        found.keeps("defaultChanged", now.id, f"{_name(now)} shows another default where a request sends nothing")
    if (was.label, was.help) != (now.label, now.help):
        found.keeps("labelChanged", now.id, f"{_name(now)} is labelled or explained otherwise")


def _compare_types(was: Field, now: Field, field_id: str, within: str, found: Differences) -> None:
    """`within` names the list or table for a child field."""
    name = f"{_name(now)}{within}"
    if _kind(was) != _kind(now):
        message = f"{name} is {_spelt(now)}, no longer {_spelt(was)}: other values are sent and come back"
        found.breaks("typeChanged", field_id, message)
        return
    if was.type is not now.type:
        message = f"{name} is {_spelt(now)}, no longer {_spelt(was)}; its values are alike"
        found.keeps("typeChanged", field_id, message)
    if isinstance(was.shape, ChoiceShape) and isinstance(now.shape, ChoiceShape):
        _compare_options(was.shape, now.shape, field_id, name, found)
    if isinstance(was.shape, RepeatedShape) and isinstance(now.shape, RepeatedShape):
        _compare_children(was.shape, now.shape, field_id, f" of {_name(now)}", found)
    if was.type is now.type and not same_json(_limits(was), _limits(now)):
        found.keeps("settingsChanged", field_id, f"{name} has other limits or is shown otherwise")


def _compare_options(was: ChoiceShape, now: ChoiceShape, field_id: str, name: str, found: Differences) -> None:
    if was.options is None:
        if now.options is not None:
            found.keeps("optionsAdded", field_id, f"{name} has options of its own; requests may still bring theirs")
        return
    if now.options is None:
        message = f"{name} has no options of its own any more: every request has to bring them"
        found.breaks("optionRemoved", field_id, message)
        return
    for option, label in was.options.items():
        if option not in now.options:
            message = f"{name} has no option {option!r} any more: requests that choose it are refused"
            found.breaks("optionRemoved", field_id, message)
        elif now.options[option] != label:
            found.keeps("optionRelabelled", field_id, f"the option {option!r} of {name} is labelled otherwise")
    for option in now.options:
        if option not in was.options:
            found.keeps("optionAdded", field_id, f"{name} has a new option {option!r}")


def _compare_children(was: RepeatedShape, now: RepeatedShape, field_id: str, within: str, found: Differences) -> None:
    before, after = {each.id: each for each in was.children}, {each.id: each for each in now.children}
    if was.plain_items and len(before) == 1 < len(after):
        message = f"an item{within} has several fields: requests with plain values in place of objects are refused"
        found.breaks("typeChanged", field_id, message)
    for name, child in before.items():
        if name not in after:
            found.breaks("fieldRemoved", field_id, f"{_name(child)}{within} is no more")
            continue
        _compare_types(child, after[name], field_id, within, found)
        if after[name].required and not child.required:
            message = f"{_name(child)}{within} must not be empty when a review is approved"
            found.breaks("becameRequired", field_id, message)
    for name, child in after.items():
        if name not in before:
            found.keeps("fieldAdded", field_id, f"{_name(child)}{within} is new")


def _kind(field: Field) -> tuple[object, ...]:
    """What its values are like: two fields of the same kind take and give the same."""
    kind = _SAME_KIND.get(field.type.name, field.type.name)
    if isinstance(field.shape, ChoiceShape):
        return kind, field.shape.multiple
    return (kind, field.type.name == "image") if kind == "media" else (kind,)


def _limits(field: Field) -> Json:
    """Its own settings without those that are compared one by one."""
    written = field.to_json()
    apart = {"id", "type", "label", "help", "path", "required", "editable", "default", "options", "item", "columns"}
    return {name: value for name, value in written.items() if name not in apart}


def _name(field: Field) -> str:
    return repr(field.id) if field.label == field.id else f"{field.label!r} ({field.id})"


def _path(field: Field) -> str:
    return join_path(field.path)


def _spelt(field: Field) -> str:
    several = isinstance(field.shape, ChoiceShape) and field.shape.multiple and field.type.name != "checkboxes"
    return f"{field.type.name} with several choices" if several else field.type.name
