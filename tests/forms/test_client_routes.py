"""The endpoints for client libraries: which review types exist, and what a request for one may contain."""

from typing import Any

import httpx
import pytest
from form_strategies import fits_in_a_request, forms_with_data
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schema_strategies import accepted_by
from support.api import FORM, Workspace, assert_error, assert_ok, unique
from support.in_process import Service
from support.second_account import open_second_account

ONE_FIELD = {"fields": [{"id": "f", "type": "text"}], "layout": None, "rules": None, "titleField": None}


async def key_with(workspace: Workspace, *scopes: str) -> httpx.AsyncClient:
    api_key = await assert_ok(workspace.manager.post("/apiKeys", json={"name": unique("key"), "scopes": list(scopes)}))
    return workspace.client(**{"x-api-key": api_key["apiKey"]})


class TestFetchReviewForms:
    async def test_response_fields(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        forms = (await assert_ok(workspace.agent.get("/fetchReviewForms")))["forms"]
        [mine] = [entry for entry in forms if entry["id"] == form["formId"]]
        expected = {"id": form["formId"], "name": form["name"], "agentId": form["agentId"], "fields": form["fields"]}
        assert mine == expected
        assert [field["id"] for field in mine["fields"]] == [field["id"] for field in FORM["fields"]]
        assert mine["fields"][0]["path"] == "draft.headline"

    async def test_of_one_agent_in_order_of_creation(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form_ids = [(await workspace.make_form(agent, **ONE_FIELD))["formId"] for _ in range(45)]
        await workspace.make_form()
        forms = (await assert_ok(workspace.agent.get("/fetchReviewForms", params={"agentId": agent["agentId"]})))[
            "forms"
        ]
        assert [form["id"] for form in forms] == form_ids

    async def test_none(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        assert await assert_ok(workspace.agent.get("/fetchReviewForms", params={"agentId": agent["agentId"]})) == {
            "forms": []
        }
        assert await assert_ok(workspace.agent.get("/fetchReviewForms", params={"agentId": "agt_unknown"})) == {
            "forms": []
        }

    async def test_without_an_agent(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**{**ONE_FIELD, "agentId": None})
        forms = (await assert_ok(workspace.agent.get("/fetchReviewForms")))["forms"]
        assert [entry["agentId"] for entry in forms if entry["id"] == form["formId"]] == [None]

    async def test_archived_ones_are_left_out(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        assert await assert_ok(workspace.agent.get("/fetchReviewForms", params={"agentId": agent["agentId"]})) == {
            "forms": []
        }

    async def test_current_version(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**ONE_FIELD)
        fields = [{"id": "g", "type": "number"}]
        change = {"name": 'Ünïcode "quoted" ]}', "fields": fields}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=change))
        forms = (await assert_ok(workspace.agent.get("/fetchReviewForms")))["forms"]
        [mine] = [entry for entry in forms if entry["id"] == form["formId"]]
        assert mine["name"] == change["name"]
        assert [field["id"] for field in mine["fields"]] == ["g"]

    async def test_without_other_accounts(self, service: Service, workspace: Workspace) -> None:
        other = await open_second_account(service)
        assert await assert_ok(other.agent.get("/fetchReviewForms")) == {"forms": []}
        theirs = await other.make_form()
        assert [form["id"] for form in (await assert_ok(other.agent.get("/fetchReviewForms")))["forms"]] == [
            theirs["formId"]
        ]
        forms = (await assert_ok(workspace.agent.get("/fetchReviewForms")))["forms"]
        assert theirs["formId"] not in [entry["id"] for entry in forms]

    async def test_head(self, workspace: Workspace) -> None:
        response = await workspace.agent.head("/fetchReviewForms")
        assert (response.status_code, response.content) == (200, b"")
        assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize("path", ["/fetchReviewForms", "/fetchSchemaForFormFields"])
class TestPermissions:
    @pytest.mark.parametrize("scope", ["reviews:write", "reviews:read", "manage"])
    async def test_every_key(self, workspace: Workspace, path: str, scope: str) -> None:
        form = await workspace.make_form()
        client = await key_with(workspace, scope)
        await assert_ok(client.get(path, params={"formId": form["formId"]}))

    async def test_every_user(self, workspace: Workspace, path: str) -> None:
        form = await workspace.make_form()
        _, viewer = await workspace.make_person("viewer")
        await assert_ok(viewer.get(path, params={"formId": form["formId"]}))

    async def test_no_one_else(self, workspace: Workspace, path: str) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["outside@example.com"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        outsider = workspace.client(**{"x-review-token": token})
        await assert_error(outsider.get(path, params={"formId": form["formId"]}), 403, "forbidden")
        await assert_error(workspace.public.get(path, params={"formId": form["formId"]}), 401, "invalid_api_key")


class TestFetchSchemaForFormFields:
    async def test_response_fields(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        fields_schema = await assert_ok(
            workspace.agent.get("/fetchSchemaForFormFields", params={"formId": form["formId"]})
        )
        assert set(fields_schema) == {"formId", "fields", "config"}
        assert fields_schema["formId"] == form["formId"]
        for schema in (fields_schema["fields"], fields_schema["config"]):
            Draft202012Validator.check_schema(schema)
        headline = fields_schema["fields"]["properties"]["draft"]["properties"]["headline"]
        assert headline == {"title": "Headline", "type": ["string", "null"]}

    async def test_follows_the_review_type(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**ONE_FIELD)
        await assert_ok(workspace.agent.get("/fetchSchemaForFormFields", params={"formId": form["formId"]}))
        await assert_ok(
            workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": [{"id": "g", "type": "number"}]})
        )
        schema = await assert_ok(workspace.agent.get("/fetchSchemaForFormFields", params={"formId": form["formId"]}))
        assert list(schema["fields"]["properties"]) == ["g"]

    @pytest.mark.parametrize("params", [{}, {"formId": ""}, {"formId": "f" * 129}])
    async def test_without_a_usable_form_id(self, workspace: Workspace, params: Any) -> None:
        problem = await assert_error(
            workspace.agent.get("/fetchSchemaForFormFields", params=params), 400, "invalid_query"
        )
        assert [error["path"] for error in problem["errors"]] == ["formId"]

    async def test_unknown_archived_and_another_accounts(self, service: Service, workspace: Workspace) -> None:
        other = await open_second_account(service)
        theirs, archived = await other.make_form(), await workspace.make_form()
        await assert_ok(workspace.manager.delete(f"/forms/{archived['formId']}"))
        for form_id in ("frm_unknown", "nul\x00", theirs["formId"], archived["formId"]):
            response = await workspace.agent.get("/fetchSchemaForFormFields", params={"formId": form_id})
            assert response.status_code == (400 if "\x00" in form_id else 404), response.text


class TestSchemaMatchesTheService:
    """Over HTTP: data that the schemas accept can be sent. A sample; `test_json_schema.py` covers thousands."""

    async def test_valid_data_is_accepted(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        for definition, seed in sample(forms_with_data().filter(can_be_sent), 8):
            form = await workspace.make_form(agent, **{**ONE_FIELD, **definition})
            schema = await assert_ok(
                workspace.agent.get("/fetchSchemaForFormFields", params={"formId": form["formId"]})
            )
            fields = Draft202012Validator(schema["fields"])
            assert fields.is_valid(seed)
            for data in sample(accepted_by(schema["fields"]), 5):
                if fits_in_a_request(data):
                    sent = await workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": data})
                    assert sent.status_code == 200 or all(map(is_listed, sent.json()["errors"])), (data, sent.text)


def can_be_sent(drawn: tuple[Any, Any]) -> bool:
    return has_no_free_choice(drawn) and all(map(fits_in_a_request, drawn))


def has_no_free_choice(drawn: tuple[Any, Any]) -> bool:
    selectable = ("buttons", "checkboxes", "dropdown")
    return all("options" in field for field in drawn[0]["fields"] if field["type"] in selectable)


def is_listed(error: dict[str, str]) -> bool:
    """What the schemas can't express; see `signoff.forms.json_schema`."""
    codes = {"duplicate_option_id", "base64_not_declared", "bad_media_address", "unknown_media", "too_deep"}
    return error["code"] in codes or (error["code"] == "unknown_option" and error["path"].endswith(".default"))


def sample(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """This many different values, the same in every run."""
    results: list[Any] = []

    @settings(
        max_examples=count,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        results.append(value)

    collect()
    return results
