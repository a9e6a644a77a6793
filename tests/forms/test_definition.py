import json
from typing import Any

import pytest
from form_strategies import any_json, forms_with_data, spoiled
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.definition import MAX_FIELDS, InvalidDefinition, compile_definition
from signoff.forms.fields import FIELD_TYPES, FieldType, field_types_json
from signoff.forms.fields.value_type import NO_CONFIG, InvalidValue
from signoff.forms.layout import MAX_LAYOUT_DEPTH
from signoff.platform.errors import ErrorDetail

NAMED = (
    "text longText markdown richText number rating boolean date datetime email link json code buttons checkboxes "
    "dropdown image video audio file list label table"
)

EXAMPLE: dict[str, Any] = {
    "name": "Review AI draft",
    "titleField": "headline",
    "width": "medium",
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "path": "draft.headline", "required": True},
        {"id": "body", "type": "longText", "label": "Body"},
        {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
        {"id": "channel", "type": "dropdown", "options": [{"id": "blog", "label": "Blog"}]},
        {"id": "tags", "type": "checkboxes", "options": [{"id": "a", "label": "A"}]},
        {"id": "photos", "type": "list", "item": [{"id": "photo", "type": "image"}]},
    ],
    "layout": [
        {"kind": "field", "field": "headline"},
        {"kind": "columns", "columns": [[{"kind": "field", "field": "body"}], [{"kind": "field", "field": "score"}]]},
        {
            "kind": "group",
            "id": "publishing",
            "label": "Publishing",
            "children": [{"kind": "field", "field": "channel"}, {"kind": "field", "field": "tags"}],
        },
        {"kind": "grid", "columns": 3, "children": [{"kind": "field", "field": "photos"}]},
    ],
    "rules": [
        {
            "target": "publishing",
            "effect": "show",
            "when": {"all": [{"field": "score.value", "operation": ">=", "value": 5}]},
        }
    ],
}


def errors_of(raw: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidDefinition) as caught:
        compile_definition(raw)
    return [(error.path, error.code) for error in caught.value.errors]


def field_errors(**field: Any) -> list[tuple[str, str]]:
    return errors_of({"fields": [{"id": "f", **field}]})


def nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def exceed(kind: FieldType, limit: str, by: int) -> Any:
    """A value that exceeds the limit of its type by this much, or just meets it."""
    bound: Any = kind.limits[limit]
    match limit:
        case "maxLength":
            prefix = {"email": "a@b.", "text": ""}.get(kind.name, "https://")
            return prefix + "c" * (bound + by - len(prefix))
        case "maxItems":
            item: Any = {} if kind.value == "items" else "a"
            return [item] * (bound + by)
        case "maxDepth":
            # The outermost array or object doesn't count.
            return nest(bound + by + 1) if kind.value == "json" else [{"c": nest(bound + by - 1)}]
        case "minimum":
            return bound - by
        case "multipleOf":
            return bound + by / 2
        case "pattern":
            return "ftp://a" if by else "https://a"
    raise AssertionError(limit)


class TestCatalog:
    def test_has_every_type_in_order(self) -> None:
        assert list(FIELD_TYPES) == NAMED.split()

    def test_is_json(self) -> None:
        catalog = field_types_json()
        assert json.loads(json.dumps(catalog)) == catalog
        assert list(catalog) == NAMED.split()

    @pytest.mark.parametrize(
        ("kind", "limit"),
        [(kind, limit) for kind in FIELD_TYPES.values() for limit in kind.limits],
        ids=lambda each: each if isinstance(each, str) else each.name,
    )
    def test_limits_are_the_ones_that_are_enforced(self, kind: FieldType, limit: str) -> None:
        child = {"id": "c", "type": "json"}
        settings = {"options": [{"id": "a", "label": "A"}], "multiple": True, "item": [child], "columns": [child]}
        own = {name: value for name, value in settings.items() if name in {each.name for each in kind.settings}}
        [field] = compile_definition({"fields": [{"id": "f", "type": kind.name, **own}]}).fields
        for by in (0, 1):
            errors: list[ErrorDetail] = []
            value = field.value_type.read(exceed(kind, limit, by), NO_CONFIG, "f", errors)
            if not isinstance(value, InvalidValue):
                field.value_type.check(value, NO_CONFIG, "f", errors)
            assert bool(errors) == bool(by)

    @pytest.mark.parametrize("name", NAMED.split())
    def test_every_type_compiles_with_required_members_only(self, name: str) -> None:
        needed: dict[str, Any] = {"list": {"item": [{"id": "c", "type": "text"}]}}
        needed["table"] = {"columns": [{"id": "c", "type": "number"}]}
        definition = compile_definition({"fields": [{"id": "f", "type": name, **needed.get(name, {})}]})
        assert definition.fields[0].label == "f"
        assert definition.fields[0].path == ("f",)


