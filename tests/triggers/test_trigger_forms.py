"""Trigger forms that members of the workspace fill out."""

import asyncio
from typing import Any

import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver
from trigger_helpers import FILLED_IN, TRIGGER, make_trigger, submissions

People = dict[str, tuple[dict[str, str], httpx.AsyncClient]]


def address(form: dict[str, Any]) -> str:
    return f"/triggers/{form['formId']}/submissions"


class TestListing:
    async def test_has_trigger_forms_of_an_agent_only(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        second = await make_trigger(workspace, agent, name="zebra")
        first = await make_trigger(workspace, agent, name="Ape")
        await workspace.make_form(agent)
        await make_trigger(workspace)
        gone = await make_trigger(workspace, agent)
        await assert_ok(workspace.manager.delete(f"/forms/{gone['formId']}"))
        triggers = await assert_ok(workspace.owner.get("/triggers", params={"agentId": agent["agentId"]}))
        assert [row["formId"] for row in triggers["items"]] == [first["formId"], second["formId"]]
        assert triggers["items"][0] == {
            "formId": first["formId"],
            "name": "Ape",
            "agentId": agent["agentId"],
            "agentName": agent["name"],
            "public": False,
        }

    async def test_has_the_current_version(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await make_trigger(workspace, agent)
        query = {"agentId": agent["agentId"]}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"trigger": False}))
        assert (await assert_ok(workspace.owner.get("/triggers", params=query)))["items"] == []
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"trigger": True}))
        assert len((await assert_ok(workspace.owner.get("/triggers", params=query)))["items"]) == 1

    async def test_shows_which_are_public(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await make_trigger(workspace, agent)
        await assert_ok(workspace.manager.put(f"/forms/{form['formId']}/publicLink", json={}))
        triggers = await assert_ok(workspace.owner.get("/triggers", params={"agentId": agent["agentId"]}))
        assert triggers["items"][0]["public"] is True
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}/publicLink"))
        triggers = await assert_ok(workspace.owner.get("/triggers", params={"agentId": agent["agentId"]}))
        assert triggers["items"][0]["public"] is False

    async def test_has_no_forms_of_other_accounts(self, workspace: Workspace, other_workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        triggers = await assert_ok(other_workspace.owner.get("/triggers"))
        assert form["formId"] not in [row["formId"] for row in triggers["items"]]
        assert (await assert_ok(other_workspace.owner.get("/triggers", params={"agentId": form["agentId"]})))[
            "items"
        ] == []


class TestFetching:
    async def test_has_what_a_page_needs(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        trigger = await assert_ok(workspace.owner.get(f"/triggers/{form['formId']}"))
        assert (trigger["formName"], trigger["version"], trigger["agentId"]) == (form["name"], 1, form["agentId"])
        assert trigger["definition"]["formId"] == form["formId"]
        assert [field["id"] for field in trigger["definition"]["fields"]] == ["topic", "count", "channels", "details"]
        assert trigger["suggestion"]["values"] == {"topic": "", "count": 3, "channels": None, "details": ""}

    async def test_only_for_trigger_forms(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        await assert_error(workspace.owner.get(f"/triggers/{form['formId']}"), 409, "not_a_trigger")

    async def test_needs_an_agent(self, workspace: Workspace) -> None:
        form = await assert_ok(workspace.manager.post("/forms", json={**TRIGGER, "name": unique("trigger")}))
        await assert_error(workspace.owner.get(f"/triggers/{form['formId']}"), 409, "no_agent")
        await assert_error(workspace.owner.post(address(form), json={"data": FILLED_IN}), 409, "no_agent")
        await assert_error(workspace.manager.put(f"/forms/{form['formId']}/publicLink", json={}), 409, "no_agent")

    async def test_does_not_find_archived_unknown_and_foreign_ones(
        self, workspace: Workspace, other_workspace: Workspace
    ) -> None:
        form = await make_trigger(workspace)
        await assert_error(other_workspace.owner.get(f"/triggers/{form['formId']}"), 404)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        await assert_error(workspace.owner.get(f"/triggers/{form['formId']}"), 404)
        await assert_error(workspace.owner.get("/triggers/frm_nothing"), 404)
        await assert_error(workspace.owner.get(f"/triggers/{'x' * 300}"), 400)


class TestSubmitting:
    async def test_creates_a_responded_review_a_session_and_a_run(self, workspace: Workspace, people: People) -> None:
        form = await make_trigger(workspace)
        person, client = people["reviewer"]
        response = await client.post(address(form), json={"data": FILLED_IN, "runName": "October"})
        assert response.status_code == 201
        submission = response.json()
        assert set(submission) == {"reviewId", "sessionId", "workflowRunId", "svcLink"}
        assert submission["svcLink"].endswith(f"/reviews/{submission['reviewId']}")
        assert submission["workflowRunId"].startswith("run_")
        review = await workspace.review(submission["reviewId"])
        assert review["state"] == "responded"
        assert review["title"] == "Autumn"
        assert (review["sessionId"], review["workflowRunId"]) == (submission["sessionId"], submission["workflowRunId"])
        result = review["reviewResult"]
        assert "response" not in result
        assert (result["respondingUser"], result["respondingUserId"]) == (person["email"], person["userId"])
        assert result["data"] == {
            "wish": {"topic": "Autumn"},
            "count": 3,
            "channels": [{"id": "mail", "label": "Mail"}],
            "details": "Leaves.",
        }
        assert review["data"] == result["data"]
        run = await assert_ok(workspace.agent.get(f"/runs/{submission['workflowRunId']}"))
        assert run["name"] == "October"

    async def test_notifies_the_agent(self, workspace: Workspace, receiver: Receiver) -> None:
        path = unique("/trigger")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        form = await make_trigger(workspace, agent, toolWebhookUrl=receiver.url + unique("/tool"))
        submission = await assert_ok(workspace.owner.post(address(form), json={"data": FILLED_IN}))
        [call] = await receiver.wait_for(path)
        event = call.json
        assert event["event"] == "trigger.submitted"
        assert "response" not in event["reviewResult"]
        assert event["workflowRunId"] == submission["workflowRunId"]
        assert event["reviewResult"]["responseValues"]["topic"] == {"value": "Autumn", "wasEdited": True}
        assert event["reviewResult"]["responseValues"]["count"] == {"value": 3, "wasEdited": False}
        review = await workspace.review(submission["reviewId"])
        assert "toolWebhookDeliveryId" not in review
        delivery = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        assert delivery["event"] == "trigger.submitted"

    async def test_is_in_the_history_and_the_log(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        submission = await assert_ok(workspace.owner.post(address(form), json={"data": FILLED_IN}))
        history = await assert_ok(workspace.owner.get(f"/reviews/{submission['reviewId']}/history"))
        assert [entry["action"] for entry in history["items"]] == ["review.requested", "review.submitted"]

    async def test_shows_submitted_values(self, workspace: Workspace) -> None:
        """With the page's own calls: the review's form and its values."""
        form = await make_trigger(workspace)
        submission = await assert_ok(workspace.owner.post(address(form), json={"data": FILLED_IN}))
        suggestion = await assert_ok(workspace.owner.get(f"/reviews/{submission['reviewId']}/suggestion"))
        assert suggestion["values"]["topic"] == "Autumn"
        review = await assert_ok(workspace.owner.get(f"/reviews/{submission['reviewId']}"))
        assert review["trigger"] is True

    async def test_accepts_session_and_title(self, workspace: Workspace) -> None:
        form, session = await make_trigger(workspace), unique("my-session")
        body = {"data": FILLED_IN, "sessionId": session, "title": "  A title  "}
        first = await assert_ok(workspace.owner.post(address(form), json=body))
        second = await assert_ok(workspace.owner.post(address(form), json=body))
        assert first["sessionId"] == second["sessionId"] == session
        assert first["reviewId"] != second["reviewId"]
        assert first["workflowRunId"] != second["workflowRunId"]
        assert (await workspace.review(first["reviewId"]))["title"] == "A title"

    async def test_leaves_out_hidden_fields(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        data = {"wish": {"topic": "Autumn"}, "count": 1, "details": "Never seen."}
        submission = await assert_ok(workspace.owner.post(address(form), json={"data": data}))
        review = await workspace.review(submission["reviewId"])
        assert review["reviewResult"]["data"] == {"wish": {"topic": "Autumn"}, "count": 1}

    async def test_ignores_editable_false(self, workspace: Workspace) -> None:
        fields = [{"id": "topic", "type": "text", "label": "Topic", "editable": False}]
        form = await make_trigger(workspace, fields=fields, rules=[])
        submission = await assert_ok(workspace.owner.post(address(form), json={"data": {"topic": "Autumn"}}))
        assert (await workspace.review(submission["reviewId"]))["reviewResult"]["data"] == {"topic": "Autumn"}

    async def test_reports_all_errors(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        data = {"count": 99, "channels": ["telegraph"], "unknown": 1}
        problem = await assert_error(workspace.owner.post(address(form), json={"data": data}), 422, "invalid")
        assert error_at(problem, "data.wish.topic")["code"] == "required"
        assert error_at(problem, "data.count")["code"] == "too_large"
        assert error_at(problem, "data.channels[0]")["code"] == "unknown_option"
        assert error_at(problem, "data.unknown")["code"] == "unmapped_property"
        assert await submissions(workspace, form) == []

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "data"),
            ({"data": None}, "data"),
            ({"data": []}, "data"),
            ({"data": "text"}, "data"),
            ({"data": {}, "sessionId": ""}, "sessionId"),
            ({"data": {}, "sessionId": "with blank"}, "sessionId"),
            ({"data": {}, "sessionId": "x" * 129}, "sessionId"),
            ({"data": {}, "runName": " "}, "runName"),
            ({"data": {}, "runName": "x" * 501}, "runName"),
            ({"data": {}, "title": 7}, "title"),
            ({"data": {}, "version": "1"}, "version"),
            ({"data": {}, "version": 0}, "version"),
            ({"data": {}, "response": "approved"}, "response"),
        ],
    )
    async def test_invalid_bodies_are_rejected(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        form = await make_trigger(workspace)
        problem = await assert_error(workspace.owner.post(address(form), json=body), 422)
        assert error_at(problem, path)

    async def test_too_long_and_too_deep_values_are_rejected(self, workspace: Workspace) -> None:
        fields = [*TRIGGER["fields"], {"id": "anything", "type": "json", "label": "Anything"}]
        form = await make_trigger(workspace, fields=fields)
        long = {"wish": {"topic": "x" * 101}}
        problem = await assert_error(workspace.owner.post(address(form), json={"data": long}), 422)
        assert error_at(problem, "data.wish.topic")["code"] == "too_long"
        deep: Any = 1
        for _ in range(210):
            deep = [deep]
        problem = await assert_error(workspace.owner.post(address(form), json={"data": {"anything": deep}}), 422)
        assert error_at(problem, "data")["code"] == "too_deep"

    async def test_needs_the_decide_permission(self, workspace: Workspace, people: People) -> None:
        form = await make_trigger(workspace)
        for role in ("admin", "editor", "reviewer"):
            await assert_ok(people[role][1].post(address(form), json={"data": FILLED_IN}))
        for client in (people["viewer"][1], workspace.agent, workspace.manager):
            await assert_error(client.post(address(form), json={"data": FILLED_IN}), 403)
        await assert_error(workspace.public.post(address(form), json={"data": FILLED_IN}), 401)
        assert len(await submissions(workspace, form)) == 3

    async def test_external_link_can_not_submit(self, workspace: Workspace) -> None:
        form, review = await make_trigger(workspace), await workspace.make_form()
        created = await workspace.request(review, extReviewers=["counsel@partner.example"])
        token = httpx.URL(created["extReviewerLinks"][0]["link"]).params["token"]
        client = workspace.client(**{"x-review-token": token})
        await assert_error(client.post(address(form), json={"data": FILLED_IN}), 403)
        await assert_error(client.get(f"/triggers/{form['formId']}"), 403)
        await assert_error(client.get("/triggers"), 403)

    async def test_other_form_types_are_rejected(self, workspace: Workspace, other_workspace: Workspace) -> None:
        plain = await workspace.make_form()
        await assert_error(workspace.owner.post(address(plain), json={"data": {}}), 409, "not_a_trigger")
        form = await make_trigger(workspace)
        await assert_error(other_workspace.owner.post(address(form), json={"data": FILLED_IN}), 404)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        await assert_error(workspace.owner.post(address(form), json={"data": FILLED_IN}), 404)

    async def test_changed_form_is_rejected(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        await assert_ok(workspace.owner.post(address(form), json={"data": FILLED_IN, "version": 1}))
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"name": "Another name"}))
        body = {"data": FILLED_IN, "version": 1}
        problem = await assert_error(workspace.owner.post(address(form), json=body), 409, "form_changed")
        assert problem["version"] == 2
        await assert_error(workspace.owner.post(address(form), json={**body, "version": 3}), 409, "form_changed")
        submission = await assert_ok(workspace.owner.post(address(form), json={**body, "version": 2}))
        assert (await workspace.review(submission["reviewId"]))["formVersion"] == 2

    async def test_concurrent_save_and_submission(self, workspace: Workspace) -> None:
        """In either order, each submission belongs to the version that it was validated against."""
        form = await make_trigger(workspace)

        async def save(number: int) -> None:
            await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"name": f"Name {number}"}))

        calls = [workspace.owner.post(address(form), json={"data": FILLED_IN}) for _ in range(10)]
        results = await asyncio.gather(*(save(number) for number in range(5)), *(assert_ok(call) for call in calls))
        for response in results[5:]:
            assert (await workspace.review(response["reviewId"]))["state"] == "responded"


