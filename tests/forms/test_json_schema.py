"""The published schemas and `prepare` agree in both directions, except for the differences that their module lists."""

import json
from typing import Any

import pytest
from form_strategies import OPTIONS, any_json, forms_with_data, spoiled, values
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schema_strategies import accepted_by
from support.examples import examples

from signoff.forms.definition import Definition, compile_definition
from signoff.forms.fields import FIELD_TYPES
from signoff.forms.json_schema import config_schema, data_schema
from signoff.forms.suggestion import InvalidValues, read_suggestion
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import MAX_DEPTH

BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"


def accepts(schema: Any, value: Any) -> bool:
    return Draft202012Validator(schema).is_valid(value)


def errors_of(definition: Definition, data: Any, config: Any = None) -> tuple[ErrorDetail, ...]:
    try:
        read_suggestion(definition, data, config)
    except InvalidValues as error:
        return error.errors
    return ()


def codes(definition: Definition, data: Any, config: Any = None) -> set[str]:
    return {error.code for error in errors_of(definition, data, config)}


def is_json(value: Any) -> bool:
    """A request can't contain a lone surrogate."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def one(type: str, **members: Any) -> Definition:  # noqa: A002
    return compile_definition({"fields": [{**members, "id": "f", "type": type}]})


NEEDED: dict[str, Any] = {
    "list": {"item": [{"id": "p", "type": "image"}]},
    "table": {"columns": [{"id": "p", "type": "number"}]},
}


def base64_config(definition: Definition) -> dict[str, Any]:
    """The config that declares base64 for every image."""
    fields: dict[str, Any] = {}
    for field in definition.fields:
        if field.type.name == "image":
            fields[field.id] = {"isBase64": True}
        elif field.type.name in ("list", "table"):
            children = field.settings.get("item") or field.settings["columns"]
            items = {child.id: {"isBase64": True} for child in children if child.type.name == "image"}
            fields[field.id] = {"listItemConfig": items}
    return {"fields": fields}


def is_listed(error: ErrorDetail) -> bool:
    """Whether the schemas' module lists this as something JSON Schema can't express. Base64 was declared before."""
    if error.code == "unknown_option":
        return ".default" in error.path
    if error.code == "options_missing":
        return True
    return error.code in ("duplicate_option_id", "too_deep")


class TestData:
    @given(forms_with_data(), st.data())
    def test_schema_valid_data_is_accepted(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        definition = compile_definition(drawn[0])
        data = draw.draw(accepted_by(data_schema(definition)))
        assume(is_json(data))
        left = [error for error in errors_of(definition, data, base64_config(definition)) if not is_listed(error)]
        assert left == []

    @given(forms_with_data(), st.data())
    def test_accepted_data_is_schema_valid(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        raw, good = drawn
        definition = compile_definition(raw)
        data = draw.draw(st.just(good) | spoiled(good) | any_json)
        assume(is_json(data))
        if not codes(definition, data):
            assert accepts(data_schema(definition), data)

    @given(forms_with_data(), st.data())
    def test_schema_invalid_data_is_rejected(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        """The reverse, with nearly correct values: spoiled ones that the schema accepts."""
        definition = compile_definition(drawn[0])
        data = draw.draw(accepted_by(data_schema(definition)).flatmap(spoiled))
        assume(is_json(data))
        errors = errors_of(definition, data, base64_config(definition))
        if accepts(data_schema(definition), data):
            assert [error for error in errors if not is_listed(error)] == []
        else:
            assert errors

    @given(forms_with_data(), st.data())
    def test_only_the_config_announces_base64(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        definition = compile_definition(drawn[0])
        data = draw.draw(accepted_by(data_schema(definition)))
        assume(is_json(data))
        without = {(f.path, f.code) for f in errors_of(definition, data)}
        announcing = {(f.path, f.code) for f in errors_of(definition, data, base64_config(definition))}
        assert {code for _, code in without - announcing} <= {"base64_not_declared", "bad_media_address"}


class TestConfig:
    @given(forms_with_data(), st.data())
    def test_schema_valid_config_is_accepted(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        definition = compile_definition(drawn[0])
        config = draw.draw(accepted_by(config_schema(definition)))
        assume(is_json(config))
        allowed = {"unknown_option", "options_missing", "duplicate_option_id", "too_deep"}
        errors = [error for error in errors_of(definition, {}, config) if error.code not in allowed]
        # In the default of a list, base64 is declared next to it, where the schema can't check it.
        assert [error for error in errors if not (is_base64_error(error) and "[" in error.path)] == []

    @given(forms_with_data(), st.data())
    def test_accepted_config_is_schema_valid(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        raw, good = drawn
        definition = compile_definition(raw)
        config = draw.draw(spoiled(draw.draw(accepted_by(config_schema(definition)))) | any_json)
        assume(is_json(config))
        data = draw.draw(st.just({}) | st.just(good))
        if not codes(definition, data, config) and not brings_other_options(config):
            assert accepts(config_schema(definition), config)
            assert accepts(data_schema(definition), data)


def is_base64_error(error: ErrorDetail) -> bool:
    return error.code in ("base64_not_declared", "bad_media_address")


def brings_other_options(config: Any) -> bool:
    """The only case in which the data's schema is stricter: fixed options that the config replaces."""
    return '"options"' in json.dumps(config)


