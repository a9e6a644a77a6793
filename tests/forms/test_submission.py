import copy
import json
from typing import Any

import pytest
from form_strategies import any_json, forms_with_data, spoiled, values
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.definition import Definition, compile_definition
from signoff.forms.submission import SubmissionResult, apply_submission, response_values
from signoff.forms.suggestion import InvalidValues, read_suggestion, trigger_suggestion
from signoff.platform.json_values import same_json

OPTIONS = [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]
URL, OTHER_URL = "https://a.example/1.png", "https://a.example/2.png"


def form(*fields: dict[str, Any], **members: Any) -> Definition:
    return compile_definition({"fields": list(fields), **members})


def one(kind: str, **settings: Any) -> Definition:
    return form({"id": "f", "type": kind, **settings})


def run(
    definition: Definition, data: dict[str, Any], submitted: Any, response: Any = "approved", **options: Any
) -> SubmissionResult:
    return apply_submission(definition, read_suggestion(definition, data), data, submitted, response, **options)


def result_of(outcome: SubmissionResult) -> tuple[Any, Any]:
    return outcome.data, outcome.response_values


def errors_of(
    definition: Definition, data: dict[str, Any], submitted: Any, response: Any = "approved"
) -> list[tuple[str, str]]:
    with pytest.raises(InvalidValues) as caught:
        run(definition, data, submitted, response)
    return [(error.path, error.code) for error in caught.value.errors]


class TestMerging:
    def test_edits_are_written_to_their_paths(self) -> None:
        definition = form(
            {"id": "headline", "type": "text", "path": "draft.headline"},
            {"id": "score", "type": "number"},
            {"id": "channel", "type": "dropdown", "options": OPTIONS, "path": "draft.out.channel"},
        )
        data = {"draft": {"headline": "A", "own": [1]}, "score": 1, "extra": {"k": 1}}
        before = copy.deepcopy(data)
        outcome = run(definition, data, {"draft": {"headline": "B", "out": {"channel": "y"}}})
        assert data == before
        assert outcome.data == {
            "draft": {"headline": "B", "own": [1], "out": {"channel": "y"}},
            "score": 1,
            "extra": {"k": 1},
        }
        assert outcome.response_values == {
            "headline": {"value": "B", "wasEdited": True},
            "score": {"value": 1, "wasEdited": False},
            "channel": {"value": "y"},
        }

    @pytest.mark.parametrize("submitted", [None, {}, {"f": "A"}])
    def test_nothing_changed(self, submitted: Any) -> None:
        outcome = run(one("text"), {"f": "A"}, submitted)
        assert outcome.data == {"f": "A"}
        assert outcome.response_values == {"f": {"value": "A", "wasEdited": False}}

    def test_kept_default_is_part_of_the_result(self) -> None:
        outcome = run(one("text", default="D"), {}, None)
        assert result_of(outcome) == ({"f": "D"}, {"f": {"value": "D", "wasEdited": False}})

    def test_hidden_field_stays_as_sent(self) -> None:
        assert result_of(run(one("text"), {"f": None}, {"f": None})) == ({"f": None}, {})
        assert result_of(run(one("text"), {}, {})) == ({}, {})

    def test_labels_are_only_in_the_data(self) -> None:
        assert result_of(run(one("label"), {"f": "T"}, {"f": "T"})) == ({"f": "T"}, {})
        assert result_of(run(one("label", text="T"), {}, {})) == ({}, {})


