"""`changed` and `approvedArguments`: what an approval changed, and the arguments for the agent's tool call."""

from typing import Any

import pytest
from form_strategies import any_json, fits_in_a_request, forms_with_data, put, values
from hypothesis import assume, given
from hypothesis import strategies as st

from signoff.forms.definition import Definition, compile_definition
from signoff.forms.paths import join_path, split_path
from signoff.forms.submission import SubmissionResult, apply_submission
from signoff.forms.suggestion import InvalidValues, read_suggestion, trigger_suggestion
from signoff.platform.json_values import same_json

OPTIONS = [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}, {"id": "z", "label": "Z"}]
URL, OTHER_URL = "https://a.example/1.png", "https://a.example/2.png"
MULTIPLE = {"id": "f", "type": "checkboxes", "options": OPTIONS}
PHOTOS = {"id": "f", "type": "list", "item": [{"id": "photo", "type": "image"}, {"id": "note", "type": "text"}]}
ROWS = {
    "id": "f",
    "type": "list",
    "item": [{"id": "tags", "type": "checkboxes", "options": OPTIONS}, {"id": "note", "type": "text"}],
}


def form(*fields: dict[str, Any], **members: Any) -> Definition:
    return compile_definition({"fields": list(fields), **members})


def run(
    definition: Definition, data: Any, submitted: Any, response: Any = "approved", config: Any = None
) -> SubmissionResult:
    suggestion = read_suggestion(definition, data, config)
    return apply_submission(definition, suggestion, data, submitted, response, enforce_limits=False)


class TestUnchanged:
    @given(forms_with_data(), any_json)
    def test_arguments_equal_the_sent_data(self, case: tuple[Any, Any], unmapped: Any) -> None:
        raw, sent = case
        assume(raw.get("unmapped") != "reject")
        data = {**sent, "not mapped": unmapped}
        outcome = run(compile_definition({**raw, "rules": []}), data, None)
        assert same_json(outcome.arguments, data)
        assert outcome.changed == ()

    @given(forms_with_data())
    def test_sending_the_result_back_changes_nothing(self, case: tuple[Any, Any]) -> None:
        raw, data = case
        definition = compile_definition({**raw, "rules": []})
        result = run(definition, data, None)
        again = run(definition, data, result.data)
        assert again.changed == ()
        assert same_json(again.arguments, data)


class TestAnyEdit:
    @given(forms_with_data(), st.data())
    def test_changes_are_listed_and_the_result_is_a_valid_request(
        self, case: tuple[Any, Any], draw: st.DataObject
    ) -> None:
        raw, data = case
        definition = compile_definition({**raw, "rules": []})
        before = read_suggestion(definition, data)
        edits: dict[str, Any] = {}
        for field in raw["fields"]:
            if field["type"] != "label" and field["id"] in before.values and draw.draw(st.booleans()):
                put(edits, field.get("path", field["id"]), draw.draw(st.none() | values(field, offers=False)))
        if not fits_in_a_request(edits):
            return
        try:
            outcome = run(definition, data, edits)
        except InvalidValues:
            return
        # An approved value could be sent again, and reads the same.
        after = read_suggestion(definition, outcome.arguments)
        for field in definition.fields:
            if field.id not in outcome.response_values:
                continue
            decided: Any = outcome.response_values[field.id]
            differs = not same_json(decided["value"] or None, before.values[field.id] or None)
            assert (field.id in outcome.changed) >= differs
            if decided["value"] not in (None, "", []) and field.id in after.values:
                assert same_json(after.values[field.id], decided["value"])


class TestChoices:
    @pytest.mark.parametrize(
        ("sent", "submitted", "expected"),
        [
            (["x"], ["x", "y"], ["x", "y"]),
            (["y", "x"], ["x", "y", "z"], ["y", "x", "z"]),
            (["y", "x"], ["x"], ["x"]),
            ("x", ["y"], "y"),
            ("x", ["x", "y"], ["x", "y"]),
            ([{"id": "x", "label": "X"}], ["x", "y"], [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]),
            ([{"id": "x"}, "y"], ["x", "y", "z"], [{"id": "x"}, "y", "z"]),
            (["x"], [], []),
            ([], ["z", "x"], ["x", "z"]),
            ({"options": OPTIONS[:2], "default": ["x"]}, ["y"], {"options": OPTIONS[:2], "default": ["y"]}),
            ({"options": OPTIONS}, ["z"], {"options": OPTIONS, "default": ["z"]}),
        ],
    )
    def test_several(self, sent: Any, submitted: Any, expected: Any) -> None:
        outcome = run(form(MULTIPLE), {"f": sent, "own": 1}, {"f": submitted})
        assert outcome.arguments == {"f": expected, "own": 1}
        assert outcome.changed == ("f",)

    def test_choice_that_was_not_sent(self) -> None:
        assert run(form(MULTIPLE), {}, {"f": ["y"]}).arguments == {"f": ["y"]}

    def test_single(self) -> None:
        definition = form({"id": "f", "type": "dropdown", "options": OPTIONS})
        assert run(definition, {"f": "x"}, {"f": "y"}).arguments == {"f": "y"}
        assert run(definition, {"f": {"options": OPTIONS[:2]}}, {"f": "y"}).arguments == {
            "f": {"options": OPTIONS[:2], "default": "y"}
        }

    def test_left_without_a_choice(self) -> None:
        definition = form(MULTIPLE, {"id": "g", "type": "buttons", "options": OPTIONS})
        outcome = run(definition, {}, None)
        assert outcome.response_values == {"f": {"value": []}, "g": {"value": None}}
        assert (outcome.changed, outcome.arguments, outcome.data) == ((), {}, {})

    def test_hidden_without_a_choice(self) -> None:
        assert run(form(MULTIPLE), {"f": None}, None).response_values == {}


