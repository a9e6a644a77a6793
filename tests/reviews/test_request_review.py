"""`POST /requestReview`: what each member of the body does."""

import json
import re
from typing import Any

import pytest
from support.api import DATA, Workspace, assert_ok, unique

PLAIN = {"name": "Plain", "titleField": None, "layout": None, "rules": None}
PHOTOS = {"id": "photos", "type": "list", "label": "Photos", "item": [{"id": "photo", "type": "image"}]}
TEXT = {"id": "text", "type": "longText", "label": "Text"}


async def requested(workspace: Workspace, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    """The review that a request created."""
    return await workspace.review((await workspace.request(form, **members))["reviewId"])


class TestRequestReview:
    async def test_response_has_review_session_and_link(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        response = await assert_ok(
            workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": DATA})
        )
        assert set(response) == {"reviewId", "sessionId", "svcLink"}
        review = await workspace.review(response["reviewId"])
        assert review["data"] == DATA
        assert review["state"] == "pending"
        assert "reviewResult" not in review
        assert review["svcLink"] == response["svcLink"]
        assert review["sessionId"] == response["sessionId"]

    async def test_identifiers_have_a_prefix(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form())
        assert re.fullmatch(r"rev_[A-Za-z0-9_-]+", review["reviewId"])
        assert re.fullmatch(r"ses_[A-Za-z0-9_-]+", review["sessionId"])
        assert review["svcLink"].endswith(review["reviewId"])

    async def test_unknown_members_are_ignored(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, origin="n8n", millis=12, version={"a": [None]}, **{"": 1})
        assert set(review) == {"reviewId", "sessionId", "svcLink"}

    async def test_snake_case_members_are_ignored(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await requested(workspace, form, auto_approve=True, assign_to=["x"], session_id="mine", title="")
        assert review["state"] == "pending"
        assert review["sessionId"] != "mine"

    async def test_null_is_like_absent(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        optional = ("agentId", "fields", "config", "meta", "title", "autoApprove", "webhookUrl", "sessionId")
        lists = ("assignTo", "assignToGroups", "extReviewers", "updateForReviewId", "workflow")
        response = await workspace.request(form, **dict.fromkeys(optional + lists))
        assert set(response) == {"reviewId", "sessionId", "svcLink"}
        review = await workspace.review(response["reviewId"])
        assert not {"config", "meta", "workflowRunId"} & set(review)
        assert review["title"] == "Autumn news"

    async def test_body_without_a_media_type_is_json(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = json.dumps({"formId": form["formId"], "data": DATA}).encode()
        await assert_ok(workspace.agent.post("/requestReview", content=body))
        vendor = {"content-type": "application/vnd.acme+json; charset=utf-8"}
        await assert_ok(workspace.agent.post("/requestReview", content=body, headers=vendor))


class TestAgent:
    async def test_optional_if_the_form_has_one(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        assert (await requested(workspace, form))["agentId"] == agent["agentId"]
        assert (await requested(workspace, form, agentId=agent["agentId"]))["agentId"] == agent["agentId"]

    async def test_required_if_the_form_has_none(self, workspace: Workspace) -> None:
        form = await workspace.make_form(agentId=None)
        first, second = await workspace.make_agent(), await workspace.make_agent()
        for agent in (first, second):
            assert (await requested(workspace, form, agentId=agent["agentId"]))["agentId"] == agent["agentId"]


class TestData:
    async def test_fields_is_an_alias(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await assert_ok(
            workspace.agent.post("/requestReview", json={"formId": form["formId"], "fields": DATA})
        )
        assert (await workspace.review(review["reviewId"]))["data"] == DATA

    async def test_unmapped_properties_are_kept(self, workspace: Workspace) -> None:
        data = {**DATA, "extra": {"deep": [1, 2.5, None, {"a": True}]}, "draft": {"headline": "H", "by": "bot"}}
        review = await requested(workspace, await workspace.make_form(), data=data)
        assert review["data"] == data
        assert list(review["data"]) == list(data)

    async def test_empty_data(self, workspace: Workspace) -> None:
        review = await requested(workspace, await workspace.make_form(), data={})
        assert review["data"] == {}
        assert "title" not in review

    async def test_null_absent_and_empty_values(self, workspace: Workspace) -> None:
        """Null and absent hide a field; an empty text shows an empty field that can be filled in."""
        form = await workspace.make_form()
        created_review = await workspace.request(form, data={"draft": {"headline": "H"}, "body": "", "score": None})
        preview = await assert_ok(
            workspace.owner.post(
                f"/forms/{form['formId']}/preview",
                json={"data": {"draft": {"headline": "H"}, "body": "", "score": None}},
            )
        )
        states = {field["id"]: field["state"] for field in preview["fields"]}
        assert states["body"] == "shown"
        assert states["score"] == "hidden_by_request"
        review = await workspace.decide(created_review["reviewId"], data={"body": "Filled in"})
        assert review["reviewResult"]["data"] == {"draft": {"headline": "H"}, "body": "Filled in", "score": None}

    @pytest.mark.parametrize(
        "text",
        [
            "<script>alert(1)</script>",
            "'; drop table reviews; --",
            "../../../etc/passwd",
            "${jndi:ldap://x}{{7*7}}%00%s",
            "\u202egnp.exe \U0001f600 e\u0301 \u0001\u001b[31m",
            "line\r\nset-cookie: a=b",
            "a\\u0000b",
        ],
    )
    async def test_hostile_text_is_stored_and_echoed_verbatim(self, workspace: Workspace, text: str) -> None:
        form = await workspace.make_form(name=text.strip())
        data = {"draft": {"headline": text}, text: {text: [text]}}
        created_review = await workspace.request(form, data=data, meta={text: text})
        review = await workspace.review(created_review["reviewId"])
        assert review["data"] == data
        assert review["meta"] == {text: text}
        assert review["formName"] == text.strip()
        decided = await workspace.decide(created_review["reviewId"])
        assert decided["reviewResult"]["data"] == data

    async def test_ten_thousand_elements(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**PLAIN, fields=[PHOTOS, {**TEXT, "id": "note"}])
        elements = [{"n": n, "t": f"text {n}"} for n in range(10_000)]
        review = await requested(workspace, form, data={"note": "x", "elements": elements})
        assert review["data"]["elements"] == elements

    async def test_a_megabyte_of_text(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**PLAIN, fields=[TEXT])
        text = "wörter und mehr " * 65_536
        review = await workspace.request(form, data={"kept": text})
        assert (await workspace.review(review["reviewId"]))["data"] == {"kept": text}

    async def test_deep_nesting(self, workspace: Workspace) -> None:
        """Data at the maximum depth is also returned, in the review and in its result."""
        deep: Any = 1
        for _ in range(100):
            deep = {"a": [deep]}
        created_review = await workspace.request(
            await workspace.make_form(), data={**DATA, "deep": deep}, meta={"deep": deep}
        )
        review = await workspace.decide(created_review["reviewId"])
        assert review["reviewResult"]["data"]["deep"] == deep
        assert review["meta"] == {"deep": deep}

    async def test_numbers_are_unchanged(self, workspace: Workspace) -> None:
        data = {**DATA, "n": [0, -1, 1.5, 1e300, 2**63 - 1, -(2**63), 0.1, 1e-9]}
        review = await requested(workspace, await workspace.make_form(), data=data)
        assert review["data"]["n"] == data["n"]


class TestConfig:
    async def test_options_and_default_of_this_request(self, workspace: Workspace) -> None:
        config = {"fields": {"channel": {"options": [{"id": "x", "label": "X"}], "default": "x"}}}
        form = await workspace.make_form()
        created_review = await workspace.request(form, config=config)
        review = await workspace.decide(created_review["reviewId"])
        assert review["config"] == config
        assert review["reviewResult"]["data"]["channel"] == "x"

    async def test_options_in_the_data(self, workspace: Workspace) -> None:
        offer = {"options": [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}], "default": ["y"]}
        created_review = await workspace.request(await workspace.make_form(), data={**DATA, "tags": offer})
        review = await workspace.decide(created_review["reviewId"])
        assert review["data"]["tags"] == offer
        assert review["reviewResult"]["data"]["tags"] == [{"id": "y", "label": "Y"}]

    async def test_empty_config_is_echoed(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        assert (await requested(workspace, form, config={}))["config"] == {}
        assert (await requested(workspace, form, config={"fields": {}}))["config"] == {"fields": {}}


class TestMeta:
    async def test_round_trip(self, workspace: Workspace) -> None:
        meta = {"ticket": "A-17", "n": [1, None, {"x": {}}], "": ""}
        form = await workspace.make_form()
        review = await requested(workspace, form, meta=meta)
        assert review["meta"] == meta
        assert (await requested(workspace, form, meta={}))["meta"] == {}


class TestTitle:
    async def test_of_the_title_field(self, workspace: Workspace) -> None:
        review = await requested(workspace, await workspace.make_form(), data={"draft": {"headline": " Two\n words "}})
        assert review["title"] == "Two words"

    async def test_overrides(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        assert (await requested(workspace, form, title="Mine"))["title"] == "Mine"
        assert (await requested(workspace, form, title=""))["title"] == "Autumn news"

    async def test_form_without_a_title_field(self, workspace: Workspace) -> None:
        form = await workspace.make_form(titleField=None)
        assert "title" not in await requested(workspace, form)
        assert (await requested(workspace, form, title="Mine"))["title"] == "Mine"


class TestSession:
    async def test_given_session(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        session = unique("My.session_1:a-b")
        first = await workspace.request(form, sessionId=session)
        second = await workspace.request(form, sessionId=session)
        assert first["sessionId"] == second["sessionId"] == session
        rows = await assert_ok(workspace.agent.get("/reviews", params={"sessionId": session}))
        assert {row["reviewId"] for row in rows["items"]} == {first["reviewId"], second["reviewId"]}

    async def test_longest_id(self, workspace: Workspace) -> None:
        session = unique("s").ljust(128, "x")
        assert (await workspace.request(await workspace.make_form(), sessionId=session))["sessionId"] == session

    async def test_each_request_without_one_creates_one(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        first, second = await workspace.request(form), await workspace.request(form)
        assert first["sessionId"] != second["sessionId"]


class TestWorkflow:
    async def test_given_run_id(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        run = unique("run:2026-11.15_x")
        meta = {"_svcWorkflow": {"runId": run, "runName": "Newsletter", "prevSteps": ["rev_before"]}}
        response = await workspace.request(form, meta=meta)
        assert "workflowRunId" not in response
        review = await workspace.review(response["reviewId"])
        assert review["workflowRunId"] == run
        assert review["meta"] == meta

    async def test_deprecated_name(self, workspace: Workspace) -> None:
        run = unique("run")
        review = await workspace.request(await workspace.make_form(), workflow={"runId": run, "prevSteps": []})
        assert "workflowRunId" not in review
        assert (await workspace.review(review["reviewId"]))["workflowRunId"] == run

    @pytest.mark.parametrize(
        "members",
        [
            {"meta": {"_svcWorkflow": {}}},
            {"workflow": {}},
            {"workflow": {"runId": None, "runName": "Only a name"}},
            {"meta": {"_svcWorkflow": {"prevSteps": ["rev_before"]}}},
        ],
    )
    async def test_without_a_run_id(self, workspace: Workspace, members: dict[str, Any]) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, **members)
        assert set(review) == {"reviewId", "sessionId", "svcLink", "workflowRunId"}
        assert review["workflowRunId"].startswith("run_")
        assert (await workspace.review(review["reviewId"]))["workflowRunId"] == review["workflowRunId"]
        assert (await workspace.request(form, **members))["workflowRunId"] != review["workflowRunId"]

    async def test_without_a_workflow(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        for members in ({}, {"workflow": None}, {"meta": {"_svcWorkflow": None}}):
            review = await workspace.request(form, **members)
            assert "workflowRunId" not in review
            assert "workflowRunId" not in await workspace.review(review["reviewId"])


class TestReviewers:
    async def test_members_and_groups(self, workspace: Workspace, people: dict[str, Any]) -> None:
        reviewer, _ = people["reviewer"]
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), "members": []}))
        form = await workspace.make_form()
        email = reviewer["email"].upper()
        created_review = await workspace.request(form, assignTo=[email, email], assignToGroups=[group["groupId"]])
        review = await workspace.review(created_review["reviewId"])
        assert review["assignedTo"] == {"users": [reviewer["email"]], "groups": [group["groupId"]], "external": []}

    async def test_external_reviewers_get_links(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        response = await workspace.request(form, extReviewers=["Ann@example.org", "bob@example.org", "ann@example.org"])
        assert set(response) == {"reviewId", "sessionId", "svcLink", "extReviewerLinks"}
        assert [link["email"] for link in response["extReviewerLinks"]] == ["ann@example.org", "bob@example.org"]
        assert all(set(link) == {"email", "link"} for link in response["extReviewerLinks"])
        assert len({link["link"] for link in response["extReviewerLinks"]}) == 2
        review = await workspace.review(response["reviewId"])
        assert review["assignedTo"]["external"] == ["ann@example.org", "bob@example.org"]

    async def test_defaults_of_the_form(self, workspace: Workspace, people: dict[str, Any]) -> None:
        reviewer, _ = people["reviewer"]
        editor, _ = people["editor"]
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), "members": []}))
        form = await workspace.make_form(
            defaultReviewers={
                "users": [reviewer["email"]],
                "groups": [group["groupId"]],
                "external": ["ext@example.org"],
            }
        )
        response = await workspace.request(form)
        assert [link["email"] for link in response["extReviewerLinks"]] == ["ext@example.org"]
        review = await workspace.review(response["reviewId"])
        assert review["assignedTo"] == {
            "users": [reviewer["email"]],
            "groups": [group["groupId"]],
            "external": ["ext@example.org"],
        }
        named = await workspace.request(form, assignTo=[editor["email"]])
        assert "extReviewerLinks" not in named
        review = await workspace.review(named["reviewId"])
        assert review["assignedTo"] == {"users": [editor["email"]], "groups": [], "external": []}

    async def test_former_default_reviewers_are_ignored(self, workspace: Workspace) -> None:
        leaver, _ = await workspace.make_person()
        form = await workspace.make_form(defaultReviewers={"users": [leaver["email"]]})
        await assert_ok(workspace.owner.delete(f"/users/{leaver['userId']}"))
        review = await requested(workspace, form)
        assert review["assignedTo"]["users"] == []
