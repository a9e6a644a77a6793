import json
from typing import Any

import jsonschema_rs
import pytest
from form_strategies import any_json, forms_with_data, spoiled
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.definition import Definition, compile_definition
from signoff.forms.schema import config_schema, data_schema
from signoff.forms.values import ValueFaults, prepare

OPTIONS = [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]

BEYOND_JSON_SCHEMA = {
    "unknown_option",
    "duplicate_option_id",
    "bad_date",
    "bad_datetime",
    "too_deep",
    "base64_not_declared",
    "bad_media_address",
}


def accepts(schema: Any, value: Any) -> bool:
    return jsonschema_rs.validator_for(schema).is_valid(value)


def codes(definition: Definition, data: Any, config: Any = None) -> set[str]:
    try:
        prepare(definition, data, config)
    except ValueFaults as error:
        return {fault.code for fault in error.faults}
    return set()


def encodable(value: Any) -> bool:
    """The validator takes no lone surrogates and no integers beyond its own."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def test_example() -> None:
    definition = compile_definition(
        {
            "fields": [
                {"id": "headline", "type": "text", "label": "Headline", "path": "draft.headline", "help": "Short"},
                {"id": "channel", "type": "dropdown", "options": OPTIONS},
                {"id": "photos", "type": "list", "item": [{"id": "photo", "type": "image"}]},
            ]
        }
    )
    schema: Any = data_schema(definition)
    assert schema["$schema"].endswith("2020-12/schema")
    headline = schema["properties"]["draft"]["properties"]["headline"]
    assert headline == {"title": "Headline", "description": "Short", "type": ["string", "null"]}
    assert schema["properties"]["channel"]["anyOf"][0]["anyOf"][0] == {"enum": ["x", "y", ""]}
    config: Any = config_schema(definition)
    assert set(config["properties"]["fields"]["properties"]) == {"headline", "channel", "photos"}
    assert accepts(config, {"fields": {"photos": {"listItemConfig": {"photo": {"isBase64": True}}}}})
    assert not accepts(config, {"fields": {"nope": {}}})


@pytest.mark.parametrize("name", ["data", "config"])
def test_is_a_valid_schema_for_every_type(name: str) -> None:
    from signoff.forms.fields import CATALOGUE

    needed: dict[str, Any] = {"list": {"item": [{"id": "c", "type": "image"}]}}
    needed["table"] = {"columns": [{"id": "c", "type": "dropdown", "options": OPTIONS}]}
    fields = [{"id": kind, "type": kind, **needed.get(kind, {})} for kind in CATALOGUE]
    definition = compile_definition({"fields": fields})
    jsonschema_rs.meta.validate(data_schema(definition) if name == "data" else config_schema(definition))


@given(forms_with_data(), st.data())
def test_data_agrees_with_prepare(drawn: tuple[Any, Any], draw: st.DataObject) -> None:
    raw, good = drawn
    definition = compile_definition(raw)
    data = draw.draw(st.just(good) | any_json | spoiled(good))
    if not encodable(data):
        return
    found = codes(definition, data)
    if accepts(data_schema(definition), data):
        assert found <= BEYOND_JSON_SCHEMA
    else:
        assert found


CONFIG: Any = {
    "fields": {
        "a": {"options": OPTIONS, "default": "x"},
        "b": {"isBase64": True, "transform": {"width": 5, "fit": "cover", "background": "#fff"}},
        "c": {"listItemConfig": {"p": {"isBase64": True, "options": OPTIONS}}},
    }
}


@given(forms_with_data(), st.data())
def test_config_agrees_with_prepare(drawn: tuple[Any, Any], draw: st.DataObject) -> None:
    definition = compile_definition(drawn[0])
    config = draw.draw(st.none() | st.just({"fields": {}}) | spoiled(CONFIG) | any_json)
    if not encodable(config):
        return
    found = codes(definition, {}, config)
    if accepts(config_schema(definition), config):
        assert found <= BEYOND_JSON_SCHEMA | {"options_missing"}
    else:
        assert found
