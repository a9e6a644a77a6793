"""The gallery: each template compiles without warnings and accepts its own sample."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

import pytest
from support.api import Workspace, assert_error, assert_ok

from signoff.forms.definition import compile_definition
from signoff.forms.editor.schemas import Template
from signoff.forms.editor.warnings import find_warnings
from signoff.forms.fields.field import Field
from signoff.forms.fields.lists import ListValueType
from signoff.forms.form_templates import FOLDER, ORDER, load_templates
from signoff.forms.suggestion import read_suggestion, suggested_title
from signoff.forms.template_texts import TEXTS
from signoff.platform.messages import ENGLISH, LANGUAGES

ALL = load_templates().items
UNUSED_URL = "http://127.0.0.1:9"


def test_every_file_is_shown() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(ORDER)
    assert len(ORDER) == len(set(ORDER)) == 12


@pytest.mark.parametrize("template", ALL, ids=lambda template: template.template_id)
def test_template(template: Template) -> None:
    definition = compile_definition(template.form)
    assert find_warnings(definition, trigger=False) == []
    assert definition.layout.nodes
    assert definition.rules.rules
    suggestion = read_suggestion(definition, template.sample)
    assert suggested_title(definition, suggestion)
    assert len(suggestion.values) >= len(definition.fields) - 1, "the sample shows what the template can do"
    assert template.summary.endswith(".")
    assert template.category


def structure(value: Any) -> Any:
    """The definition without the texts that people read."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {
            name: structure(child) for name, child in members.items() if name not in TEXTS or not isinstance(child, str)
        }
    return [structure(child) for child in cast("list[Any]", value)] if isinstance(value, list) else value


def values_of(form: dict[str, Any], sample: dict[str, Any]) -> dict[str, Any]:
    definition = compile_definition(form)
    notes = {field.id for field in definition.fields if not field.type.has_value}
    values = read_suggestion(definition, sample).values
    return {name: structure(value) for name, value in values.items() if name not in notes}


def texts_of(fields: Iterable[Field]) -> Iterator[str]:
    """The settings of these fields that review types can translate."""
    for field in fields:
        yield from (name for name in field.type.texts() if field.settings.get(name))
        if isinstance(field.value_type, ListValueType):
            yield from texts_of(field.value_type.children)


@pytest.mark.parametrize("template", ALL, ids=lambda template: template.template_id)
def test_every_text_is_a_message(template: Template) -> None:
    # The units are symbols and codes.
    assert set(texts_of(compile_definition(template.form).fields)) - {"unit"} <= TEXTS


class TestLanguages:
    @pytest.mark.parametrize("language", [each for each in LANGUAGES if each != ENGLISH])
    def test_only_texts_differ(self, language: str) -> None:
        assert load_templates(language).items != ALL
        for original, template in zip(ALL, load_templates(language).items, strict=True):
            localized = template.localized
            assert localized is not None
            assert localized.language == language
            assert localized.summary != original.summary
            assert structure(localized.form) == structure(original.form)
            assert find_warnings(compile_definition(localized.form), trigger=False) == []
            assert values_of(localized.form, template.sample) == values_of(original.form, template.sample)
            assert template.model_copy(update={"localized": None}) == original

    def test_words_with_several_meanings(self) -> None:
        """`Title` of the catalogs may be anything; these are of the templates."""
        german = {template.template_id: template.localized for template in load_templates("de").items}
        email, crm = german["email-draft"], german["crm-update"]
        assert email is not None
        assert crm is not None
        assert email.name == "E-Mail-Entwurf"
        assert {"To": "An", "Send": "Versand"}.items() <= {
            before["label"]: after["label"]
            for before, after in zip(ALL[1].form["fields"], email.form["fields"], strict=True)
        }.items()
        assert crm.category == "Vertrieb"

    async def test_in_the_language_of_whoever_asks(self, workspace: Workspace) -> None:
        plain = await assert_ok(workspace.manager.get("/forms/templates"))
        german = await assert_ok(workspace.manager.get("/forms/templates", headers={"accept-language": "de-AT"}))
        assert all("localized" not in item for item in plain["items"])
        assert [item.pop("localized")["name"] for item in german["items"]][1] == "E-Mail-Entwurf"
        assert german == plain

    async def test_agents_get_the_same(self, workspace: Workspace) -> None:
        """A review type from a German template: other labels, the same data, values, and schema."""
        agent = await workspace.make_agent()
        german = await assert_ok(workspace.manager.get("/forms/templates", headers={"accept-language": "de"}))
        template = next(item for item in german["items"] if item["templateId"] == "code-change")
        results: list[Any] = []
        for definition in (template["form"], template["localized"]["form"]):
            body = {**definition, "agentId": agent["agentId"]}
            form = await assert_ok(workspace.manager.post("/forms", json=body))
            review = await assert_ok(
                workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": template["sample"]})
            )
            result = (await workspace.decide(review["reviewId"]))["reviewResult"]
            results.append((result["data"], result["changed"], result["approvedArguments"]))
        assert results[0] == results[1]


class TestApi:
    async def test_each_can_be_saved_and_used(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        catalog = await assert_ok(workspace.manager.get("/forms/templates"))
        assert [item["templateId"] for item in catalog["items"]] == list(ORDER)
        for item in catalog["items"]:
            body = {**item["form"], "agentId": agent["agentId"]}
            checked = await assert_ok(workspace.manager.post("/forms/check", json={"form": body}))
            assert checked == {"valid": True, "errors": [], "warnings": [], "changes": None}, item["templateId"]
            form = await assert_ok(workspace.manager.post("/forms", json=body))
            # Images are fetched, and no test calls external hosts.
            data = json.loads(json.dumps(item["sample"]).replace("https://example.com", UNUSED_URL))
            await assert_ok(workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": data}))

    async def test_permissions(self, workspace: Workspace) -> None:
        await assert_error(workspace.public.get("/forms/templates"), 401)
