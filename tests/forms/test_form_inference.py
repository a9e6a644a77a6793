"""Review types inferred from an agent's sample data."""

from typing import Any

import pytest
from form_strategies import any_json
from hypothesis import given, settings
from hypothesis import strategies as st
from support.api import Workspace, assert_error, assert_ok, error_at
from support.examples import examples

from signoff.forms.definition import MAX_FIELDS, compile_definition
from signoff.forms.editor.schemas import SampledForm
from signoff.forms.inference.form_builder import infer_form
from signoff.forms.inference.property_names import build_label
from signoff.forms.suggestion import MISSING, get_path, read_suggestion


def made(sample: dict[str, Any]) -> SampledForm:
    return infer_form(sample, None)


def only(sample: dict[str, Any]) -> dict[str, Any]:
    [field] = made(sample).form["fields"]
    return field


TYPES = [
    ("title", "Autumn news", "text"),
    ("body", "Short", "longText"),
    ("headline", "x" * 200, "longText"),
    ("headline", "two\nlines", "longText"),
    ("intro", "# Title\n\nText", "markdown"),
    ("intro", "with **bold** words", "markdown"),
    ("intro", "- one\n- two", "markdown"),
    ("intro", "<p>Hello</p>", "richText"),
    ("day", "2026-11-15", "date"),
    ("at", "2026-11-15T09:30:00Z", "datetime"),
    ("contact", "ann@example.com", "email"),
    ("homepage", "https://example.com/a", "link"),
    ("cover", "https://example.com/a.PNG?size=2", "image"),
    ("avatar_url", "https://example.com/a", "image"),
    ("clip", "https://example.com/a.mp4", "video"),
    ("voice", "https://example.com/a.mp3", "audio"),
    ("contract", "https://example.com/a.pdf", "file"),
    ("picture", "data:image/png;base64,iVBORw0KGgo=", "longText"),
    ("diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@", "code"),
    ("fix", "def go(x):\n    return x", "code"),
    ("payload", '{"a": 1}', "code"),
    ("paid", True, "boolean"),
    ("price", 12, "number"),
    ("price", 12.5, "number"),
    ("rating", 4, "rating"),
    ("rating", 9, "number"),
    ("nothing", None, "text"),
    ("meta", {}, "json"),
    ("mixed", [1, "a", None], "json"),
    ("matrix", [[1, 2], [3]], "json"),
    ("tags", ["a", "b"], "list"),
    ("tags", [], "list"),
    ("rows", [{"sku": "a", "price": 1}, {"sku": "b"}], "table"),
    ("cards", [{"title": "a", "photo": "https://example.com/a.png"}], "list"),
    ("channel", {"options": [{"id": "a", "label": "A"}], "default": "a"}, "dropdown"),
    ("channels", {"options": [{"id": "a", "label": "A"}], "default": ["a"]}, "checkboxes"),
    ("options", [{"id": "a", "label": "A"}], "table"),
]


@pytest.mark.parametrize(("name", "value", "kind"), TYPES, ids=str)
def test_type(name: str, value: Any, kind: str) -> None:
    assert only({name: value})["type"] == kind


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["https://example.com/a.png", "https://example.com/b.jpg"], "image"),
        (["https://example.com/a.png", "https://example.com/b"], "link"),
        (["a@example.com", "b@example.com"], "email"),
        (["a", "2026-01-01"], "text"),
        (["a", "two\nlines"], "longText"),
        ([1, 2.5], "number"),
        ([True, False], "boolean"),
    ],
    ids=str,
)
def test_items_of_a_list(values: list[Any], kind: str) -> None:
    [item] = only({"entries": values})["item"]
    assert item["type"] == kind


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("draft_title", "Draft title"),
        ("draftTitle", "Draft title"),
        ("customer-ID", "Customer ID"),
        ("imageURL", "Image URL"),
        ("x", "X"),
        ("größe", "Größe"),
        ("💡", "💡"),
    ],
)
def test_label(name: str, label: str) -> None:
    assert build_label(name) == label


