"""Generate a review type from the JSON that an agent would send.

Every property becomes a field if possible: a request with the same sample is accepted and shows every value that a
field maps. The notes list what can't be mapped.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from signoff.forms.definition import MAX_FIELDS, InvalidDefinition, compile_definition
from signoff.forms.editor.schemas import SampledForm
from signoff.forms.fields.choices import read_options
from signoff.forms.fields.field import MAX_PATH_SEGMENTS
from signoff.forms.fields.lists import MAX_CHILDREN, MAX_ITEMS
from signoff.forms.inference.field_types import InferredField, infer_common_field, infer_field
from signoff.forms.inference.property_names import build_label, is_id, is_property, new_id, split_words
from signoff.forms.layout import MAX_GROUP_LABEL, MAX_NODES
from signoff.forms.paths import join_path, split_path
from signoff.forms.suggestion import InvalidValues, read_suggestion
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.json_values import MAX_DEPTH, Json, JsonObject, exceeds_depth, too_deep
from signoff.platform.messages import Message, msg, msgs

MAX_SAMPLE_DEPTH: Final = 200
MAX_NOTES: Final = 100
MAX_COLUMNS: Final = 8
_SHORT: Final = frozenset({"text", "number", "rating", "boolean", "date", "datetime", "email", "link"})
_TITLES: Final = ("title", "headline", "subject", "name", "heading", "question", "topic", "summary")


@dataclass(slots=True)
class _Plan:
    sample: JsonObject
    fields: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    notes: list[str] = field(default_factory=list[str])
    taken: set[str] = field(default_factory=set[str])
    left_out: int = 0


def infer_form(sample: JsonObject, name: str | None) -> SampledForm:
    """Return a definition for `POST /forms` in normal form, with notes."""
    if exceeds_depth(sample, MAX_SAMPLE_DEPTH):
        raise InvalidRequest([ErrorDetail("sample", "too_deep", too_deep(MAX_SAMPLE_DEPTH))])
    plan = _Plan(sample)
    layout = _read_object(plan, sample, ())
    if plan.left_out:
        plan.notes.append(
            msgs(
                "{count} property was skipped: a review type can have at most {limit} fields.",
                "{count} properties were skipped: a review type can have at most {limit} fields.",
                count=plan.left_out,
                limit=MAX_FIELDS,
            )
        )
    if not plan.fields:
        plan.fields.append({"id": "text", "type": "longText", "label": "Text"})
        plan.notes.append(msg("The sample has no usable properties. We added one empty field to get you started."))
        layout = []
    form: dict[str, Any] = {
        "name": name or "New review type",
        "titleField": _title_field(plan.fields),
        "width": "wide" if any(each["type"] == "table" for each in plan.fields) else "medium",
        "fields": plan.fields,
        "rules": [],
    }
    if any(node["kind"] == "group" for node in layout):
        form["layout"] = layout if _count(layout) <= MAX_NODES else _flatten(layout)
    form = {**form, "layout": None, **compile_definition(form).to_json()}
    return SampledForm(form=form, notes=plan.notes[:MAX_NOTES])


def _read_object(plan: _Plan, value: JsonObject, path: tuple[str, ...]) -> list[dict[str, Any]]:
    """Create fields for the properties of an object; returns their layout."""
    layout: list[dict[str, Any]] = []
    for name, child_value in value.items():
        place = (*path, name)
        if not is_property(name):
            _add_note(plan, msg("{path} was skipped: this property name isn't supported.", path=_shorten_path(place)))
        elif isinstance(child_value, dict) and _is_group(child_value, len(place)):
            group_id = new_id(place, plan.taken)
            plan.taken.add(group_id)
            children = _read_object(plan, child_value, place)
            if children:
                label = build_label(name)[:MAX_GROUP_LABEL]
                layout.append({"kind": "group", "id": group_id, "label": label, "children": children})
            else:
                plan.taken.discard(group_id)
        elif len(plan.fields) >= MAX_FIELDS:
            plan.left_out += 1
        else:
            made = _read_property(plan, child_value, place)
            if made is not None:
                plan.fields.append(made)
                plan.taken.add(made["id"])
                layout.append({"kind": "field", "field": made["id"]})
    return layout


def _is_group(value: JsonObject, depth: int) -> bool:
    """Whether its properties become separate fields. A choice, an empty object, or one nested too deeply stays a
    single field.
    """
    if _as_choice(value) is not None or depth >= MAX_PATH_SEGMENTS:
        return False
    return any(is_property(name) for name in value)


def _read_property(plan: _Plan, value: Json, path: tuple[str, ...]) -> dict[str, Any] | None:
    """Create the field for one property: the most suitable of the types that accept its value."""
    kinds = (_infer_value(plan, path, value), InferredField("json"))
    for kind in kinds:
        made: dict[str, Any] = {
            "id": new_id(path, plan.taken),
            "type": kind.type,
            "label": build_label(path[-1]),
            **kind.settings,
        }
        if path != (made["id"],):
            made["path"] = join_path(path)
        if split_words(path[-1])[-1:] in (["id"], ["uuid"]):
            made["editable"] = False
        if _accepts(made, plan.sample):
            if kind.type == "json" and isinstance(value, dict | list) and value:
                _add_note(
                    plan,
                    msg(
                        "{path} is shown as JSON because it's deeply nested or contains different types of values.",
                        path=_shorten_path(path),
                    ),
                )
            return made
    _add_note(
        plan,
        msgs(
            "{path} was skipped: it's nested more than {count} level deep.",
            "{path} was skipped: it's nested more than {count} levels deep.",
            path=_shorten_path(path),
            count=MAX_DEPTH,
        ),
    )
    return None


def _accepts(made: dict[str, Any], sample: JsonObject) -> bool:
    """Whether the field compiles and shows the sample's value. No field shows null."""
    try:
        read_suggestion(compile_definition({"fields": [made]}), sample)
    except (InvalidDefinition, InvalidValues):
        return False
    return True


