"""Summaries of reviews: the first values, and whether they are complete."""

from typing import Any

import pytest

from signoff.forms.definition import compile_definition
from signoff.forms.suggestion import read_suggestion
from signoff.platform.messages import ENGLISH, LANGUAGES
from signoff.reviews.summary import MAX_TITLE_LENGTH, Summary, summarize

OPTIONS = [{"id": "x", "label": "First option"}, {"id": "y", "label": "Second"}]
TITLE = {"id": "t", "type": "text"}
URL = "https://a.example/1.png"


def summary(
    fields: list[dict[str, Any]],
    data: dict[str, Any],
    title: str = "A title",
    language: str = ENGLISH,
    config: Any = None,
    **members: Any,
) -> Summary:
    form: dict[str, Any] = {"fields": fields, **members}
    definition = compile_definition(form)
    return summarize(definition, read_suggestion(definition, data, config), data, title, language)


def one(value: Any, kind: str = "text", **settings: Any) -> Summary:
    return summary([{"id": "f", "type": kind, **settings}], {"f": value})


COMPLETE: list[Any] = [
    ("short text", "text", {}),
    ("x" * 200, "longText", {}),
    ("two\n\nparagraphs", "longText", {}),
    ("", "text", {}),
    (7.5, "number", {}),
    (500, "number", {"unit": "EUR"}),
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
    ({"label": "harmless", "amount": 1_000_000}, "json", {}),
    ([{"label": "harmless", "amount": 9}], "list", {"item": [{"id": i, "type": "json"} for i in ("label", "amount")]}),
    ([{"id": "x"}], "checkboxes", {"options": [{"id": "x", "label": "l" * 300}]}),
]


class TestComplete:
    @pytest.mark.parametrize(("value", "kind", "settings"), COMPLETE)
    def test_whole(self, value: Any, kind: str, settings: dict[str, Any]) -> None:
        assert one(value, kind, **settings).is_complete

    @pytest.mark.parametrize(("value", "kind", "settings"), INCOMPLETE)
    def test_truncated_or_hidden(self, value: Any, kind: str, settings: dict[str, Any]) -> None:
        assert not one(value, kind, **settings).is_complete

    def test_more_fields_than_shown(self) -> None:
        fields = [{"id": name, "type": "text"} for name in "abcd"]
        assert summary(fields, {"a": "1", "b": "2", "c": "3"}).is_complete
        shown_values = summary(fields, {"a": "1", "b": "2", "c": "3", "d": "4"})
        assert [entry["text"] for entry in shown_values.values] == ["1", "2", "3"]
        assert not shown_values.is_complete

    def test_unmapped_values(self) -> None:
        assert not summary([TITLE], {"t": "a", "amount": 1}).is_complete
        assert summary([TITLE], {"t": "a", "amount": 1}, unmapped="hide").is_complete

    def test_hidden_fields_are_left_out(self) -> None:
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
            ("x" * MAX_TITLE_LENGTH, "x" * MAX_TITLE_LENGTH, True),
            ("x" * 150, "x" * 150, False),
            ("x" * 300, "x" * 200, False),
        ],
    )
    def test_title(self, value: str, title: str, is_complete: bool) -> None:
        assert summary([TITLE], {"t": value}, title, titleField="t").is_complete is is_complete


def test_structures_are_counted() -> None:
    table = {"id": "r", "type": "table", "label": "Rows", "columns": [{"id": "c", "type": "text"}]}
    assert summary([table], {"r": [{"c": "a"}, {"c": "b"}]}).values == [{"label": "Rows", "text": "2 items"}]


def test_options_without_a_label_and_plain_values_of_a_child_field() -> None:
    options = [{"id": "x", "label": ""}, {"id": "y", "label": "Second"}]
    assert one("x", "dropdown", options=options).values[0]["text"] == "x"
    child = {"id": "c", "type": "dropdown", "options": options}
    assert one(["y", "x"], "list", item=[child]).values[0]["text"] == "Second and x"


