"""The data with which a page shows a review: its assignees, its pinned review type, and the initial values of its
fields."""

from typing import Any

import httpx
import pytest
from support.api import DATA, FORM, Workspace, assert_error, assert_ok, unique


def link_holder(workspace: Workspace, asked: dict[str, Any]) -> httpx.AsyncClient:
    token = httpx.URL(asked["extReviewerLinks"][0]["link"]).params["token"]
    return workspace.client(**{"x-review-token": token})


class TestFieldsForUsers:
    async def test_names(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent, allowRetry=False)
        run = {"runId": unique("run"), "runName": "Newsletter"}
        created_review = await workspace.request(form, workflow=run, extReviewers=["out@example.org"])
        review = await assert_ok(workspace.owner.get(f"/reviews/{created_review['reviewId']}"))
        assert review["agentName"] == agent["name"]
        assert review["runName"] == "Newsletter"
        assert review["allowRetry"] is False
        assert review["trigger"] is False
        assert "sessionName" not in review
        seen = await assert_ok(link_holder(workspace, created_review).get(f"/reviews/{created_review['reviewId']}"))
        assert (seen["agentName"], seen["mayDecide"], seen["allowRetry"]) == (agent["name"], True, False)
        assert not {"runName", "sessionName", "assignedTo", "meta"} & set(seen)
        assert not {"agentName", "mayDecide", "allowRetry"} & set(await workspace.review(created_review["reviewId"]))

    async def test_may_decide_matches_the_permission(self, workspace: Workspace, people: dict[str, Any]) -> None:
        """For each role and assignment: `mayDecide` is true exactly for users whose decision is accepted."""
        person, _ = people["reviewer"]
        group = await assert_ok(
            workspace.owner.post("/groups", json={"name": unique("group"), "members": [person["email"]]})
        )
        form = await workspace.make_form()
        ways: list[dict[str, Any]] = [
            {},
            {"assignTo": [person["email"]]},
            {"assignToGroups": [group["groupId"]]},
            {"assignTo": [people["editor"][0]["email"]]},
            {"extReviewers": ["out@example.org"]},
        ]
        for way in ways:
            for role, (_, client) in people.items():
                review_id = (await workspace.request(form, **way))["reviewId"]
                may_decide = (await assert_ok(client.get(f"/reviews/{review_id}")))["mayDecide"]
                response = await client.post(f"/reviews/{review_id}/response", json={"response": "approved"})
                assert response.status_code == (200 if may_decide else 403), (way, role)
        expected = {"admin": True, "editor": False, "reviewer": True, "viewer": False}
        review_id = (await workspace.request(form, assignToGroups=[group["groupId"]]))["reviewId"]
        for role, (_, client) in people.items():
            assert (await assert_ok(client.get(f"/reviews/{review_id}")))["mayDecide"] is expected[role]


class TestForm:
    async def test_pinned_version(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["out@example.org"])
        path = f"/reviews/{review['reviewId']}/form"
        response = await workspace.owner.get(path)
        assert response.headers["cache-control"] == "private, max-age=31536000, immutable"
        shown = response.json()
        expected = ("formId", "version", "name", "titleField", "width", "unmapped", "fields", "layout", "rules")
        assert shown == {name: form[name] for name in expected}
        await assert_ok(
            workspace.manager.patch(f"/forms/{form['formId']}", json={"name": "Another", "fields": FORM["fields"]})
        )
        assert await assert_ok(workspace.owner.get(path)) == shown
        assert await assert_ok(link_holder(workspace, review).get(path)) == shown
        assert await assert_ok(workspace.agent.get(path)) == shown

    async def test_without_a_layout(self, workspace: Workspace) -> None:
        fields = [{"id": "a", "type": "text", "label": "A"}]
        form = await workspace.make_form(fields=fields, layout=None, rules=[], titleField=None)
        review = await workspace.request(form, data={"a": "x"})
        shown = await assert_ok(workspace.owner.get(f"/reviews/{review['reviewId']}/form"))
        assert "layout" not in shown
        assert shown["titleField"] is None


class TestSuggestion:
    async def test_initial_values(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(
            form, data={**DATA, "body": None, "extra": 1}, extReviewers=["out@example.org"]
        )
        path = f"/reviews/{review['reviewId']}/suggestion"
        shown = await assert_ok(workspace.owner.get(path))
        preview = await assert_ok(
            workspace.manager.post(f"/forms/{form['formId']}/preview", json={"data": {**DATA, "body": None}})
        )
        assert shown == {
            "revision": 1,
            "values": {"headline": "Autumn news", "score": 7, "channel": None, "tags": None},
            "responseValues": preview["responseValues"],
            "unmapped": [{"path": ["extra"], "value": 1}],
        }
        assert await assert_ok(link_holder(workspace, review).get(path)) == shown

    async def test_options_of_the_request(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        options = [{"id": "b", "label": "B"}, {"id": "a", "label": "Ä"}]
        review = await workspace.request(
            form,
            data={**DATA, "tags": {"options": options, "default": ["a"]}},
            config={"fields": {"channel": {"options": options[:1], "default": "b"}}},
        )
        shown = await assert_ok(workspace.owner.get(f"/reviews/{review['reviewId']}/suggestion"))
        assert shown["configs"] == {"channel": {"options": options[:1]}, "tags": {"options": options}}
        assert shown["values"]["channel"] == "b"
        assert shown["values"]["tags"] == options[1:]

    async def test_follows_the_content(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        await workspace.request(form, updateForReviewId=review["reviewId"], data={**DATA, "body": "Anew"})
        shown = await assert_ok(workspace.owner.get(f"/reviews/{review['reviewId']}/suggestion"))
        assert shown["values"]["body"] == "Anew"
        assert shown["revision"] == 2


class TestLinkHolders:
    @pytest.mark.parametrize("place", ["/form", "/suggestion", "/draft"])
    async def test_only_own_review(self, workspace: Workspace, place: str) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["out@example.org"])
        other = await workspace.request(form)
        await assert_error(link_holder(workspace, review).get(f"/reviews/{other['reviewId']}{place}"), 404)