class TestWasEdited:
    @pytest.mark.parametrize(
        ("kind", "suggested", "submitted", "edited"),
        [
            ("text", "a", "a ", True),
            ("text", "a", "a", False),
            ("text", "", None, False),
            ("text", "a", None, True),
            ("number", 1, 1.0, False),
            ("number", 1, 2, True),
            ("number", 1, None, True),
            ("json", 1, True, True),
            ("json", 1, 1.0, False),
            ("json", {"a": 1, "b": 2}, {"b": 2, "a": 1.0}, False),
            ("json", [1, 2], [2, 1], True),
            ("json", {"a": 1}, None, True),
            ("date", "2026-01-01", "2026-01-02", True),
            ("code", "x", "y", True),
            ("rating", 3, 4, True),
        ],
    )
    def test_by_type(self, kind: str, suggested: Any, submitted: Any, edited: bool) -> None:
        outcome = run(one(kind), {"f": suggested}, {"f": submitted})
        assert outcome.response_values["f"]["wasEdited"] is edited

    def test_cleared_values(self) -> None:
        text = run(one("text"), {"f": "a"}, {"f": None})
        assert result_of(text) == ({"f": ""}, {"f": {"value": "", "wasEdited": True}})
        number = run(one("number"), {"f": 1}, {"f": None})
        assert result_of(number) == ({"f": None}, {"f": {"value": None, "wasEdited": True}})
        result = run(one("list", item=[{"id": "c", "type": "text"}]), {"f": ["a"]}, {"f": None})
        assert result_of(result) == ({"f": []}, {"f": {"value": [], "wasEdited": True}})
        assert result_of(run(one("boolean"), {"f": True}, {"f": None})) == ({"f": None}, {})
        assert result_of(run(one("image", editable=True), {"f": URL}, {"f": None})) == ({"f": None}, {})

    def test_absent_for_selections_media_and_booleans(self) -> None:
        assert run(one("boolean"), {"f": True}, {"f": False}).response_values == {"f": {"value": False}}
        choice = run(one("dropdown", options=OPTIONS), {"f": "x"}, {"f": "y"})
        assert result_of(choice) == ({"f": "y"}, {"f": {"value": "y"}})
        image = run(one("image", editable=True), {"f": URL}, {"f": OTHER_URL})
        assert result_of(image) == ({"f": OTHER_URL}, {"f": {"value": OTHER_URL}})


class TestChoices:
    OFFER: Any = {"options": OPTIONS, "default": "x"}  # noqa: RUF012

    @pytest.mark.parametrize("submitted", [None, {"f": OFFER}, {"f": "x"}])
    def test_offered_options_become_the_choice(self, submitted: Any) -> None:
        assert result_of(run(one("dropdown"), {"f": self.OFFER}, submitted)) == ({"f": "x"}, {"f": {"value": "x"}})

    def test_offer_without_a_choice(self) -> None:
        assert result_of(run(one("dropdown"), {"f": {"options": OPTIONS}}, None)) == (
            {"f": None},
            {"f": {"value": None}},
        )
        assert result_of(run(one("dropdown"), {"f": self.OFFER}, {"f": None})) == ({"f": None}, {"f": {"value": None}})
        assert result_of(run(one("checkboxes"), {"f": {"options": OPTIONS}}, None)) == (
            {"f": None},
            {"f": {"value": []}},
        )

    def test_cleared_multiple_choice(self) -> None:
        multiple = one("checkboxes", options=OPTIONS)
        emptied = ({"f": []}, {"f": {"value": []}})
        assert result_of(run(multiple, {"f": ["x"]}, {"f": None})) == emptied
        assert result_of(run(multiple, {"f": ["x"]}, {"f": []})) == emptied
        assert result_of(run(multiple, {}, {"f": []})) == emptied
        assert result_of(run(multiple, {}, {"f": None})) == ({}, {"f": {"value": []}})
        assert result_of(run(multiple, {"f": []}, None)) == emptied

    @pytest.mark.parametrize("submitted", [["y"], "y", [{"id": "y", "label": "forged"}], [{"id": "y"}]])
    def test_labels_come_from_the_options(self, submitted: Any) -> None:
        outcome = run(one("checkboxes", options=OPTIONS), {}, {"f": submitted})
        assert result_of(outcome) == ({"f": [OPTIONS[1]]}, {"f": {"value": [OPTIONS[1]]}})

    def test_unknown_options(self) -> None:
        assert errors_of(one("dropdown", options=OPTIONS), {}, {"f": "q"}) == [("data.f", "unknown_option")]
        assert errors_of(one("checkboxes", options=OPTIONS), {}, {"f": ["q"]}, "rejected") == [
            ("data.f[0]", "unknown_option")
        ]

    def test_options_of_the_request_apply(self) -> None:
        definition, data = one("dropdown", options=OPTIONS), {"f": {"options": [{"id": "q", "label": "Q"}]}}
        assert run(definition, data, {"f": "q"}).data == {"f": "q"}
        assert errors_of(definition, data, {"f": "x"}) == [("data.f", "unknown_option")]
        configured = {"fields": {"f": {"options": [{"id": "q", "label": "Q"}]}}}
        assert apply_submission(
            definition, read_suggestion(definition, {}, configured), {}, {"f": "q"}, "approved"
        ).data == {"f": "q"}

    def test_bounds(self) -> None:
        bounded = one("checkboxes", options=OPTIONS, minSelected=2)
        assert errors_of(bounded, {}, {"f": ["x"]}) == [("data.f", "too_few_items")]
        assert errors_of(one("checkboxes", options=OPTIONS, maxSelected=1), {"f": ["x", "y"]}, None) == [
            ("data.f", "too_many_items")
        ]