class TestNumbersAndDates:
    @pytest.mark.parametrize(
        ("kind", "value", "english", "german"),
        [
            ("number", 7.5, "7.5", "7,5"),
            ("number", 7.0, "7", "7"),
            ("number", -2026, "-2026", "-2026"),
            ("number", 9007199254740993, "9007199254740993", "9007199254740993"),
            ("number", 0.30000000000000004, "0.30000000000000004", "0,30000000000000004"),
            ("number", 1e300, "1e+300", "1e+300"),
            ("date", "2026-11-09", "November 9, 2026", "9. November 2026"),
            ("date", "0026-11-09", "0026-11-09", "0026-11-09"),
            ("datetime", "2026-11-09T04:30", "November 9, 2026, 04:30 UTC", "9. November 2026, 04:30 UTC"),
            ("datetime", "2026-11-09T04:30:00.000Z", "November 9, 2026, 04:30 UTC", "9. November 2026, 04:30 UTC"),
            (
                "datetime",
                "2026-11-09T04:30:05+05:30",
                "November 9, 2026, 04:30:05 UTC+5:30",
                "9. November 2026, 04:30:05 UTC+5:30",
            ),
            (
                "datetime",
                "9999-12-31T23:59:00.000000109-23:59",
                "December 31, 9999, 23:59:00.000000109 UTC-23:59",
                "31. Dezember 9999, 23:59:00,000000109 UTC-23:59",
            ),
        ],
    )
    def test_in_the_readers_language(self, kind: str, value: Any, english: str, german: str) -> None:
        field = {"id": "f", "type": kind}
        for language, text in (("en", english), ("de", german)):
            assert summary([field], {"f": value}, language=language).values == [{"label": "f", "text": text}]

    def test_unit(self) -> None:
        amount = {"id": "i", "type": "number", "unit": "EUR"}
        assert summary([amount], {"i": 0.5}, language="de").values[0]["text"] == "0,5 EUR"
        list_field = {"id": "f", "type": "list", "item": [amount]}
        assert summary([list_field], {"f": [500, 7]}, language="en").values[0]["text"] == "500 EUR and 7 EUR"

    def test_items(self) -> None:
        list_field = {"id": "f", "type": "list", "item": [{"id": "i", "type": "date"}]}
        shown = summary([list_field], {"f": ["2026-11-09", "2026-12-01"]}, language="de")
        assert shown.values[0]["text"] == "9. November 2026 und 1. Dezember 2026"
        assert summary([{"id": "f", "type": "json"}], {"f": [0.5, 2]}, language="de").values[0]["text"] == "0,5 und 2"

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(
        ("kind", "value"),
        [("number", -1234567.5), ("date", "2026-11-09"), ("datetime", "2026-11-09T04:30:05.25-03:00")],
    )
    def test_are_complete_in_every_language(self, kind: str, value: Any, language: str) -> None:
        """A review with these values can be decided from a chat post, which shows every digit."""
        shown = summary([{"id": "f", "type": kind}], {"f": value}, language=language)
        assert shown.is_complete
        digits = {
            "number": ["1234567", "5"],
            "date": ["2026", "9"],
            "datetime": ["2026", "9", "4:30:05", "25", "UTC-3"],
        }
        assert all(digit in shown.values[0]["text"] for digit in digits[kind])


CHANNEL = {"id": "channel", "type": "dropdown", "label": "Channel", "options": OPTIONS}
TAGS = {"id": "tags", "type": "checkboxes", "label": "Tags", "options": OPTIONS}
URGENT = {"id": "urgent", "type": "boolean", "label": "Urgent", "trueLabel": "Today", "falseLabel": "Can wait"}
ITEMS = {"id": "items", "type": "list", "label": "Items", "item": [CHANNEL]}
GERMAN_OPTIONS = {"x": {"label": "Erste Option"}}


def german(field: dict[str, Any], value: Any, texts: dict[str, Any], **members: Any) -> dict[str, str]:
    translations = {"de": {"fields": {field["id"]: texts}}, "fr": {"fields": {field["id"]: {"label": "Champ"}}}}
    [shown] = summary([field], {field["id"]: value}, language="de", translations=translations, **members).values
    return shown