class TestLists:
    def test_items_keep_their_format(self) -> None:
        sent = [{"tags": ["x"], "note": "a", "own": 1}, {"tags": ["y", "x"], "note": "b"}]
        edits = [{"tags": ["y", "x"], "note": "b"}, {"tags": ["x"], "note": "edited", "own": 1}]
        outcome = run(form(ROWS), {"f": sent}, {"f": edits})
        assert outcome.arguments == {"f": [sent[1], {"tags": ["x"], "note": "edited", "own": 1}]}

    def test_a_changed_choice_in_an_item(self) -> None:
        outcome = run(form(ROWS), {"f": [{"tags": ["x"]}]}, {"f": [{"tags": ["x", "z"]}, {"tags": ["y"]}]})
        assert outcome.arguments == {"f": [{"tags": ["x", "z"]}, {"tags": ["y"]}]}

    def test_plain_values_of_the_media_child(self) -> None:
        data = {"f": [URL, OTHER_URL]}
        outcome = run(form(PHOTOS), data, None)
        assert outcome.data == outcome.arguments == data
        assert outcome.response_values == {
            "f": {"value": [{"photo": URL}, {"photo": OTHER_URL}], "wasEdited": False},
        }
        removed = run(form(PHOTOS), data, {"f": [{"photo": OTHER_URL}]})
        assert removed.arguments == removed.data == {"f": [OTHER_URL]}

    def test_plain_values_become_objects_if_necessary(self) -> None:
        outcome = run(form(PHOTOS), {"f": [URL, OTHER_URL]}, {"f": [{"photo": URL, "note": "n"}, {"photo": OTHER_URL}]})
        assert outcome.arguments == {"f": [{"photo": URL, "note": "n"}, {"photo": OTHER_URL}]}

    @pytest.mark.parametrize(
        "item", [[{"id": "a", "type": "image"}, {"id": "b", "type": "file"}], [{"id": "a", "type": "text"}] * 2]
    )
    def test_plain_values_need_a_single_child(self, item: Any) -> None:
        item = [{**child, "id": f"{child['id']}{index}"} for index, child in enumerate(item)]
        with pytest.raises(InvalidValues):
            run(form({"id": "f", "type": "list", "item": item}), {"f": [URL]}, None)

    def test_plain_values_are_only_for_lists(self) -> None:
        with pytest.raises(InvalidValues):
            run(form({"id": "f", "type": "table", "columns": PHOTOS["item"]}), {"f": [URL]}, None)


class TestAbsentValues:
    def test_unchanged_default(self) -> None:
        outcome = run(form({"id": "f", "type": "text", "default": "D"}), {}, None)
        assert (outcome.data, outcome.arguments) == ({"f": "D"}, {})

    def test_changed_default(self) -> None:
        outcome = run(form({"id": "f", "type": "text", "default": "D"}), {}, {"f": "E"})
        assert (outcome.changed, outcome.arguments) == (("f",), {"f": "E"})

    def test_hidden_by_a_rule(self) -> None:
        hide = {"target": "g", "effect": "hide", "when": {"field": "f.value", "operation": "equal", "value": "b"}}
        definition = form({"id": "f", "type": "text"}, {"id": "g", "type": "text", "path": "in.g"}, rules=[hide])
        outcome = run(definition, {"f": "a", "in": {"g": "G", "own": 1}}, {"f": "b", "in": {"g": "edited"}})
        assert (outcome.changed, outcome.arguments) == (("f",), {"f": "b", "in": {"own": 1}})


class TestChanged:
    def test_every_type(self) -> None:
        fields = [
            {"id": "photo", "type": "image", "editable": True},
            {"id": "pick", "type": "dropdown", "options": OPTIONS},
            {"id": "on", "type": "boolean"},
            {"id": "n", "type": "number"},
            {"id": "same", "type": "text"},
        ]
        data = {"photo": URL, "pick": "x", "on": True, "n": 1, "same": "s"}
        outcome = run(
            form(*fields), data, {"photo": None, "pick": "y", "on": False, "n": None, "same": "s"}, "rejected"
        )
        assert outcome.changed == ("photo", "pick", "on", "n")

    def test_trigger_form(self) -> None:
        definition = form({"id": "f", "type": "text"}, {**MULTIPLE, "id": "g"}, {"id": "h", "type": "text"})
        outcome = apply_submission(definition, trigger_suggestion(definition), {}, {"f": "a", "g": ["x"]}, None)
        assert (outcome.changed, outcome.arguments) == (("f", "g"), {"f": "a", "g": ["x"]})


class TestPaths:
    @given(st.lists(st.text(st.sampled_from("a.\\\n"), min_size=1), min_size=1).map(tuple))
    def test_round_trip(self, names: tuple[str, ...]) -> None:
        assert split_path(join_path(names)) == names

    @pytest.mark.parametrize(
        ("text", "names"),
        [("a.b", ("a", "b")), (r"a\.b.c", ("a.b", "c")), (r"a\b", (r"a\b",)), (r"a\\.b", ("a\\", "b"))],
    )
    def test_read(self, text: str, names: tuple[str, ...]) -> None:
        assert split_path(text) == names

    def test_names_with_and_without_a_dot_are_different(self) -> None:
        definition = form({"id": "f", "type": "text", "path": r"a\.b"}, {"id": "g", "type": "text", "path": "a.b"})
        data = {"a.b": "one", "a": {"b": "two"}}
        outcome = run(definition, data, {"a.b": "1", "a": {"b": "2"}})
        assert outcome.arguments == {"a.b": "1", "a": {"b": "2"}}
        assert [field["path"] for field in definition.to_json()["fields"]] == [r"a\.b", "a.b"]  # type: ignore[index,union-attr]