class TestNotEditable:
    @pytest.mark.parametrize(
        ("field", "sent", "changed"),
        [
            ({"kind": "text", "editable": False}, "a", "b"),
            ({"kind": "image"}, URL, OTHER_URL),
            ({"kind": "video"}, URL, None),
            ({"kind": "label"}, "a", "b"),
            ({"kind": "checkboxes", "options": OPTIONS, "editable": False}, ["x"], ["y"]),
            ({"kind": "list", "item": [{"id": "c", "type": "image"}]}, [URL], []),
        ],
    )
    def test_changes_are_rejected_and_echoes_accepted(self, field: dict[str, Any], sent: Any, changed: Any) -> None:
        definition = one(**field)
        assert errors_of(definition, {"f": sent}, {"f": changed}) == [("data.f", "not_editable")]
        assert errors_of(definition, {"f": sent}, {"f": changed}, "rejected") == [("data.f", "not_editable")]
        assert run(definition, {"f": sent}, {"f": sent})

    def test_empty_echo_of_a_choice_is_not_a_change(self) -> None:
        definition = one("checkboxes", options=OPTIONS, editable=False)
        assert run(definition, {"f": []}, {"f": []}).data == {"f": []}

    def test_limits_do_not_apply(self) -> None:
        assert run(one("text", editable=False, maxLength=1, required=True), {"f": "abc"}, None)
        assert run(one("text", editable=False, required=True), {"f": ""}, None)

    def test_not_shown(self) -> None:
        for data in ({}, {"f": None}):
            assert errors_of(one("text"), data, {"f": "x"}) == [("data.f", "field_not_shown")]

    @pytest.mark.parametrize(
        ("submitted", "error"),
        [
            ({"g": 2}, ("data.g", "unmapped_property")),
            ({"g": True}, ("data.g", "unmapped_property")),
            ({"new": None}, ("data.new", "unmapped_property")),
            ({"a": {"own": 2}}, ("data.a.own", "unmapped_property")),
            ({"a": {"new": 1}}, ("data.a.new", "unmapped_property")),
            ({"a": 5}, ("data.a", "wrong_type")),
            ([], ("data", "wrong_type")),
            ("x", ("data", "wrong_type")),
        ],
    )
    def test_unmapped(self, submitted: Any, error: tuple[str, str]) -> None:
        definition = form({"id": "f", "type": "text", "path": "a.f"})
        data = {"a": {"f": "x", "own": {"deep": 1}}, "g": 1}
        assert errors_of(definition, data, submitted) == [error]
        assert run(definition, data, data).data == data
        assert run(definition, data, {"g": 1.0}).data == data

    def test_null_parent_clears_a_field(self) -> None:
        definition = form({"id": "f", "type": "text", "path": "a.f"})
        assert run(definition, {"a": {"f": "x", "own": 1}}, {"a": None}).data == {"a": {"f": "", "own": 1}}

    def test_base64_only_in_requests(self) -> None:
        base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"
        definition = one("image", editable=True)
        suggestion = read_suggestion(definition, {"f": URL}, {"fields": {"f": {"isBase64": True}}})
        with pytest.raises(InvalidValues):
            apply_submission(definition, suggestion, {"f": URL}, {"f": base64}, "approved")


