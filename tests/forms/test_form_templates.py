"""The gallery: each template compiles without warnings and accepts its own sample."""

import json

import pytest
from support.api import Workspace, assert_error, assert_ok

from signoff.forms.definition import compile_definition
from signoff.forms.editor.schemas import Template
from signoff.forms.editor.warnings import find_warnings
from signoff.forms.form_templates import FOLDER, ORDER, load_templates
from signoff.forms.values import read_suggestion, suggested_title

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


class TestApi:
    async def test_each_can_be_saved_and_used(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        found = await assert_ok(workspace.manager.get("/forms/templates"))
        assert [item["templateId"] for item in found["items"]] == list(ORDER)
        for item in found["items"]:
            body = {**item["form"], "agentId": agent["agentId"]}
            checked = await assert_ok(workspace.manager.post("/forms/check", json={"form": body}))
            assert checked == {"valid": True, "errors": [], "warnings": [], "changes": None}, item["templateId"]
            form = await assert_ok(workspace.manager.post("/forms", json=body))
            # Images are fetched, and no test calls external hosts.
            data = json.loads(json.dumps(item["sample"]).replace("https://example.com", UNUSED_URL))
            await assert_ok(workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": data}))

    async def test_permissions(self, workspace: Workspace) -> None:
        await assert_error(workspace.public.get("/forms/templates"), 401)