class TestIdempotency:
    async def test_same_key_and_body_submit_once(self, workspace: Workspace) -> None:
        form, headers = await make_trigger(workspace), {"idempotency-key": unique("key")}
        body = {"data": FILLED_IN}
        first = await assert_ok(workspace.owner.post(address(form), json=body, headers=headers))
        again = await workspace.owner.post(address(form), json=body, headers=headers)
        assert (again.status_code, again.json()) == (201, first)
        assert len(await submissions(workspace, form)) == 1

    async def test_concurrent_submissions(self, workspace: Workspace) -> None:
        form, headers = await make_trigger(workspace), {"idempotency-key": unique("key")}
        calls = (workspace.owner.post(address(form), json={"data": FILLED_IN}, headers=headers) for _ in range(8))
        responses = await asyncio.gather(*(assert_ok(call) for call in calls))
        assert len({response["reviewId"] for response in responses}) == 1
        assert len(await submissions(workspace, form)) == 1

    async def test_another_body_or_form_is_rejected(self, workspace: Workspace) -> None:
        form, other = await make_trigger(workspace), await make_trigger(workspace)
        headers = {"idempotency-key": unique("key")}
        await assert_ok(workspace.owner.post(address(form), json={"data": FILLED_IN}, headers=headers))
        body = {"data": {**FILLED_IN, "count": 4}}
        await assert_error(
            workspace.owner.post(address(form), json=body, headers=headers), 409, "idempotency_key_reused"
        )
        await assert_error(
            workspace.owner.post(address(other), json={"data": FILLED_IN}, headers=headers),
            409,
            "idempotency_key_reused",
        )

    async def test_rejected_submission_does_not_use_the_key(self, workspace: Workspace) -> None:
        form, headers = await make_trigger(workspace), {"idempotency-key": unique("key")}
        await assert_error(workspace.owner.post(address(form), json={"data": {}}, headers=headers), 422)
        await assert_ok(workspace.owner.post(address(form), json={"data": FILLED_IN}, headers=headers))

    @pytest.mark.parametrize("key", ["", "k" * 256])
    async def test_invalid_keys_are_rejected(self, workspace: Workspace, key: str) -> None:
        form = await make_trigger(workspace)
        call = workspace.owner.post(address(form), json={"data": FILLED_IN}, headers={"idempotency-key": key})
        await assert_error(call, 400, "invalid_query")