class TestLimits:
    @pytest.mark.parametrize(
        ("field", "value", "code"),
        [
            ({"kind": "text", "required": True}, "", "required"),
            ({"kind": "text", "required": True}, " \n", "required"),
            ({"kind": "text", "required": True}, None, "required"),
            ({"kind": "text", "minLength": 3}, "ab", "too_short"),
            ({"kind": "text", "maxLength": 3}, "abcd", "too_long"),
            ({"kind": "text", "pattern": "[a-z]+"}, "A", "pattern_mismatch"),
            ({"kind": "text", "pattern": "a*"}, "a" * 2001, "too_long"),
            ({"kind": "longText", "maxLength": 1}, "\U0001f600\U0001f600", "too_long"),
            ({"kind": "number", "required": True}, None, "required"),
            ({"kind": "number", "min": 2}, 1.9, "too_small"),
            ({"kind": "number", "max": 2}, 2.1, "too_large"),
            ({"kind": "number", "integer": True}, 2.5, "not_whole"),
            ({"kind": "rating"}, 0, "too_small"),
            ({"kind": "rating"}, 6, "too_large"),
            ({"kind": "rating", "max": 10}, 4.5, "not_whole"),
            ({"kind": "boolean", "required": True}, None, "required"),
            ({"kind": "email"}, "nobody", "bad_email"),
            ({"kind": "email"}, "a@b", "bad_email"),
            ({"kind": "email"}, "a b@example.com", "bad_email"),
            ({"kind": "date", "min": "2026-01-02"}, "2026-01-01", "too_small"),
            ({"kind": "date", "max": "2026-01-02"}, "2026-01-03", "too_large"),
            ({"kind": "datetime", "min": "2026-01-01T10:00Z"}, "2026-01-01T10:30+01:00", "too_small"),
            ({"kind": "datetime", "max": "2026-01-01T10:00:00"}, "2026-01-01T10:00:00.5Z", "too_large"),
            ({"kind": "dropdown", "required": True, "options": OPTIONS}, None, "required"),
            ({"kind": "checkboxes", "required": True, "options": OPTIONS}, [], "required"),
            ({"kind": "list", "required": True, "item": [{"id": "c", "type": "text"}]}, [], "required"),
            ({"kind": "list", "minItems": 2, "item": [{"id": "c", "type": "text"}]}, ["a"], "too_few_items"),
            ({"kind": "list", "maxItems": 1, "item": [{"id": "c", "type": "text"}]}, ["a", "b"], "too_many_items"),
            ({"kind": "json", "required": True}, None, "required"),
        ],
        ids=str,
    )
    def test_apply_only_to_approvals(self, field: dict[str, Any], value: Any, code: str) -> None:
        definition = one(**field)
        start = {"text": "ok", "longText": "ok", "number": 5, "rating": 1, "boolean": True, "email": "a@b.example"}
        start |= {"date": "2026-01-02", "datetime": "2026-01-01T10:00Z", "dropdown": "x", "checkboxes": ["x"]}
        start |= {"list": ["z"], "json": {}}
        data = {"f": start[field["kind"]]}
        assert errors_of(definition, data, {"f": value}) == [("data.f", code)]
        assert run(definition, data, {"f": value}, "rejected")
        assert run(definition, data, {"f": value}, enforce_limits=False)
        suggestion = trigger_suggestion(definition)
        with pytest.raises(InvalidValues):
            apply_submission(definition, suggestion, {}, {"f": value}, None)

    def test_apply_to_the_suggestion_too(self) -> None:
        assert errors_of(one("number", max=3), {"f": 4}, None) == [("data.f", "too_large")]
        assert errors_of(one("text", required=True), {"f": ""}, {}) == [("data.f", "required")]

    def test_do_not_apply_to_empty_optional_values(self) -> None:
        for kind in ("email", "link", "date", "datetime"):
            assert run(one(kind), {"f": ""}, None).data == {"f": ""}
        assert run(one("text", minLength=3, pattern="[a-z]{3}"), {"f": ""}, None)

    def test_types_are_checked_for_rejections_too(self) -> None:
        assert errors_of(one("number"), {"f": 1}, {"f": "2"}, "rejected") == [("data.f", "wrong_type")]
        assert errors_of(one("date"), {"f": ""}, {"f": "soon"}, "rejected") == [("data.f", "bad_date")]

    def test_reports_all_errors(self) -> None:
        definition = form(
            {"id": "a", "type": "text", "required": True},
            {"id": "b", "type": "number"},
            {"id": "t", "type": "table", "columns": [{"id": "n", "type": "number", "max": 1, "required": True}]},
        )
        data = {"a": "x", "b": 1, "t": []}
        assert errors_of(definition, data, {"a": "", "b": "2", "t": [{"n": 2}, {}], "z": 1}) == [
            ("data.z", "unmapped_property"),
            ("data.a", "required"),
            ("data.b", "wrong_type"),
            ("data.t[0].n", "too_large"),
            ("data.t[1].n", "required"),
        ]


