"""Source code generated from review types: it compiles, whatever the names are, and accepts real payloads."""

import json
import subprocess
import types
import warnings
from pathlib import Path
from typing import Any

import pytest
from form_strategies import forms_with_data
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from support.api import DATA, Workspace, assert_error, assert_ok, unique
from support.examples import examples
from support.receiver import Receiver

from signoff.forms.codegen.generator import write_source
from signoff.forms.definition import Definition, compile_definition
from signoff.forms.form_templates import load_templates
from signoff.forms.submission import apply_submission, response_values
from signoff.forms.suggestion import read_suggestion

TSC = Path(__file__).parents[2] / "web" / "node_modules" / ".bin" / "tsc"
HOSTILE = [
    "*/ alert(1) /*",
    "a\nb = 1",
    "\u2028evil()",
    '"""\nimport os',
    "# \r\nraise",
    "‮txet",
    "\\",
    "'",
    "${x}",
    "💡",
]
FORM: dict[str, Any] = {
    "fields": [
        {"id": "class", "type": "text", "label": HOSTILE[0], "help": HOSTILE[1], "path": "from.class"},
        {"id": "model_config", "type": "number", "label": HOSTILE[2], "path": "from.model_config"},
        {"id": "str", "type": "boolean", "label": HOSTILE[3], "path": "from.str"},
        {"id": "json", "type": "json", "label": HOSTILE[4], "path": "from.  "},
        {"id": "a-b", "type": "date", "label": HOSTILE[5], "path": 'x"y'},
        {"id": "a_b", "type": "text", "label": HOSTILE[6], "path": "x\\y"},
        {"id": "A_B", "type": "text", "label": HOSTILE[7], "path": "\u2028"},
        {"id": "Any", "type": "link", "label": HOSTILE[8]},
        {"id": "pick", "type": "dropdown", "options": [{"id": each, "label": each} for each in HOSTILE]},
        {"id": "picks", "type": "checkboxes", "options": [{"id": each, "label": each} for each in HOSTILE]},
        {"id": "free", "type": "buttons", "multiple": True},
        {"id": "list", "type": "list", "item": [{"id": "None", "type": "text", "label": HOSTILE[0]}]},
        {"id": "table", "type": "table", "columns": [{"id": "in", "type": "json"}, {"id": "is", "type": "rating"}]},
        {"id": "read", "type": "label", "text": "x", "label": HOSTILE[9]},
    ]
}
NAMES = ["Newsletter draft", "*/ evil", "3 things", "", "日本", "class", "\u2028"]


def written(language: Any, definition: Definition, name: str = "Newsletter draft", *, trigger: bool = False) -> str:
    return write_source(language, f"Types of “{name}”.", name, definition, trigger=trigger)


def models(source: str) -> types.ModuleType:
    module = types.ModuleType("generated")
    exec(compile(source, "generated.py", "exec"), module.__dict__)  # noqa: S102
    return module


def model(source: str, ending: str) -> Any:
    module = models(source)
    [name] = [name for name in module.__dict__ if name.endswith(ending) and not name.endswith(f"Result{ending}")]
    return module.__dict__[name]


def mapped(tree: Any, data: Any) -> Any:
    """The data without unmapped properties, which belong to the sender."""
    if not isinstance(tree, dict) or not isinstance(data, dict):
        return data
    return {name: mapped(tree[name], value) for name, value in data.items() if name in tree}


@pytest.fixture(scope="module", params=NAMES, ids=ascii)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


class TestHostileNames:
    def test_python(self, name: str) -> None:
        source = written("python", compile_definition(FORM), name)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            module = models(source)
            data = model(source, "Data")
            read = data.model_validate({"from": {"class": "x", "str": True}, 'x"y': "2026-01-01", "pick": HOSTILE[0]})
        assert {"alert", "evil", "os", "b"}.isdisjoint(module.__dict__)
        assert read.model_dump(by_alias=True, exclude_unset=True)["from"] == {"class": "x", "str": True}

    def test_json_schema(self, name: str) -> None:
        document = json.loads(written("jsonschema", compile_definition(FORM), name))
        Draft202012Validator.check_schema(document)

    def test_misspelled_members_are_found(self) -> None:
        data = model(written("python", compile_definition(FORM)), "Data")
        with pytest.raises(ValueError, match="extra"):
            data.model_validate({"pikc": "x"})
        with pytest.raises(ValueError, match="pick"):
            data.model_validate({"pick": "no option"})