class TestNesting:
    def test_objects_are_groups_with_dotted_paths(self) -> None:
        form = made({"draft": {"title": "A", "seo": {"slug": "a"}}, "score": 3}).form
        assert [(field["id"], field["path"]) for field in form["fields"]] == [
            ("title", "draft.title"),
            ("slug", "draft.seo.slug"),
            ("score", "score"),
        ]
        [draft, score] = form["layout"]
        assert (draft["kind"], draft["label"], score["field"]) == ("group", "Draft", "score")
        assert draft["children"][1]["label"] == "SEO"
        assert form["titleField"] == "title"

    def test_no_group_no_layout(self) -> None:
        assert made({"a": 1, "b": 2}).form["layout"] is None

    def test_duplicate_names_get_unique_ids(self) -> None:
        form = made({"a": {"name": "x"}, "b": {"name": "y"}, "name": "z", "a_name": "q"}).form
        ids = [field["id"] for field in form["fields"]]
        assert len(set(ids)) == 4

    def test_too_deep_values_become_json(self) -> None:
        sample: dict[str, Any] = {"leaf": 1}
        for _ in range(9):
            sample = {"in": sample}
        [field] = made(sample).form["fields"]
        assert field["type"] == "json"
        assert field["path"] == ".".join(["in"] * 8)

    def test_title_field_is_found_by_name(self) -> None:
        assert made({"sku": "4711", "subject": "Hello"}).form["titleField"] == "subject"
        assert made({"count": 3}).form["titleField"] is None


class TestOmitted:
    @pytest.mark.parametrize("name", ["", "x" * 257, "__proto__", "constructor"])
    def test_names_that_can_not_be_a_path(self, name: str) -> None:
        inferred = made({name: 1, "kept": 2})
        assert [field["id"] for field in inferred.form["fields"]] == ["kept"]
        assert "was skipped" in inferred.notes[0]

    @pytest.mark.parametrize(("name", "path"), [("a.b", r"a\.b"), ("x" * 256, "x" * 256)])
    def test_unusual_names_are_mapped(self, name: str, path: str) -> None:
        assert path in {field["path"] for field in made({name: 1, "kept": 2}).form["fields"] if "path" in field}

    def test_more_fields_than_allowed(self) -> None:
        inferred = made({f"p{i}": i for i in range(MAX_FIELDS + 5)})
        assert len(inferred.form["fields"]) == MAX_FIELDS
        assert inferred.notes == ["5 properties were skipped: a review type can have at most 200 fields."]

    def test_nested_objects_do_not_fill_the_layout(self) -> None:
        sample: dict[str, Any] = {}
        for number in range(MAX_FIELDS):
            node = sample
            for depth in range(7):
                node = node.setdefault(f"n{number}_{depth}", {})
            node["leaf"] = number
        assert len(made(sample).form["fields"]) == MAX_FIELDS

    def test_empty_sample(self) -> None:
        inferred = made({})
        assert len(inferred.form["fields"]) == 1
        assert inferred.notes


SAMPLES = st.dictionaries(
    st.text(max_size=8) | st.sampled_from(["title", "body", "image", "rating", "tags", "options", "a.b", "id"]),
    any_json
    | st.sampled_from([value for _, value, _ in TYPES])
    | st.lists(st.sampled_from([value for _, value, _ in TYPES]), max_size=3)
    | st.lists(st.dictionaries(st.sampled_from(["a", "b", "id", "ü"]), any_json, max_size=3), max_size=3)
    | st.dictionaries(st.text(max_size=4), any_json, max_size=3),
    max_size=6,
)


@settings(max_examples=examples(1_000))
@given(sample=SAMPLES)
def test_the_form_accepts_its_sample(sample: dict[str, Any]) -> None:
    inferred = made(sample)
    assert inferred == made(sample)
    definition = compile_definition(inferred.form)
    suggestion = read_suggestion(definition, sample)
    for field in definition.fields:
        value = get_path(sample, field.path)
        if value is MISSING:
            assert len(definition.fields) == 1, "only a sample without anything to map gets a field of our own"
        else:
            assert (field.id in suggestion.values) is (value is not None), field


class TestApi:
    async def test_created_saved_and_used(self, workspace: Workspace) -> None:
        sample = {"draft": {"title": "A", "photos": ["http://127.0.0.1:9/a.png"]}, "score": 3}
        inferred = await assert_ok(
            workspace.manager.post("/forms/fromSample", json={"sample": sample, "name": "Sampled"})
        )
        assert inferred["form"]["name"] == "Sampled"
        agent = await workspace.make_agent()
        form = await assert_ok(workspace.manager.post("/forms", json={**inferred["form"], "agentId": agent["agentId"]}))
        created_review = await assert_ok(
            workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": sample})
        )
        review = await workspace.review(created_review["reviewId"])
        assert review["title"] == "A"

    @pytest.mark.parametrize("body", [{}, {"sample": []}, {"sample": None}, {"sample": {}, "name": ""}, {"nmae": 1}])
    async def test_errors(self, workspace: Workspace, body: Any) -> None:
        await assert_error(workspace.manager.post("/forms/fromSample", json=body), 422, "invalid")

    async def test_too_deep(self, workspace: Workspace) -> None:
        deep: Any = 1
        for _ in range(220):
            deep = [deep]
        problem = await assert_error(workspace.manager.post("/forms/fromSample", json={"sample": {"a": deep}}), 422)
        assert error_at(problem, "sample")["code"] == "too_deep"