class TestLanguages:
    @pytest.mark.parametrize(
        ("field", "value", "texts", "shown"),
        [
            (CHANNEL, "x", {"label": "Kanal"}, ("Kanal", "First option")),
            (CHANNEL, "x", {"options": GERMAN_OPTIONS}, ("Channel", "Erste Option")),
            (CHANNEL, "y", {"options": GERMAN_OPTIONS}, ("Channel", "Second")),
            (TAGS, ["y", "x"], {"options": GERMAN_OPTIONS}, ("Tags", "Erste Option und Second")),
            (URGENT, True, {"trueLabel": "Heute"}, ("Urgent", "Heute")),
            (URGENT, False, {"trueLabel": "Heute"}, ("Urgent", "Can wait")),
            (
                ITEMS,
                ["x", "y"],
                {"fields": {"channel": {"options": GERMAN_OPTIONS}}},
                ("Items", "Erste Option und Second"),
            ),
            (CHANNEL, "x", {"label": "<b>{label}</b>"}, ("<b>{label}</b>", "First option")),
            (CHANNEL, "x", {"label": "l" * 200}, ("l" * 200, "First option")),
        ],
    )
    def test_text_by_text(self, field: dict[str, Any], value: Any, texts: Any, shown: tuple[str, str]) -> None:
        assert german(field, value, texts) == dict(zip(("label", "text"), shown, strict=True))

    @pytest.mark.parametrize(
        ("language", "shown"),
        [("en", "a, b, and c"), ("de", "a, b und c"), ("ja", "a、b、c"), ("ar", "a وb وc")],
    )
    def test_lists(self, language: str, shown: str) -> None:
        list_field = {"id": "f", "type": "list", "item": [{"id": "i", "type": "text"}]}
        tagged = {"id": "f", "type": "checkboxes", "options": [{"id": letter, "label": letter} for letter in "abc"]}
        for field in (list_field, tagged):
            assert summary([field], {"f": ["a", "b", "c"]}, language=language).values[0]["text"] == shown

    @pytest.mark.parametrize("language", ["en", "fr", "ja"])
    def test_other_languages_show_the_original(self, language: str) -> None:
        translations = {"de": {"fields": {"channel": {"label": "Kanal", "options": GERMAN_OPTIONS}}}}
        shown = summary([CHANNEL], {"channel": "x"}, language=language, translations=translations)
        assert shown.values == [{"label": "Channel", "text": "First option"}]

    def test_the_language_it_was_written_in(self) -> None:
        translations = {"en": {"fields": {"channel": {"label": "Send by"}}}}
        assert summary([CHANNEL], {"channel": "x"}, translations=translations).values[0]["label"] == "Send by"

    def test_options_of_the_request_are_its_own(self) -> None:
        config = {"fields": {"channel": {"options": [{"id": "x", "label": "As sent"}]}}}
        assert german(CHANNEL, "x", {"options": GERMAN_OPTIONS}, config=config)["text"] == "As sent"
        offer: Any = {"options": [{"id": "x", "label": "As sent"}], "default": "x"}
        assert german(CHANNEL, offer, {"options": GERMAN_OPTIONS})["text"] == "As sent"

    def test_rules_read_the_original_labels(self) -> None:
        condition = {"field": "tags.value[].label", "operation": "arrayIncludes", "value": "First option"}
        rule = {"target": "channel", "effect": "show", "when": condition}
        texts = {"de": {"fields": {"tags": {"options": GERMAN_OPTIONS}}}}
        data = {"tags": ["x"], "channel": "y"}
        shown = summary([TAGS, CHANNEL], data, language="de", rules=[rule], translations=texts)
        assert [entry["label"] for entry in shown.values] == ["Tags", "Channel"]

    def test_what_a_long_translation_cuts_is_not_complete(self) -> None:
        texts = {"de": {"fields": {"channel": {"options": {"x": {"label": "l" * 201}}}}}}
        assert not summary([CHANNEL], {"channel": "x"}, language="de", translations=texts).is_complete
        assert summary([CHANNEL], {"channel": "x"}, language="fr", translations=texts).is_complete