@pytest.mark.skipif(not TSC.exists(), reason="the web app's tools are not installed")
def test_typescript_compiles(tmp_path: Path) -> None:
    """All in one run of the compiler: hostile names, every template, and uses that must and must not type-check."""
    for number, hostile_name in enumerate(NAMES):
        (tmp_path / f"hostile{number}.ts").write_text(written("typescript", compile_definition(FORM), hostile_name))
    for template in load_templates().items:
        source = written("typescript", compile_definition(template.form), template.name)
        (tmp_path / f"{template.template_id}.ts").write_text(source)
    (tmp_path / "trigger.ts").write_text(written("typescript", compile_definition(FORM), trigger=True))
    (tmp_path / "use.ts").write_text(
        """\
import type { ExpenseReportData, ExpenseReportEvent, ExpenseReportResponseValues } from './expense'
export const data: ExpenseReportData = {
  expense: { merchant: 'A', amount: 3, currency: 'EUR', items: [{ amount: 1 }] },
}
// @ts-expect-error a misspelt property
export const misspelt: ExpenseReportData = { expence: {} }
// @ts-expect-error not an option
export const unknown: ExpenseReportData = { expense: { currency: 'XXX' } }
// @ts-expect-error not a number
export const wrong: ExpenseReportData = { expense: { amount: '3' } }
export const read = (event: ExpenseReportEvent): number | null | undefined =>
  event.reviewResult.response === 'approved' ? event.reviewResult.responseValues.amount?.value : null
export const values: ExpenseReportResponseValues = {
  amount: { value: 3, wasEdited: false },
  currency: { value: 'NEW' },
}
"""
    )
    files = sorted(str(path) for path in tmp_path.glob("*.ts"))
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"]
    options += ["--lib", "es2022"]  # without the browser's types, which take longest to read
    run = subprocess.run([str(TSC), *options, "--skipLibCheck", *files], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


@settings(max_examples=examples(150))
@given(drawn=forms_with_data())
def test_real_data_matches_the_models(drawn: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Every valid request matches the request types, and every response matches the response types."""
    form, data = drawn
    definition = compile_definition(form)
    suggestion = read_suggestion(definition, data)
    outcome = apply_submission(definition, suggestion, data, {}, "rejected")
    python, schema = written("python", definition), json.loads(written("jsonschema", definition))
    model(python, "Data").model_validate(mapped(definition.paths, data))
    values = model(python, "ResponseValues")
    for entries in (outcome.response_values, response_values(definition, suggestion)):
        values.model_validate(entries)
        Draft202012Validator(schema["$defs"]["responseValues"]).validate(entries)
    result = next(value for key, value in models(python).__dict__.items() if key.endswith("ResultData"))
    result.model_validate(outcome.data)
    Draft202012Validator(schema["$defs"]["data"]).validate(data)


class TestApi:
    async def test_real_events_match_the_models(self, workspace: Workspace, receiver: Receiver) -> None:
        form = await workspace.make_form()
        sources = {
            language: await workspace.manager.get(f"/forms/{form['formId']}/code", params={"language": language})
            for language in ("python", "typescript", "jsonschema")
        }
        event_model = model(sources["python"].text, "Event")
        schema = Draft202012Validator(json.loads(sources["jsonschema"].text))
        submissions = [
            ("approved", DATA, {"tags": ["a"], "channel": "blog", "draft": {"headline": "Edited"}}, {}),
            ("approved", DATA, {"score": 2}, {}),
            ("rejected", DATA, {"score": None, "body": None}, {"reason": "No."}),
            ("rejected", {**DATA, "channel": {"options": [{"id": "own", "label": "Own"}], "default": "own"}}, {}, {}),
            ("rejected", {**DATA, "unmapped": [1], "tags": "", "body": None}, {}, {}),
        ]
        path = f"/{unique('code')}"
        for response, data, submitted, more in submissions:
            review = await workspace.request(form, data=data, webhookUrl=receiver.url + path, meta={"a": 1}, config={})
            await workspace.decide(review["reviewId"], response, data=submitted, **more)
        calls = await receiver.wait_for(path, len(submissions))
        for call in calls:
            schema.validate(call.json)
            event = event_model.model_validate(call.json)
            assert event.review_result.response in ("approved", "rejected")
            assert event.model_dump(by_alias=True, exclude_unset=True, mode="json") == call.json

    async def test_as_files(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}/code"
        response = await workspace.agent.get(place, params={"language": "typescript"})
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        assert response.headers["content-disposition"] == f'inline; filename="{form["formId"]}-v1.ts"'
        response = await workspace.agent.get(place, params={"language": "jsonschema"})
        assert response.headers["content-type"] == "application/schema+json"

    async def test_of_an_earlier_version(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}"
        fields = [{"id": "other", "type": "text"}]
        await assert_ok(
            workspace.manager.patch(place, json={"fields": fields, "layout": None, "rules": [], "titleField": None})
        )
        for version, word in ((None, "other?"), (2, "other?"), (1, "headline?")):
            query = {"language": "typescript", **({"version": version} if version else {})}
            assert word in (await workspace.manager.get(f"{place}/code", params=query)).text

    @pytest.mark.parametrize("query", [{}, {"language": "cobol"}, {"language": "python", "version": "0"}])
    async def test_errors(self, workspace: Workspace, query: dict[str, str]) -> None:
        form = await workspace.make_form()
        await assert_error(workspace.manager.get(f"/forms/{form['formId']}/code", params=query), 400, "invalid_query")

    async def test_unknown_form(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        query = {"language": "python", "version": "7"}
        await assert_error(workspace.manager.get(f"/forms/{form['formId']}/code", params=query), 404)
        await assert_error(workspace.manager.get("/forms/frm_x/code", params=query), 404)
