import json
from typing import Any

import pytest
from form_strategies import any_json, forms_with_data, spoiled
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.definition import Definition, compile_definition
from signoff.forms.submission import response_values
from signoff.forms.suggestion import InvalidValues, Suggestion, read_suggestion, suggested_title, trigger_suggestion

OPTIONS = [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]
OTHERS = [{"id": "y", "label": "Why"}, {"id": "z", "label": "Zed"}]


def form(*fields: dict[str, Any], **members: Any) -> Definition:
    return compile_definition({"fields": list(fields), **members})


def one(kind: str, **settings: Any) -> Definition:
    return form({"id": "f", "type": kind, **settings})


def errors_of(definition: Definition, data: Any, config: Any = None) -> list[tuple[str, str]]:
    with pytest.raises(InvalidValues) as caught:
        read_suggestion(definition, data, config)
    return [(error.path, error.code) for error in caught.value.errors]


MISSING = object()


def suggested(definition: Definition, value: Any = MISSING, config: Any = None) -> Any:
    """The suggested value of the only field; MISSING if the review doesn't show it."""
    configured = None if config is None else {"fields": {"f": config}}
    suggestion = read_suggestion(definition, {} if value is MISSING else {"f": value}, configured)
    return suggestion.values.get("f", MISSING)


class TestShown:
    @pytest.mark.parametrize("kind", ["text", "number", "boolean", "json", "image", "label", "dropdown"])
    def test_absent_and_null_hide(self, kind: str) -> None:
        assert suggested(one(kind)) is MISSING
        assert suggested(one(kind), None) is MISSING

    def test_null_hides_static_content(self) -> None:
        for definition in (one("text", default="d"), one("dropdown", options=OPTIONS), one("label", text="t")):
            assert suggested(definition, None) is MISSING

    def test_static_content_is_shown(self) -> None:
        assert suggested(one("text", default="d")) == "d"
        assert suggested(one("number", default=0)) == 0
        assert suggested(one("boolean", default=False)) is False
        assert suggested(one("list", item=[{"id": "c", "type": "text"}], default=[])) == []
        assert suggested(one("label", text="t")) == "t"
        assert suggested(one("dropdown", options=OPTIONS)) is None
        assert suggested(one("dropdown", options=OPTIONS, default="y")) == "y"

    def test_shown_by_the_config(self) -> None:
        assert suggested(one("text", default="d"), config={"default": "c"}) == "c"
        assert suggested(one("dropdown"), config={"options": OPTIONS}) is None
        assert suggested(one("dropdown"), config={"options": OPTIONS, "default": "x"}) == "x"

    def test_values_override_defaults(self) -> None:
        assert suggested(one("text", default="d"), "v", {"default": "c"}) == "v"
        assert suggested(one("dropdown", options=OPTIONS, default="y"), "x", {"default": "y"}) == "x"

    def test_empty_text_is_shown(self) -> None:
        for kind in ("text", "longText", "markdown", "richText", "code", "email", "link", "date", "datetime"):
            assert suggested(one(kind), "") == ""

    def test_null_parent_hides(self) -> None:
        definition = form({"id": "f", "type": "dropdown", "options": OPTIONS, "path": "a.b.c"})
        assert read_suggestion(definition, {"a": None}).values == {}
        assert read_suggestion(definition, {"a": {"b": None}}).values == {}
        assert read_suggestion(definition, {"a": {}}).values == {"f": None}

    def test_invalid_parent_is_an_error(self) -> None:
        definition = form(
            {"id": "f", "type": "text", "path": "a.b"}, {"id": "g", "type": "text", "path": "a.c", "default": ""}
        )
        assert errors_of(definition, {"a": 5}) == [("data.a", "wrong_type")]
        assert errors_of(definition, {"a": []}) == [("data.a", "wrong_type")]

    def test_unmapped_properties_are_ignored(self) -> None:
        assert read_suggestion(one("text"), {"other": {"deep": [1]}, "__proto__": 1}).values == {}