def each_type() -> list[dict[str, Any]]:
    """A field of every type, and a list and a table of every type that they can contain."""
    options = {"options": OPTIONS}
    simple: list[dict[str, Any]] = [
        {"type": name, **(options if kind.selectable else {})}
        for name, kind in FIELD_TYPES.items()
        if name not in ("list", "table")
    ]
    simple += [{"type": "dropdown", "multiple": True, **options}, {"type": "buttons"}, {"type": "checkboxes"}]
    children = [{"id": "p", **field} for field in simple if field["type"] != "label"]
    return [
        *simple,
        *({"type": "list", "item": [child]} for child in children),
        *({"type": "table", "columns": [child]} for child in children),
    ]


@pytest.mark.parametrize("field", each_type(), ids=str)
class TestEachType:
    """The same properties for one field at a time, so that every type is covered."""

    @settings(max_examples=examples(12))
    @given(st.data())
    def test_schema_valid_values_are_accepted(self, field: dict[str, Any], draw: st.DataObject) -> None:
        definition = one(**field)
        data = draw.draw(accepted_by(data_schema(definition)))
        assume(is_json(data))
        errors = errors_of(definition, data, base64_config(definition))
        assert [error for error in errors if not is_listed(error)] == []

    @settings(max_examples=examples(12))
    @given(st.data())
    def test_accepted_values_are_schema_valid(self, field: dict[str, Any], draw: st.DataObject) -> None:
        definition = one(**field)
        good = {"f": draw.draw(values({"id": "f", **field}))}
        data = draw.draw(st.just(good) | spoiled(good))
        assume(is_json(data))
        if not codes(definition, data):
            assert accepts(data_schema(definition), data)
        elif accepts(data_schema(definition), data):
            assert [
                error for error in errors_of(definition, data, base64_config(definition)) if not is_listed(error)
            ] == []


class TestKnownDifferences:
    """Each difference exists: if one is gone, its entry in the list must go too."""

    def test_default_in_options_of_the_request(self) -> None:
        definition, data = one("dropdown"), {"f": {"options": OPTIONS, "default": "nowhere"}}
        assert accepts(data_schema(definition), data)
        assert codes(definition, data) == {"unknown_option"}

    @pytest.mark.parametrize("value", ["x", {"default": "x"}])
    def test_options_must_exist(self, value: Any) -> None:
        definition, options = one("buttons"), {"fields": {"f": {"options": OPTIONS}}}
        assert accepts(data_schema(definition), {"f": value})
        assert codes(definition, {"f": value}) == {"options_missing"}
        assert codes(definition, {"f": value}, options) == set()

    def test_options_of_a_child(self) -> None:
        definition = one("list", item=[{"id": "p", "type": "dropdown"}])
        options = {"fields": {"f": {"listItemConfig": {"p": {"options": OPTIONS}}}}}
        assert accepts(data_schema(definition), {"f": ["x"]})
        assert codes(definition, {"f": ["x"]}) == {"options_missing"}
        assert codes(definition, {"f": ["x"]}, options) == set()

    def test_duplicate_ids(self) -> None:
        definition = one("dropdown")
        twice, again = [{"id": "x", "label": "X"}, {"id": "x", "label": "Y"}], [OPTIONS[0], OPTIONS[0]]
        assert accepts(data_schema(definition), {"f": {"options": twice}})
        assert codes(definition, {"f": {"options": twice}}) == {"duplicate_option_id"}
        assert not accepts(data_schema(definition), {"f": {"options": again}})

    def test_announced_base64(self) -> None:
        definition = one("image")
        assert accepts(data_schema(definition), {"f": BASE64})
        assert codes(definition, {"f": BASE64}) == {"base64_not_declared"}
        assert codes(definition, {"f": BASE64}, base64_config(definition)) == set()

    def test_nesting(self) -> None:
        deep: Any = []
        for _ in range(MAX_DEPTH + 1):
            deep = [deep]
        assert accepts(data_schema(one("json")), {"f": deep})
        assert codes(one("json"), {"f": deep}) == {"too_deep"}
        assert codes(one("json"), {"f": deep[0]}) == set()

    def test_fixed_options_that_the_config_replaces(self) -> None:
        """The only stricter case."""
        definition = one("dropdown", options=OPTIONS)
        config = {"fields": {"f": {"options": [{"id": "new", "label": "New"}]}}}
        assert codes(definition, {"f": "new"}, config) == set()
        assert not accepts(data_schema(definition), {"f": "new"})
        offer = {"f": {"options": [{"id": "new", "label": "New"}], "default": "new"}}
        assert accepts(data_schema(definition), offer)