class TestNormalForm:
    def test_example(self) -> None:
        definition = compile_definition(EXAMPLE)
        assert compile_definition(definition.to_json()) == definition
        written = definition.to_json()
        assert written["layout"] == EXAMPLE["layout"]
        assert written["rules"][0]["when"]["all"][0]["operation"] == "greaterThanOrEqual"
        assert definition.by_id["photos"].editable is False

    def test_missing_layout_stays_missing(self) -> None:
        assert "layout" not in compile_definition({"fields": [{"id": "a", "type": "text"}]}).to_json()

    def test_null_is_omitted(self) -> None:
        plain = compile_definition({"fields": [{"id": "a", "type": "text"}]})
        nulls = {"label": None, "help": None, "path": None, "default": None, "required": None, "minLength": None}
        spelled = {"fields": [{"id": "a", "type": "text", **nulls}], "layout": None, "rules": None, "width": None}
        assert compile_definition(spelled) == plain

    @given(forms_with_data())
    def test_normalizing_twice_changes_nothing(self, form: tuple[dict[str, Any], Any]) -> None:
        definition = compile_definition(form[0])
        written = definition.to_json()
        again = compile_definition(json.loads(json.dumps(written)))
        assert again == definition
        assert again.to_json() == written


class TestErrors:
    @given(any_json)
    def test_any_json(self, raw: Any) -> None:
        for candidate in (raw if isinstance(raw, dict) else {}, {"fields": raw}, {"fields": [raw]}):
            with pytest.raises(InvalidDefinition):
                compile_definition(candidate)
        with pytest.raises(InvalidDefinition):
            compile_definition({"fields": [{"id": "a", "type": "text"}], "rules": [raw], "layout": [raw]})

    @given(st.data())
    def test_any_definition_compiles_or_has_errors(self, data: st.DataObject) -> None:
        raw = data.draw(spoiled(EXAMPLE))
        if not isinstance(raw, dict):
            return
        named: tuple[ErrorDetail, ...] = ()
        try:
            definition = compile_definition(raw)
            assert compile_definition(definition.to_json()) == definition
        except InvalidDefinition as error:
            named = error.errors
        assert all(error.path and error.code and error.message for error in named)

    def test_reports_all_errors(self) -> None:
        raw = {
            "fields": [
                {"id": "a", "type": "text", "pth": 1},
                {"id": "a", "type": "nope"},
                {"id": "b", "type": "dropdown", "options": [{"label": "x"}], "path": "a.b"},
                {"type": "text"},
                {"id": "9", "type": "text"},
                7,
            ],
            "rules": [
                {"target": "zz", "effect": "show", "when": {"field": "b.value", "operation": "~"}},
                {"target": "b", "effect": "show", "when": {"field": "b.value", "operation": "isTrue"}},
            ],
            "layout": [{"kind": "field", "field": "q"}, {"kind": "row"}],
            "titleField": "b",
            "width": "huge",
        }
        assert set(errors_of(raw)) == {
            ("fields[0].pth", "unknown_setting"),
            ("fields[1].type", "unknown_type"),
            ("fields[1].id", "duplicate_id"),
            ("fields[2].options[0].id", "missing_option_id"),
            ("fields[2].path", "path_clash"),
            ("fields[3].id", "missing_id"),
            ("fields[4].id", "bad_id"),
            ("fields[5]", "wrong_type"),
            ("rules[0].target", "unknown_target"),
            ("rules[0].when.operation", "unknown_operation"),
            ("rules[1]", "rule_cycle"),
            ("layout[0].field", "unknown_field"),
            ("layout[1].kind", "unknown_kind"),
            ("titleField", "not_a_text_field"),
            ("width", "unknown_width"),
        }

    @pytest.mark.parametrize("raw", [{}, {"fields": None}, {"fields": {}}, {"fields": "text"}])
    def test_fields_must_be_an_array(self, raw: Any) -> None:
        assert errors_of(raw) == [("fields", "wrong_type")]

    def test_number_of_fields(self) -> None:
        assert errors_of({"fields": []}) == [("fields", "out_of_range")]
        many = [{"id": f"f{index}", "type": "text"} for index in range(MAX_FIELDS + 1)]
        assert errors_of({"fields": many}) == [("fields", "out_of_range")]
        compile_definition({"fields": many[:-1]})

    @pytest.mark.parametrize("identifier", ["", "1a", "a b", "a.b", "_a", "ä", "a" * 65, "constructor", 5, ["a"]])
    def test_bad_id(self, identifier: Any) -> None:
        assert errors_of({"fields": [{"id": identifier, "type": "text"}]}) == [("fields[0].id", "bad_id")]

    @pytest.mark.parametrize(
        ("setting", "code"),
        [
            ({"type": "text", "options": []}, ("options", "unknown_setting")),
            ({"type": "text", "label": 5}, ("label", "wrong_type")),
            ({"type": "text", "label": "x" * 201}, ("label", "too_long")),
            ({"type": "text", "required": "yes"}, ("required", "wrong_type")),
            ({"type": "text", "minLength": -1}, ("minLength", "out_of_range")),
            ({"type": "text", "minLength": 2.5}, ("minLength", "wrong_type")),
            ({"type": "text", "minLength": True}, ("minLength", "wrong_type")),
            ({"type": "text", "minLength": 5, "maxLength": 4}, ("maxLength", "out_of_order")),
            ({"type": "text", "pattern": "(a"}, ("pattern", "bad_pattern")),
            ({"type": "text", "pattern": 5}, ("pattern", "wrong_type")),
            ({"type": "text", "default": 5}, ("default", "wrong_type")),
            ({"type": "text", "path": ""}, ("path", "bad_path")),
            ({"type": "text", "path": "a..b"}, ("path", "bad_path")),
            ({"type": "text", "path": ".a"}, ("path", "bad_path")),
            ({"type": "text", "path": 5}, ("path", "bad_path")),
            ({"type": "text", "path": "a.__proto__.b"}, ("path", "bad_path")),
            ({"type": "text", "path": "a.b.c.d.e.f.g.h.i"}, ("path", "bad_path")),
            ({"type": "number", "min": "1"}, ("min", "wrong_type")),
            ({"type": "number", "min": 2, "max": 1}, ("max", "out_of_order")),
            ({"type": "number", "default": "1"}, ("default", "wrong_type")),
            ({"type": "rating", "max": 11}, ("max", "out_of_range")),
            ({"type": "boolean", "default": 1}, ("default", "wrong_type")),
            ({"type": "date", "min": "yesterday"}, ("min", "bad_date")),
            ({"type": "date", "min": "2026-02-02", "max": "2026-02-01"}, ("max", "out_of_order")),
            ({"type": "datetime", "max": "2026-02-30T00:00Z"}, ("max", "bad_datetime")),
            ({"type": "link", "default": "javascript:alert(1)"}, ("default", "bad_link")),
            ({"type": "dropdown", "options": []}, ("options", "no_options")),
            ({"type": "dropdown", "options": {}}, ("options", "wrong_type")),
            ({"type": "dropdown", "options": ["a"]}, ("options[0]", "wrong_type")),
            ({"type": "dropdown", "options": [{"id": "a"}]}, ("options[0].label", "missing_option_label")),
            ({"type": "dropdown", "options": [{"id": 1, "label": "x"}]}, ("options[0].id", "missing_option_id")),
            ({"type": "dropdown", "options": [{"id": "a", "label": "", "x": 1}]}, ("options[0].x", "unknown_member")),
            (
                {"type": "dropdown", "options": [{"id": "a", "label": ""}], "default": "b"},
                ("default", "unknown_option"),
            ),
            ({"type": "dropdown", "default": "b"}, ("default", "options_missing")),
            ({"type": "dropdown", "minSelected": 1}, ("minSelected", "not_applicable")),
            ({"type": "checkboxes", "multiple": True}, ("multiple", "unknown_setting")),
            ({"type": "checkboxes", "minSelected": 3, "maxSelected": 2}, ("maxSelected", "out_of_order")),
            ({"type": "image", "default": "nowhere"}, ("default", "bad_media_address")),
            ({"type": "list"}, ("item", "missing")),
            ({"type": "list", "item": []}, ("item", "out_of_range")),
            ({"type": "list", "item": {"id": "a"}}, ("item", "wrong_type")),
            ({"type": "list", "item": [{"id": "a", "type": "list"}]}, ("item[0].type", "unknown_type")),
            ({"type": "list", "item": [{"id": "a", "type": "text", "path": "b"}]}, ("item[0].path", "unknown_setting")),
            ({"type": "list", "item": [{"id": "a", "type": "text"}] * 2}, ("item[1].id", "duplicate_id")),
            ({"type": "table", "columns": [{"id": "a", "type": "label"}]}, ("columns[0].type", "unknown_type")),
            ({"type": "label", "text": 5}, ("text", "wrong_type")),
            ({"type": "label", "required": True}, ("required", "unknown_setting")),
            ({"type": "label", "default": "x"}, ("default", "unknown_setting")),
            ({"type": 5}, ("type", "unknown_type")),
            ({}, ("type", "unknown_type")),
        ],
        ids=str,
    )
    def test_settings(self, setting: dict[str, Any], code: tuple[str, str]) -> None:
        assert field_errors(**setting) == [(f"fields[0].{code[0]}", code[1])]

    @pytest.mark.parametrize(
        ("paths", "clashing"),
        [
            (["a", "a"], [1]),
            (["a", "a.b"], [1]),
            (["a.b", "a"], [1]),
            (["a.b.c", "a.b", "a.c"], [1]),
            (["a.b", "a.c", "ab"], []),
            (["x", "y", "y.z", "x"], [2, 3]),
        ],
    )
    def test_conflicting_paths(self, paths: list[str], clashing: list[int]) -> None:
        raw = {"fields": [{"id": f"f{i}", "type": "text", "path": path} for i, path in enumerate(paths)]}
        if clashing:
            assert errors_of(raw) == [(f"fields[{index}].path", "path_clash") for index in clashing]
        else:
            compile_definition(raw)

    @pytest.mark.parametrize(
        ("name", "code"), [("nope", "unknown_field"), (5, "unknown_field"), ("n", "not_a_text_field")]
    )
    def test_title_field(self, name: Any, code: str) -> None:
        assert errors_of({"fields": [{"id": "n", "type": "number"}], "titleField": name}) == [("titleField", code)]