class TestShapes:
    @pytest.mark.parametrize(
        ("kind", "good", "bad"),
        [
            ("text", ["", "a", "\ud800"], [1, True, [], {}]),
            ("email", ["not yet one"], [1]),
            (
                "link",
                ["http://a", "HTTPS://a.example/ü?q#f"],
                ["a.example", "javascript:alert(1)", "http://", "http:// a"],
            ),
            ("date", ["2024-02-29"], ["2023-02-29", "2024-2-9", "20240229", "2024-02-29T00:00", "0000-01-01", 5]),
            (
                "datetime",
                ["2024-02-29T10:00", "2024-02-29T10:00:59.123456Z", "9999-12-31T23:59:59-12:00"],
                ["2024-02-29", "2024-02-29 10:00", "2024-02-29T25:00Z", "2024-02-29T10:00+99:00"],
            ),
            ("number", [0, -1, 1.5, 10**30, 1e300], ["1", True, False, [1]]),
            ("rating", [3, 4.5, 99], ["3", True]),
            ("boolean", [True, False], [0, 1, "true"]),
            ("json", [0, "", False, [], {}, {"a": [None]}], []),
            (
                "video",
                ["https://a.example/v.mp4", "/media/x"],
                ["", "/other/x", "/media/../x", "/media/%2e%2e/x", "ftp://a", "data:video/mp4;base64,AAAA"],
            ),
            ("image", ["https://a.example/i.png"], ["", "i.png", 5, "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg"]),
            ("label", ["", "text"], [5]),
        ],
    )
    def test_by_type(self, kind: str, good: list[Any], bad: list[Any]) -> None:
        for value in good:
            assert suggested(one(kind), value) == value
        for value in bad:
            assert [path for path, _ in errors_of(one(kind), {"f": value})] == ["data.f"], value

    def test_limits_do_not_apply_to_a_suggestion(self) -> None:
        assert suggested(one("text", maxLength=2, pattern="[0-9]", required=True), "too long") == "too long"
        assert suggested(one("number", max=3, integer=True), 7.5) == 7.5
        assert suggested(one("checkboxes", options=OPTIONS, maxSelected=1), ["x", "y"])
        assert suggested(one("list", item=[{"id": "c", "type": "text", "required": True}], maxItems=1), ["", ""])

    def test_deep_json_is_an_error(self) -> None:
        deep: Any = 1
        for _ in range(900):
            deep = [deep]
        assert errors_of(one("json"), {"f": deep}) == [("data.f", "too_deep")]
        assert errors_of(one("list", item=[{"id": "c", "type": "json"}]), {"f": [deep]}) == [("data.f", "too_deep")]
        assert read_suggestion(one("text"), {"unmapped": deep}).values == {}