class TestRules:
    DEFINITION = form(
        {"id": "score", "type": "number"},
        {"id": "note", "type": "text", "required": True, "path": "more.note"},
        {"id": "fixed", "type": "text", "editable": False, "path": "more.fixed"},
        layout=[
            {
                "kind": "group",
                "id": "g",
                "children": [{"kind": "field", "field": "note"}, {"kind": "field", "field": "fixed"}],
            }
        ],
        rules=[{"target": "g", "effect": "show", "when": {"field": "score.value", "operation": ">", "value": 5}}],
    )
    DATA: Any = {"score": 9, "more": {"note": "n", "fixed": "f", "own": 1}}  # noqa: RUF012

    def test_hidden_fields_are_not_in_the_result(self) -> None:
        outcome = run(self.DEFINITION, self.DATA, {"score": 1})
        assert outcome.data == {"score": 1, "more": {"own": 1}}
        assert outcome.response_values == {"score": {"value": 1, "wasEdited": True}}
        assert self.DATA["more"] == {"note": "n", "fixed": "f", "own": 1}

    def test_hidden_fields_are_not_validated(self) -> None:
        assert run(self.DEFINITION, self.DATA, {"score": 1, "more": {"note": 5, "fixed": "changed"}})
        named = errors_of(self.DEFINITION, self.DATA, {"score": 8, "more": {"note": "", "fixed": "changed"}})
        assert named == [("data.more.note", "required"), ("data.more.fixed", "not_editable")]

    def test_a_field_shown_by_an_edit_keeps_its_suggestion(self) -> None:
        data = {**self.DATA, "score": 1}
        assert "note" not in response_values(self.DEFINITION, read_suggestion(self.DEFINITION, data))
        assert run(self.DEFINITION, data, {"score": 6}).response_values["note"] == {"value": "n", "wasEdited": False}

    def test_rules_ignore_invalid_values(self) -> None:
        assert errors_of(self.DEFINITION, self.DATA, {"score": "9", "more": {"note": ""}}) == [
            ("data.score", "wrong_type")
        ]


class TestLists:
    ROWS: Any = [{"name": "a", "qty": 1, "sku": "s1"}, {"name": "b", "qty": 2, "sku": "s2"}]  # noqa: RUF012

    def rows(self, **flags: Any) -> Definition:
        columns = [{"id": "name", "type": "text", "editable": False}, {"id": "qty", "type": "number"}]
        return one("table", columns=columns, **flags)

    @pytest.mark.parametrize(
        ("flags", "rows", "codes"),
        [
            ({}, [{**ROWS[0], "qty": 5}, ROWS[1]], []),
            ({}, [ROWS[1], ROWS[0]], []),
            ({}, [ROWS[1]], []),
            ({}, [*ROWS, {"name": "c", "qty": 1}], []),
            ({}, [{**ROWS[0], "sku": "forged"}], ["unmapped_property"]),
            ({}, [{"name": "a", "qty": 1}, ROWS[1]], []),
            ({"allowReorder": False}, [ROWS[1], ROWS[0]], ["reorder_not_allowed"]),
            ({"allowReorder": False}, [{**ROWS[0], "qty": 2}, ROWS[1]], []),
            ({"allowRemove": False}, [ROWS[1]], ["remove_not_allowed"]),
            ({"allowRemove": False}, [{**ROWS[0], "name": "z"}, ROWS[1]], ["remove_not_allowed"]),
            ({"allowRemove": False}, [ROWS[1], ROWS[0], {"name": "c"}], []),
            ({"allowAdd": False}, [*ROWS, {"name": "c"}], ["add_not_allowed"]),
            ({"allowAdd": False}, [*ROWS, ROWS[0]], ["add_not_allowed"]),
            ({"allowAdd": False}, [{**ROWS[0], "name": "z"}, ROWS[1]], ["add_not_allowed"]),
            ({"allowAdd": False}, [{**ROWS[1], "qty": 9}], []),
        ],
        ids=str,
    )
    def test_allowed_changes_of_items(self, flags: dict[str, Any], rows: Any, codes: list[str]) -> None:
        definition = self.rows(**flags)
        if codes:
            assert [code for _, code in errors_of(definition, {"f": self.ROWS}, {"f": rows})] == codes
        else:
            outcome = run(definition, {"f": self.ROWS}, {"f": rows})
            assert outcome.data == {"f": rows}
            assert outcome.response_values == {"f": {"value": rows, "wasEdited": True}}

    def test_plain_and_keyed_items_are_the_same(self) -> None:
        definition = one("list", item=[{"id": "c", "type": "text"}])
        assert run(definition, {"f": ["a"]}, {"f": [{"c": "a"}]}).response_values["f"] == {
            "value": ["a"],
            "wasEdited": False,
        }
        assert run(definition, {"f": [{"c": "a"}]}, {"f": ["b"]}).data == {"f": [{"c": "b"}]}
        assert run(definition, {"f": []}, {"f": [{"c": "b"}]}).data == {"f": ["b"]}

    def test_locked_plain_item(self) -> None:
        photos = one("list", editable=True, item=[{"id": "p", "type": "image"}], allowAdd=False)
        assert run(photos, {"f": [URL, OTHER_URL]}, {"f": [OTHER_URL]}).data == {"f": [OTHER_URL]}
        assert errors_of(photos, {"f": [URL]}, {"f": [OTHER_URL]}) == [("data.f", "add_not_allowed")]


