"""A few lines of a review, and whether they are all of it."""

from typing import Any

import pytest

from signoff.forms.definition import compile_definition
from signoff.forms.values import prepare
from signoff.reviews.summary import LONGEST_TITLE, Summary, summarize

OPTIONS = [{"id": "x", "label": "First option"}, {"id": "y", "label": "Second"}]
TITLE = {"id": "t", "type": "text"}
URL = "https://a.example/1.png"


def summary(fields: list[dict[str, Any]], data: dict[str, Any], title: str = "A title", **members: Any) -> Summary:
    definition = compile_definition({"fields": fields, **members})
    return summarize(definition, prepare(definition, data), data, title)


def one(value: Any, kind: str = "text", **settings: Any) -> Summary:
    return summary([{"id": "f", "type": kind, **settings}], {"f": value})


COMPLETE: list[Any] = [
    ("short text", "text", {}),
    ("x" * 200, "longText", {}),
    ("two\n\nparagraphs", "longText", {}),
    ("", "text", {}),
    (7.5, "number", {}),
    (False, "boolean", {}),
    ("x", "dropdown", {"options": OPTIONS}),
    (["x", "y"], "checkboxes", {"options": OPTIONS}),
    (["a", "b"], "list", {"item": [{"id": "i", "type": "text"}]}),
    ([], "list", {"item": [{"id": "i", "type": "image"}]}),
    ("if x: y", "code", {}),
]
INCOMPLETE: list[Any] = [
    ("x" * 201, "longText", {}),
    ("x " * 150, "longText", {}),
    ("if x:\n    y", "code", {}),
    ("<p>a</p>\n<p>b</p>", "richText", {}),
    ({"a": 1}, "json", {}),
    (URL, "image", {}),
    (URL, "video", {}),
    (URL, "file", {}),
    ([URL], "list", {"item": [{"id": "i", "type": "image"}]}),
    ([{"c": "a"}], "table", {"columns": [{"id": "c", "type": "text"}]}),
    ([{"i": "a"}], "list", {"item": [{"id": "i", "type": "text"}]}),
    (["a"] * 500, "list", {"item": [{"id": "i", "type": "text"}]}),
    ("read this", "label", {}),
    ([{"id": "x"}], "checkboxes", {"options": [{"id": "x", "label": "l" * 300}]}),
]


class TestComplete:
    @pytest.mark.parametrize(("value", "kind", "settings"), COMPLETE)
    def test_whole(self, value: Any, kind: str, settings: dict[str, Any]) -> None:
        assert one(value, kind, **settings).is_complete

    @pytest.mark.parametrize(("value", "kind", "settings"), INCOMPLETE)
    def test_cut_or_not_shown(self, value: Any, kind: str, settings: dict[str, Any]) -> None:
        assert not one(value, kind, **settings).is_complete

    def test_more_fields_than_are_shown(self) -> None:
        fields = [{"id": name, "type": "text"} for name in "abcd"]
        assert summary(fields, {"a": "1", "b": "2", "c": "3"}).is_complete
        found = summary(fields, {"a": "1", "b": "2", "c": "3", "d": "4"})
        assert [each["text"] for each in found.values] == ["1", "2", "3"]
        assert not found.is_complete

    def test_unmapped_values(self) -> None:
        assert not summary([TITLE], {"t": "a", "amount": 1}).is_complete
        assert summary([TITLE], {"t": "a", "amount": 1}, unmapped="hide").is_complete

    def test_what_rules_hide_is_no_part_of_the_result(self) -> None:
        rule = {"target": "b", "effect": "show", "when": {"field": "a.value", "operation": "==", "value": "yes"}}
        fields = [{"id": "a", "type": "text"}, {"id": "b", "type": "image"}]
        assert summary(fields, {"a": "no", "b": URL}, rules=[rule]).is_complete
        assert not summary(fields, {"a": "yes", "b": URL}, rules=[rule]).is_complete

    @pytest.mark.parametrize(
        ("value", "title", "is_complete"),
        [
            ("A title", "A title", True),
            ("A\ntitle", "A title", True),
            ("A title", "Another that the request gave", False),
            ("x" * LONGEST_TITLE, "x" * LONGEST_TITLE, True),
            ("x" * 150, "x" * 150, False),
            ("x" * 300, "x" * 200, False),
        ],
    )
    def test_title(self, value: str, title: str, is_complete: bool) -> None:
        assert summary([TITLE], {"t": value}, title, titleField="t").is_complete is is_complete


def test_structures_are_counted() -> None:
    table = {"id": "r", "type": "table", "label": "Rows", "columns": [{"id": "c", "type": "text"}]}
    assert summary([table], {"r": [{"c": "a"}, {"c": "b"}]}).values == [{"label": "Rows", "text": "2 items"}]