class TestChoices:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("x", "x"),
            ("", None),
            ({"options": OTHERS}, None),
            ({"options": OTHERS, "default": "z"}, "z"),
            ({"default": "y"}, "y"),
            ({}, None),
            ({"options": None, "default": None}, None),
        ],
    )
    def test_single(self, value: Any, expected: Any) -> None:
        assert suggested(one("dropdown", options=OPTIONS), value) == expected

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("x", [OPTIONS[0]]),
            (["y", "x"], OPTIONS),
            (["x", "x"], [OPTIONS[0]]),
            ([{"id": "y", "label": "forged"}], [OPTIONS[1]]),
            ([{"id": "y"}, "x"], OPTIONS),
            ([], None),
            ("", None),
            ({"options": OTHERS, "default": ["z"]}, [OTHERS[1]]),
            ({"options": OTHERS, "default": "y"}, [OTHERS[0]]),
            ({"default": ["x"]}, [OPTIONS[0]]),
        ],
    )
    @pytest.mark.parametrize("field", [{"kind": "checkboxes"}, {"kind": "buttons", "multiple": True}])
    def test_multiple(self, field: dict[str, Any], value: Any, expected: Any) -> None:
        assert suggested(one(**field, options=OPTIONS), value) == expected

    def test_effective_options(self) -> None:
        fixed = one("dropdown", options=OPTIONS)
        assert read_suggestion(fixed, {}).options == {"f": {"x": "X", "y": "Y"}}
        config = {"fields": {"f": {"options": OTHERS}}}
        assert read_suggestion(fixed, {}, config).options == {"f": {"y": "Why", "z": "Zed"}}
        offered = {"f": {"options": [{"id": "q", "label": "Q"}]}}
        assert read_suggestion(fixed, offered, config).options == {"f": {"q": "Q"}}
        assert read_suggestion(fixed, {"f": None}).options == {}

    def test_default_missing_in_new_options_is_dropped(self) -> None:
        assert suggested(one("dropdown", options=OPTIONS, default="x"), {"options": OTHERS}) is None
        assert suggested(one("dropdown", options=OPTIONS, default="y"), {"options": OTHERS}) == "y"
        multiple = one("checkboxes", options=OPTIONS, default=["x", "y"])
        assert suggested(multiple, {"options": OTHERS}) == [OTHERS[0]]
        assert suggested(multiple, {"options": [{"id": "q", "label": ""}]}) is None

    @pytest.mark.parametrize(
        ("kind", "value", "expected"),
        [
            ("dropdown", "q", [("data.f", "unknown_option")]),
            ("dropdown", ["x"], [("data.f", "wrong_type")]),
            ("dropdown", 1, [("data.f", "wrong_type")]),
            (
                "dropdown",
                {"id": "x", "label": "X"},
                [("data.f.id", "unknown_member"), ("data.f.label", "unknown_member")],
            ),
            ("dropdown", {"default": "q"}, [("data.f.default", "unknown_option")]),
            ("dropdown", {"options": [{"id": "a"}]}, [("data.f.options[0].label", "missing_option_label")]),
            ("dropdown", {"options": OTHERS, "default": "x"}, [("data.f.default", "unknown_option")]),
            ("checkboxes", ["x", "q", 5], [("data.f[1]", "unknown_option"), ("data.f[2]", "wrong_type")]),
            ("checkboxes", {"default": ["q"]}, [("data.f.default[0]", "unknown_option")]),
            ("checkboxes", [{"label": "X"}], [("data.f[0]", "wrong_type")]),
            ("checkboxes", True, [("data.f", "wrong_type")]),
            ("checkboxes", ["x"] * 1001, [("data.f", "too_many_items")]),
        ],
    )
    def test_errors(self, kind: str, value: Any, expected: Any) -> None:
        assert errors_of(one(kind, options=OPTIONS), {"f": value}) == expected

    def test_no_options_at_all(self) -> None:
        assert errors_of(one("dropdown"), {"f": "x"}) == [("data.f", "options_missing")]
        assert errors_of(one("dropdown"), {}, {"fields": {"f": {"default": "x"}}}) == [
            ("config.fields.f.default", "options_missing")
        ]


class TestLists:
    def test_plain_and_keyed_items(self) -> None:
        photos = one("list", item=[{"id": "photo", "type": "image"}])
        url = "https://a.example/1.png"
        assert suggested(photos, [url]) == [url]
        assert suggested(photos, [{"photo": url, "sku": 5}]) == [{"photo": url, "sku": 5}]
        assert suggested(photos, [url, {"photo": url}]) == [{"photo": url}, {"photo": url}]
        assert suggested(photos, []) == []

    def test_several_children_need_objects(self) -> None:
        definition = one("list", item=[{"id": "a", "type": "text"}, {"id": "n", "type": "number"}])
        assert suggested(definition, [{"a": "x", "n": None}, {}]) == [{"a": "x", "n": None}, {}]
        assert errors_of(definition, {"f": ["x", {"a": 1, "n": "2"}]}) == [
            ("data.f[0]", "wrong_type"),
            ("data.f[1].a", "wrong_type"),
            ("data.f[1].n", "wrong_type"),
        ]

    def test_a_table_needs_objects(self) -> None:
        definition = one("table", columns=[{"id": "n", "type": "number"}])
        assert suggested(definition, [{"n": 1}]) == [{"n": 1}]
        assert errors_of(definition, {"f": [1]}) == [("data.f[0]", "wrong_type")]

    def test_choices_in_items(self) -> None:
        definition = one("list", item=[{"id": "c", "type": "checkboxes"}, {"id": "t", "type": "text"}])
        config = {"listItemConfig": {"c": {"options": OPTIONS}}}
        assert suggested(definition, [{"c": ["x"], "own": 1}], config) == [{"c": [OPTIONS[0]], "own": 1}]
        assert errors_of(definition, {"f": [{"c": ["x"]}]}) == [("data.f[0].c", "options_missing")]

    @pytest.mark.parametrize("value", ["x", {}, 5, True])
    def test_not_an_array(self, value: Any) -> None:
        assert errors_of(one("list", item=[{"id": "c", "type": "text"}]), {"f": value}) == [("data.f", "wrong_type")]

    def test_too_many(self) -> None:
        definition = one("list", item=[{"id": "c", "type": "text"}])
        assert errors_of(definition, {"f": [""] * 2001}) == [("data.f", "too_many_items")]
        assert errors_of(definition, {"f": [None, "a"]}) == [("data.f[0]", "wrong_type")]