FIELDS = [{"id": "a", "type": "text"}, {"id": "b", "type": "text"}]
A: dict[str, Any] = {"kind": "field", "field": "a"}
B: dict[str, Any] = {"kind": "field", "field": "b"}


class TestLayout:
    @pytest.mark.parametrize(
        ("layout", "expected"),
        [
            ({}, [("layout", "wrong_type")]),
            ([5], [("layout[0]", "wrong_type")]),
            ([{}], [("layout[0].kind", "unknown_kind")]),
            ([{"kind": ["field"]}], [("layout[0].kind", "unknown_kind")]),
            ([{"kind": "field", "field": "z"}], [("layout[0].field", "unknown_field")]),
            ([A, A], [("layout[1].field", "placed_twice")]),
            ([{**A, "w": 1}], [("layout[0].w", "unknown_member")]),
            ([{"kind": "columns", "columns": 2}], [("layout[0].columns", "wrong_type")]),
            ([{"kind": "columns", "columns": [[]] * 7}], [("layout[0].columns", "wrong_type")]),
            ([{"kind": "columns", "columns": [A]}], [("layout[0].columns[0]", "wrong_type")]),
            ([{"kind": "columns", "columns": [[A], [A]]}], [("layout[0].columns[1][0].field", "placed_twice")]),
            ([{"kind": "group", "children": []}], [("layout[0].id", "missing_id")]),
            ([{"kind": "group", "id": "a", "children": []}], [("layout[0].id", "duplicate_id")]),
            ([{"kind": "group", "id": "g", "children": []}] * 2, [("layout[1].id", "duplicate_id")]),
            ([{"kind": "group", "id": "g", "label": 5, "children": []}], [("layout[0].label", "wrong_type")]),
            ([{"kind": "group", "id": "g"}], [("layout[0].children", "wrong_type")]),
            ([{"kind": "grid", "columns": 0, "children": []}], [("layout[0].columns", "out_of_range")]),
            ([{"kind": "grid", "columns": True, "children": []}], [("layout[0].columns", "out_of_range")]),
            ([A] * 1001, [(f"layout[{i}].field", "placed_twice") for i in range(1, 51)]),
        ],
    )
    def test_errors(self, layout: Any, expected: list[tuple[str, str]]) -> None:
        assert errors_of({"fields": FIELDS, "layout": layout})[: len(expected)] == expected

    def test_depth(self) -> None:
        def nested(depth: int) -> Any:
            inner = A
            for _ in range(depth):
                inner = {"kind": "grid", "columns": 1, "children": [inner]}
            return {"fields": FIELDS, "layout": [inner]}

        compile_definition(nested(MAX_LAYOUT_DEPTH - 1))
        assert [code for _, code in errors_of(nested(MAX_LAYOUT_DEPTH))] == ["too_deep"]
        assert [code for _, code in errors_of(nested(400))] == ["too_deep"]

    def test_field_may_be_missing_in_the_layout(self) -> None:
        definition = compile_definition({"fields": FIELDS, "layout": [B]})
        assert [field.id for field in definition.fields] == ["a", "b"]