class TestTriggerForm:
    def test_every_field_can_be_filled_in(self) -> None:
        definition = form(
            {"id": "name", "type": "text", "required": True},
            {"id": "photo", "type": "image"},
            {"id": "photos", "type": "list", "item": [{"id": "p", "type": "image"}]},
            {"id": "kind", "type": "dropdown", "options": OPTIONS, "default": "x"},
            {"id": "fixed", "type": "text", "default": "keep", "editable": False},
        )
        suggestion = trigger_suggestion(definition)
        submitted = {"name": "n", "photo": URL, "photos": [URL]}
        outcome = apply_submission(definition, suggestion, {}, submitted, None)
        assert outcome.data == {**submitted, "kind": "x", "fixed": "keep"}
        assert outcome.response_values["photo"] == {"value": URL}
        with pytest.raises(InvalidValues):
            apply_submission(definition, suggestion, {}, {"name": "n", "fixed": "other"}, None)
        with pytest.raises(InvalidValues):
            apply_submission(definition, suggestion, {}, None, None)


class TestProperties:
    @given(forms_with_data(), st.booleans())
    def test_sending_everything_back_edits_nothing(self, drawn: tuple[Any, Any], echo: bool) -> None:
        raw, data = drawn
        definition = compile_definition(raw)
        suggestion = read_suggestion(definition, data)
        before = json.dumps(data)
        outcome = apply_submission(definition, suggestion, data, data if echo else None, "rejected")
        assert json.dumps(data) == before
        assert not [name for name, entry in outcome.response_values.items() if entry.get("wasEdited")]
        assert outcome.response_values == response_values(definition, suggestion)

    @given(forms_with_data())
    def test_result_matches_its_own_form(self, drawn: tuple[Any, Any]) -> None:
        raw, data = drawn
        definition = compile_definition({"fields": raw["fields"]})
        suggestion = read_suggestion(definition, data)
        outcome = apply_submission(definition, suggestion, data, None, "rejected")
        offered = {name: {"options": options(suggestion.options[name])} for name in suggestion.options}
        again = read_suggestion(definition, outcome.data, {"fields": offered})
        for name, entry in outcome.response_values.items():
            # An unanswered choice is null in `data`, which hides a field.
            assert same_json(again.values.get(name) or None, entry["value"] or None)

    @given(forms_with_data(), st.data())
    def test_edits_are_in_the_result(self, drawn: tuple[Any, Any], draw: st.DataObject) -> None:
        raw, data = drawn
        definition = compile_definition({"fields": raw["fields"]})
        suggestion = read_suggestion(definition, data)
        for field in raw["fields"]:
            kind = field["type"]
            if field["id"] not in suggestion.values or kind in (
                "label",
                "buttons",
                "checkboxes",
                "dropdown",
                "list",
                "table",
            ):
                continue
            if not definition.by_id[field["id"]].editable:
                continue
            value = draw.draw(values(field))
            submitted: Any = value
            for segment in reversed(definition.by_id[field["id"]].path):
                submitted = {segment: submitted}
            outcome = apply_submission(definition, suggestion, data, submitted, "rejected")
            entry: Any = outcome.response_values[field["id"]]
            assert same_json(entry["value"], value)
            if "wasEdited" in entry:
                assert entry["wasEdited"] is not same_json(value, suggestion.values[field["id"]])

    @given(forms_with_data(), st.data(), st.sampled_from(["approved", "rejected", None]))
    def test_any_submission_is_accepted_or_has_errors(
        self, drawn: tuple[Any, Any], draw: st.DataObject, response: Any
    ) -> None:
        raw, data = drawn
        definition = compile_definition(raw)
        submitted = draw.draw(any_json | spoiled(data))
        before = json.dumps(data)
        try:
            outcome: SubmissionResult | None = apply_submission(
                definition, read_suggestion(definition, data), data, submitted, response
            )
        except InvalidValues:
            outcome = None
        assert json.dumps(data) == before
        if outcome is not None:
            json.dumps(outcome.data)
            assert set(outcome.response_values) <= set(definition.by_id)


def options(effective: Any) -> list[Any]:
    return [{"id": identifier, "label": label} for identifier, label in effective.items()]