class TestConfig:
    BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"

    @pytest.mark.parametrize("text", [BASE64, f"data:image/png;base64,{BASE64}", f"{BASE64}\n{BASE64}=="])
    def test_base64(self, text: str) -> None:
        assert suggested(one("image"), text, {"isBase64": True}) == text
        assert errors_of(one("image"), {"f": text}) == [("data.f", "base64_not_declared")]
        photos = one("list", item=[{"id": "photo", "type": "image"}])
        config = {"listItemConfig": {"photo": {"isBase64": True}}}
        assert suggested(photos, [{"photo": text}], config) == [{"photo": text}]
        assert suggested(photos, [text], config) == [text]

    def test_stored_image_is_a_url_despite_base64(self) -> None:
        for address in ("https://cdn.example/1.png", "/media/1.png"):
            assert suggested(one("image"), address, {"isBase64": True}) == address

    def test_invalid_base64(self) -> None:
        config = {"fields": {"f": {"isBase64": True}}}
        for text in ("", "short", "<svg onload=alert(1)>", "data:text/html;base64," + self.BASE64):
            assert errors_of(one("image"), {"f": text}, config) == [("data.f", "bad_media_address")]

    def test_transform(self) -> None:
        options = {"width": 200, "height": None, "fit": "inside", "position": "left top", "background": "#fff"}
        config = {"fields": {"f": {"transform": {**options, "withoutEnlargement": True}}}}
        transform = read_suggestion(one("image"), {"f": "https://a.example/1"}, config).configs["f"].transform
        assert transform is not None
        assert (transform.width, transform.height, transform.fit) == (200, None, "inside")

    @pytest.mark.parametrize(
        ("transform", "member"),
        [
            ({"width": 0}, ".width"),
            ({"width": "10"}, ".width"),
            ({"width": True}, ".width"),
            ({"height": 10_001}, ".height"),
            ({"fit": "squeeze"}, ".fit"),
            ({"fit": []}, ".fit"),
            ({"position": "middle"}, ".position"),
            ({"background": "red; x"}, ".background"),
            ({"background": "#fff\n"}, ".background"),
            ({"withoutEnlargement": "yes"}, ".withoutEnlargement"),
            ({"rotate": 90}, ".rotate"),
            ([], ""),
        ],
    )
    def test_invalid_transform(self, transform: Any, member: str) -> None:
        named = errors_of(one("image"), {}, {"fields": {"f": {"transform": transform}}})
        assert [path for path, _ in named] == [f"config.fields.f.transform{member}"]

    @pytest.mark.parametrize(
        ("kind", "config", "expected"),
        [
            ("text", 5, ("config", "wrong_type")),
            ("text", {"field": {}}, ("config.field", "unknown_member")),
            ("text", {"fields": []}, ("config.fields", "wrong_type")),
            ("text", {"fields": {"g": {}}}, ("config.fields.g", "unknown_field")),
            ("text", {"fields": {"f": 5}}, ("config.fields.f", "wrong_type")),
            ("text", {"fields": {"f": {"colour": 1}}}, ("config.fields.f.colour", "unknown_member")),
            ("text", {"fields": {"f": {"isBase64": True}}}, ("config.fields.f.isBase64", "not_applicable")),
            ("text", {"fields": {"f": {"options": OPTIONS}}}, ("config.fields.f.options", "not_applicable")),
            ("text", {"fields": {"f": {"default": 5}}}, ("config.fields.f.default", "wrong_type")),
            ("label", {"fields": {"f": {"default": "x"}}}, ("config.fields.f.default", "not_applicable")),
            ("video", {"fields": {"f": {"transform": {}}}}, ("config.fields.f.transform", "not_applicable")),
            ("image", {"fields": {"f": {"isBase64": "yes"}}}, ("config.fields.f.isBase64", "wrong_type")),
            ("dropdown", {"fields": {"f": {"options": {}}}}, ("config.fields.f.options", "wrong_type")),
            (
                "list",
                {"fields": {"f": {"listItemConfig": {"z": {}}}}},
                ("config.fields.f.listItemConfig.z", "unknown_field"),
            ),
            (
                "list",
                {"fields": {"f": {"listItemConfig": {"c": {"default": "x"}}}}},
                ("config.fields.f.listItemConfig.c.default", "not_applicable"),
            ),
        ],
        ids=str,
    )
    def test_errors(self, kind: str, config: Any, expected: tuple[str, str]) -> None:
        settings = {"item": [{"id": "c", "type": "text"}]} if kind == "list" else {}
        assert errors_of(one(kind, **settings), {}, config) == [expected]

    def test_empty_config(self) -> None:
        for config in (None, {}, {"fields": None}, {"fields": {}}, {"fields": {"f": None}}, {"fields": {"f": {}}}):
            assert read_suggestion(one("text"), {"f": "a"}, config).values == {"f": "a"}