class TestSchemas:
    def test_example(self) -> None:
        definition = compile_definition(
            {
                "fields": [
                    {"id": "headline", "type": "text", "label": "Headline", "path": "draft.headline", "help": "Short"},
                    {"id": "channel", "type": "dropdown", "options": OPTIONS, "default": "y"},
                    {"id": "photos", "type": "list", "item": [{"id": "photo", "type": "image"}]},
                ]
            }
        )
        schema: Any = data_schema(definition)
        assert schema["$schema"].endswith("2020-12/schema")
        headline = schema["properties"]["draft"]["properties"]["headline"]
        assert headline == {"title": "Headline", "description": "Short", "type": ["string", "null"]}
        assert schema["properties"]["channel"]["default"] == "y"
        assert schema["properties"]["channel"]["anyOf"][0]["anyOf"][0] == {"enum": ["x", "y", "z", ""]}
        config: Any = config_schema(definition)
        assert set(config["properties"]["fields"]["properties"]) == {"headline", "channel", "photos"}
        assert accepts(config, {"fields": {"photos": {"listItemConfig": {"photo": {"isBase64": True}}}}})
        assert not accepts(config, {"fields": {"nope": {}}})

    @pytest.mark.parametrize("kind", FIELD_TYPES)
    @pytest.mark.parametrize("schema_of", [data_schema, config_schema])
    def test_is_a_valid_schema_for_every_type(self, kind: str, schema_of: Any) -> None:
        for more in ({}, {"options": OPTIONS}) if FIELD_TYPES[kind].selectable else ({},):
            Draft202012Validator.check_schema(schema_of(one(kind, **NEEDED.get(kind, {}), **more)))

    @given(forms_with_data())
    def test_is_a_valid_schema_for_every_review_type(self, drawn: tuple[Any, Any]) -> None:
        definition = compile_definition(drawn[0])
        for schema in (data_schema(definition), config_schema(definition)):
            Draft202012Validator.check_schema(schema)
            assert json.loads(json.dumps(schema)) == schema

    @pytest.mark.parametrize("segment", ["$ref", "a/b", "~0", "über uns", " ", "0", "properties", "'"])
    def test_any_property_name(self, segment: str) -> None:
        definition = one("number", path=f"deep.{segment}.value")
        good, bad = ({"deep": {segment: {"value": value}}} for value in (1, "one"))
        assert accepts(data_schema(definition), good)
        assert not accepts(data_schema(definition), bad)
        assert codes(definition, good) == set()


class TestDatesAndTimes:
    """The pattern alone decides; it agrees with the calendar."""

    @given(st.integers(0, 10_000), st.integers(0, 13), st.integers(0, 32))
    @example(1900, 2, 29)
    @example(2000, 2, 29)
    @example(2024, 2, 29)
    @example(0, 2, 29)
    def test_days(self, year: int, month: int, day: int) -> None:
        from datetime import date

        text = f"{year:04}-{month:02}-{day:02}"
        try:
            date(year, month, day)
            right = True
        except ValueError:
            right = False
        assert (codes(one("date"), {"f": text}) == set()) == right
        assert accepts(data_schema(one("date")), {"f": text}) == right
        assert accepts(data_schema(one("datetime")), {"f": f"{text}T10:00Z"}) == right

    @pytest.mark.parametrize(
        ("text", "right"),
        [
            ("2026-01-31T23:59:59.123456789+23:59", True),
            ("2026-01-31T10:00", True),
            ("2026-01-31T24:00Z", False),
            ("2026-01-31T10:60Z", False),
            ("2026-01-31T10:00:60Z", False),
            ("2026-01-31T10:00+24:00", False),
            ("2026-01-31T10:00+10:60", False),
            ("2026-01-31T10:00+1000", False),
            ("2026-01-31 10:00", False),
            ("2026-01-31T10:00Z\n", False),
            ("٢٠٢٦-01-31T10:00Z", False),
        ],
    )
    def test_times(self, text: str, right: bool) -> None:
        assert (codes(one("datetime"), {"f": text}) == set()) == right
        assert accepts(data_schema(one("datetime")), {"f": text}) == right


@pytest.mark.parametrize("kind", ["date", "datetime", "link", "image", "video"])
def test_trailing_line_feed(kind: str) -> None:
    """Python's `$` matches before it, JavaScript's doesn't."""
    good = {"date": "2026-01-31", "datetime": "2026-01-31T10:00Z"}.get(kind, "https://a.example/1")
    definition = one(kind)
    assert accepts(data_schema(definition), {"f": good})
    assert not accepts(data_schema(definition), {"f": f"{good}\n"})
    assert codes(definition, {"f": f"{good}\n"})


@pytest.mark.parametrize("width", [400, 400.0])
def test_integers_in_any_notation(width: float) -> None:
    config: Any = {"fields": {"f": {"transform": {"width": width}}}}
    assert accepts(config_schema(one("image")), config)
    assert codes(one("image"), {"f": "https://a.example/1"}, config) == set()
    assert codes(one("image"), {}, {"fields": {"f": {"transform": {"width": 400.5}}}}) == {"out_of_range"}


@pytest.mark.parametrize("data", [{}, {"f": None}, {"f": "text"}])
def test_invalid_default_is_always_rejected(data: Any) -> None:
    config: Any = {"fields": {"f": {"default": 5}}}
    assert codes(one("text"), data, config) == {"wrong_type"}
    assert not accepts(config_schema(one("text")), config)
