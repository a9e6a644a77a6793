"""Finding and replacing the images and videos of a request: a pure function, with property tests."""

import copy
from typing import Any

import pytest
from form_strategies import forms_with_data
from hypothesis import given

from signoff.forms.definition import compile_definition
from signoff.forms.fields.transform import Transform
from signoff.forms.media_values import MediaValue, ValuePath, media_values, replace_values
from signoff.forms.suggestion import read_suggestion

URL = "https://pictures.example.com/"
BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
FIELDS: list[dict[str, Any]] = [
    {"id": "photo", "type": "image", "path": "draft.photo"},
    {"id": "clip", "type": "video"},
    {"id": "sound", "type": "audio"},
    {"id": "paper", "type": "file"},
    {"id": "note", "type": "text"},
    {"id": "photos", "type": "list", "item": [{"id": "photo", "type": "image"}]},
    {
        "id": "mixed",
        "type": "list",
        "item": [{"id": "photo", "type": "image"}, {"id": "clip", "type": "video"}, {"id": "text", "type": "text"}],
    },
    {"id": "rows", "type": "table", "columns": [{"id": "cell", "type": "image"}, {"id": "sound", "type": "audio"}]},
    {"id": "words", "type": "list", "item": [{"id": "word", "type": "text"}]},
]


def found(data: Any, config: Any = None, fields: Any = FIELDS) -> list[MediaValue]:
    definition = compile_definition({"fields": list(fields)})
    return list(media_values(definition, data, read_suggestion(definition, data, config).configs))


def value_at(members: Any, place: ValuePath) -> Any:
    for step in place:
        members = members[step]
    return members


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, {}),
        ({"draft": {"photo": None}, "clip": None, "photos": None}, {}),
        ({"draft": {"photo": URL + "1"}}, {"data.draft.photo": "image"}),
        ({"clip": URL + "1"}, {"data.clip": "video"}),
        ({"sound": URL + "1", "paper": URL + "2", "note": URL + "3", "other": URL + "4"}, {}),
        ({"photos": []}, {}),
        ({"photos": [URL + "1", URL + "2"]}, {"data.photos[0]": "image", "data.photos[1]": "image"}),
        (
            {"photos": [{"photo": URL + "1"}, {"photo": None}, {}, {"photo": URL + "2", "own": URL}]},
            {"data.photos[0].photo": "image", "data.photos[3].photo": "image"},
        ),
        ({"photos": [URL + "1", {"photo": URL + "2"}]}, {"data.photos[0]": "image", "data.photos[1].photo": "image"}),
        (
            {"mixed": [{"text": URL}, {"photo": URL + "1", "clip": URL + "2", "text": "a"}]},
            {"data.mixed[1].photo": "image", "data.mixed[1].clip": "video"},
        ),
        ({"rows": [{"cell": URL + "1", "sound": URL + "2"}]}, {"data.rows[0].cell": "image"}),
        ({"words": [URL]}, {}),
    ],
)
def test_finds_media_and_their_paths(data: dict[str, Any], expected: dict[str, str]) -> None:
    assert {value.where: value.field.type.name for value in found(data)} == expected


def test_includes_the_config_of_the_request() -> None:
    config = {
        "fields": {
            "photo": {"isBase64": True, "transform": {"width": 10}},
            "photos": {"listItemConfig": {"photo": {"isBase64": True}}},
        }
    }
    data = {"draft": {"photo": BASE64}, "photos": [BASE64, URL], "clip": URL}
    by_place = {value.where: value.config for value in found(data, config)}
    assert by_place["data.draft.photo"].is_base64
    assert by_place["data.draft.photo"].transform == Transform(width=10)
    assert by_place["data.photos[0]"].is_base64
    assert by_place["data.photos[1]"].is_base64
    assert not by_place["data.clip"].is_base64


class TestDefaults:
    FIELDS = (
        {"id": "photo", "type": "image", "default": URL + "form"},
        {"id": "photos", "type": "list", "item": [{"id": "photo", "type": "image"}], "default": [URL + "list"]},
    )

    def test_of_the_review_type_apply_without_one_in_the_request(self) -> None:
        assert [(value.text, value.place) for value in found({}, fields=self.FIELDS)] == [
            (URL + "form", ()),
            (URL + "list", ()),
        ]
        sent = found({"photo": URL + "sent", "photos": None}, fields=self.FIELDS)
        assert [value.text for value in sent] == [URL + "sent"]

    def test_of_the_request_override_the_review_type(self) -> None:
        config = {"fields": {"photo": {"default": BASE64, "isBase64": True}}}
        [first, *_] = found({}, config, self.FIELDS)
        assert (first.text, first.where) == (BASE64, "config.fields.photo.default")

    def test_of_the_request_are_found_next_to_a_value(self) -> None:
        """They are stored with the request in either case, and base64 must not be."""
        config = {"fields": {"photo": {"default": BASE64, "isBase64": True}}}
        places = [value.where for value in found({"photo": URL, "photos": None}, config, self.FIELDS)]
        assert places == ["data.photo", "config.fields.photo.default"]


def paths(value: Any, place: ValuePath = ()) -> dict[ValuePath, Any]:
    """Every scalar (and empty container) by path."""
    if isinstance(value, dict) and value:
        return {inner: held for name, child in value.items() for inner, held in paths(child, (*place, name)).items()}
    if isinstance(value, list) and value:
        return {
            inner: held for index, child in enumerate(value) for inner, held in paths(child, (*place, index)).items()
        }
    return {place: value}


@given(forms_with_data())
def test_replaces_only_found_media(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
    form, data = case
    definition = compile_definition(form)
    suggestion = read_suggestion(definition, data)
    members: dict[str, Any] = {"data": data, "config": None}
    before = copy.deepcopy(members)
    values = [value for value in media_values(definition, data, suggestion.configs) if value.place]
    assert len({value.place for value in values}) == len(values)
    for value in values:
        assert value_at(members, value.place) == value.text
    changes = {value.place: f"{URL}{number}" for number, value in enumerate(values)}
    after = replace_values(members, changes)
    assert members == before
    assert {**paths(before), **changes} == paths(after)
    assert list(after["data"]) == list(data), "members keep their order"
    read_suggestion(definition, after["data"])


def test_unchanged_values_are_shared() -> None:
    """A large request isn't held twice."""
    members: dict[str, Any] = {"data": {"big": ["x" * 1000], "draft": {"photo": URL, "own": [1]}}, "config": None}
    after = replace_values(members, {("data", "draft", "photo"): "new"})
    assert after["data"]["big"] is members["data"]["big"]
    assert after["data"]["draft"]["own"] is members["data"]["draft"]["own"]
    assert members["data"]["draft"]["photo"] == URL