class TestTitle:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("  Hello\n\tworld ", "Hello world"),
            ("", None),
            (" \n", None),
            (None, None),
            ("x" * 500, "x" * 200),
            ("y" * 199 + " z", "y" * 199),
        ],
    )
    def test_text(self, text: Any, expected: Any) -> None:
        definition = form({"id": "f", "type": "text"}, titleField="f")
        assert suggested_title(definition, read_suggestion(definition, {"f": text})) == expected

    def test_none(self) -> None:
        assert suggested_title(one("text"), read_suggestion(one("text"), {"f": "a"})) is None


class TestTriggerForm:
    def test_starts_from_defaults_and_empty_fields(self) -> None:
        definition = form(
            {"id": "t", "type": "text"},
            {"id": "d", "type": "text", "default": "x"},
            {"id": "n", "type": "number"},
            {"id": "i", "type": "image"},
            {"id": "l", "type": "list", "item": [{"id": "c", "type": "text"}]},
            {"id": "c", "type": "dropdown", "options": OPTIONS},
            {"id": "o", "type": "dropdown"},
            {"id": "label", "type": "label", "text": "Hi"},
        )
        expected = {"t": "", "d": "x", "n": None, "i": None, "l": [], "c": None, "label": "Hi"}
        assert trigger_suggestion(definition).values == expected
        assert set(response_values(definition, trigger_suggestion(definition))) == {"t", "d", "l", "c"}


class TestResponseValues:
    def test_entries(self) -> None:
        definition = form(
            {"id": "t", "type": "text"},
            {"id": "b", "type": "boolean"},
            {"id": "c", "type": "dropdown", "options": OPTIONS},
            {"id": "m", "type": "checkboxes", "options": OPTIONS},
            {"id": "i", "type": "image"},
            {"id": "label", "type": "label"},
            {"id": "hidden", "type": "text"},
            rules=[{"target": "i", "effect": "hide", "when": {"field": "b.value", "operation": "isTrue"}}],
        )
        data = {"t": "", "b": True, "c": "x", "m": [], "i": "https://a.example", "label": "text"}
        assert response_values(definition, read_suggestion(definition, data)) == {
            "t": {"value": "", "wasEdited": False},
            "b": {"value": True},
            "c": {"value": "x"},
            "m": {"value": []},
        }


class TestProperties:
    @given(forms_with_data())
    def test_valid_data_is_accepted(self, drawn: tuple[dict[str, Any], dict[str, Any]]) -> None:
        raw, data = drawn
        before = json.dumps(data)
        definition = compile_definition(raw)
        suggestion = read_suggestion(definition, data)
        assert json.dumps(data) == before
        assert set(suggestion.values) <= set(definition.by_id)
        assert set(suggestion.options) == {name for name in suggestion.values if definition.by_id[name].type.selectable}
        assert set(response_values(definition, suggestion)) <= set(suggestion.values)

    @given(forms_with_data(), st.data())
    def test_any_data_is_accepted_or_has_errors(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        raw, data = drawn
        definition = compile_definition(raw)
        anything = draw.draw(any_json | spoiled(data))
        config = draw.draw(st.none() | any_json | spoiled({"fields": {"a": {"default": 1, "options": OPTIONS}}}))
        try:
            suggestion: Suggestion | None = read_suggestion(definition, anything, config)
        except InvalidValues:
            suggestion = None
        if suggestion is not None:
            response_values(definition, suggestion)