def _infer_value(plan: _Plan, path: tuple[str, ...], value: Json) -> InferredField:
    name = path[-1]
    if isinstance(value, dict):
        return _as_choice(value) or InferredField("json")
    if isinstance(value, list):
        return _infer_array(plan, path, value)
    kind = infer_field(name, value) or InferredField("json")
    if value is None:
        _add_note(
            plan, msg("{path} is null in the sample, so we assumed {type}.", path=_shorten_path(path), type=kind.type)
        )
    elif isinstance(value, str) and value.startswith("data:image/"):
        _add_note(
            plan,
            msg(
                "{path} contains a base64 image: use an image field and set `isBase64` in requests.",
                path=_shorten_path(path),
            ),
        )
    return kind


def _as_choice(value: JsonObject) -> InferredField | None:
    """Read `{options, default}`, the format of a selectable field."""
    if "options" not in value or not value.keys() <= {"options", "default"} or not isinstance(value["options"], list):
        return None
    errors: list[ErrorDetail] = []
    options = read_options(value["options"], "options", errors)
    if options is None:
        return None
    settings: dict[str, Any] = {"options": value["options"]} if options else {}
    if isinstance(value.get("default"), list):
        return InferredField("checkboxes", settings)
    return InferredField("dropdown", settings)


def _infer_array(plan: _Plan, path: tuple[str, ...], value: list[Json]) -> InferredField:
    name = path[-1]
    if len(value) > MAX_ITEMS:
        return InferredField("json")
    if not value:
        _add_note(
            plan, msg("{path} is empty in the sample, so we assumed a list of text values.", path=_shorten_path(path))
        )
        return _list_of("text", name, {})
    rows = [item for item in value if isinstance(item, dict)]
    if len(rows) == len(value):
        return _infer_table(plan, path, rows)
    kinds = [infer_field(name, item) if item is not None else None for item in value]
    known = [kind for kind in kinds if kind is not None]
    common = infer_common_field(known) if len(known) == len(kinds) else None
    return InferredField("json") if common is None else _list_of(common.type, name, common.settings)


def _list_of(kind: str, name: str, settings: dict[str, Any]) -> InferredField:
    return InferredField(
        "list", {"item": [{"id": "item", "type": kind, "label": _singular(build_label(name)), **settings}]}
    )


def _singular(label: str) -> str:
    if label.endswith("ies") and len(label) > 4:
        return f"{label[:-3]}y"
    return label[:-1] if label.endswith("s") and not label.endswith("ss") and len(label) > 2 else label


def _infer_table(plan: _Plan, path: tuple[str, ...], rows: list[JsonObject]) -> InferredField:
    """Return a table if the rows are short, or a list if they contain long texts or media."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    usable = [name for name in names if is_id(name)][:MAX_CHILDREN]
    if not usable:
        return InferredField("json")
    if len(usable) < len(names):
        _add_note(
            plan,
            msgs(
                "{path} has {count} property that can't be a column; it's kept but not shown.",
                "{path} has {count} properties that can't be columns; they're kept but not shown.",
                path=_shorten_path(path),
                count=len(names) - len(usable),
            ),
        )
    children = [_child(name, [row[name] for row in rows if row.get(name) is not None]) for name in usable]
    short = all(child["type"] in _SHORT for child in children)
    if len(children) > 1 and short and len(children) <= MAX_COLUMNS:
        return InferredField("table", {"columns": children})
    return InferredField("list", {"item": children})


def _child(name: str, values: list[Json]) -> dict[str, Any]:
    kinds = [infer_field(name, value) for value in values]
    known = [kind for kind in kinds if kind is not None]
    common = infer_common_field(known) if known and len(known) == len(kinds) else None
    kind = common or InferredField("text" if not values else "json")
    return {"id": name, "type": kind.type, "label": build_label(name), **kind.settings}


def _title_field(fields: list[dict[str, Any]]) -> str | None:
    """Return the text named like a title, otherwise any one-line text."""
    lines = [each for each in fields if each["type"] == "text"]
    able = [*lines, *(each for each in fields if each["type"] in ("longText", "markdown"))]
    for word in _TITLES:
        for each in able:
            if word in split_words(split_path(each.get("path", each["id"]))[-1]):
                return each["id"]
    others = [*able, *(each for each in fields if each["type"] in ("email", "link"))]
    return others[0]["id"] if others else None


def _count(layout: list[dict[str, Any]]) -> int:
    return sum(1 + _count(node.get("children", [])) for node in layout)


def _flatten(layout: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return only the outermost groups: the layout's depth is limited, and deeply nested objects would exceed it."""
    return [node if node["kind"] == "field" else {**node, "children": _leaves(node["children"])} for node in layout]


def _leaves(layout: list[dict[str, Any]]) -> list[dict[str, Any]]:
    leaves: list[dict[str, Any]] = []
    for node in layout:
        leaves += [node] if node["kind"] == "field" else _leaves(node["children"])
    return leaves


def _add_note(plan: _Plan, note: Message) -> None:
    if len(plan.notes) < MAX_NOTES:
        plan.notes.append(note)


def _shorten_path(path: tuple[str, ...]) -> str:
    joined = join_path(path)
    return joined if len(joined) <= 120 else f"{joined[:119]}…"
