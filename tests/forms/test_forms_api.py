"""Review types over HTTP: created, updated as new versions, archived, previewed."""

import asyncio
import json
import re
from typing import Any

import pytest
from support.api import DATA, FORM, Workspace, assert_error, assert_ok, error_at, unique
from support.in_process import Service
from support.receiver import Receiver
from support.second_account import open_second_account

MEMBERS = {
    "formId",
    "version",
    "name",
    "agentId",
    "titleField",
    "description",
    "width",
    "unmapped",
    "autoApprove",
    "allowRetry",
    "decideFromChat",
    "allowExternalReviewers",
    "trigger",
    "defaultReviewers",
    "webhookUrl",
    "toolWebhookUrl",
    "timeLimits",
    "fields",
    "layout",
    "rules",
    "createdAt",
    "updatedAt",
    "archivedAt",
}
SMALL: dict[str, Any] = {"name": "Small", "fields": [{"id": "text", "type": "text"}]}
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


async def make(workspace: Workspace, **members: Any) -> dict[str, Any]:
    return await assert_ok(workspace.manager.post("/forms", json={**SMALL, **members}))


async def change(workspace: Workspace, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    return await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=members))


async def get(workspace: Workspace, form: dict[str, Any]) -> dict[str, Any]:
    return await assert_ok(workspace.manager.get(f"/forms/{form['formId']}"))


class TestCreate:
    async def test_stored_as_sent(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        response = await workspace.manager.post("/forms", json={**FORM, "agentId": agent["agentId"]})
        assert response.status_code == 201
        form = response.json()
        assert set(form) == MEMBERS
        assert re.fullmatch(r"frm_[A-Za-z0-9_-]+", form["formId"])
        assert form["version"] == 1
        assert form["agentId"] == agent["agentId"]
        assert form["archivedAt"] is None
        assert TIMESTAMP.fullmatch(form["createdAt"])
        for name in ("name", "titleField", "width", "allowRetry", "layout", "rules"):
            assert form[name] == FORM[name]
        for written, field in zip(form["fields"], FORM["fields"], strict=True):
            assert field.items() <= written.items()
        assert await get(workspace, form) == form

    async def test_defaults(self, workspace: Workspace) -> None:
        form = await make(workspace)
        assert form["agentId"] is None
        assert form["titleField"] is None
        assert form["width"] == "medium"
        assert (form["autoApprove"], form["allowRetry"], form["trigger"]) == (False, False, False)
        assert form["decideFromChat"] is False
        assert form["unmapped"] == "show"
        assert form["defaultReviewers"] == {"users": [], "groups": [], "external": []}
        assert form["webhookUrl"] is form["toolWebhookUrl"] is None
        assert form["layout"] == form["rules"] == []
        [field] = form["fields"]
        assert {
            "id": "text",
            "type": "text",
            "path": "text",
            "required": False,
            "editable": True,
        }.items() <= field.items()

    async def test_example_of_the_docs(self, workspace: Workspace) -> None:
        """The review type of the decisions page."""
        agent = await workspace.make_agent()
        owner = (await assert_ok(workspace.owner.get("/auth/me")))["user"]["email"]
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), "members": []}))
        photos = {"id": "photos", "type": "list", "label": "Photos", "item": [{"id": "photo", "type": "image"}]}
        body = {
            **FORM,
            "agentId": agent["agentId"],
            "autoApprove": False,
            "trigger": False,
            "defaultReviewers": {"users": [owner], "groups": [group["groupId"]], "external": []},
            "webhookUrl": None,
            "toolWebhookUrl": None,
            "fields": [*FORM["fields"], photos],
            "layout": [
                *FORM["layout"],
                {"kind": "grid", "columns": 3, "children": [{"kind": "field", "field": "photos"}]},
            ],
        }
        form = await assert_ok(workspace.manager.post("/forms", json=body))
        assert form["defaultReviewers"] == body["defaultReviewers"]
        assert form["layout"] == body["layout"]
        assert form["fields"][-1]["item"][0].items() >= photos["item"][0].items()

    async def test_hostile_name(self, workspace: Workspace) -> None:
        name = "<script>alert('x')</script>'; drop table forms; --"
        assert (await make(workspace, name=f"  {name}  "))["name"] == name


class TestErrors:
    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"name": None}, "name"),
            ({"name": "   "}, "name"),
            ({"name": "x" * 201}, "name"),
            ({"name": 17}, "name"),
            ({"nmae": "x"}, "nmae"),
            ({"formId": "frm_mine"}, "formId"),
            ({"version": 1}, "version"),
            ({"auto_approve": True}, "auto_approve"),
            ({"agentId": "agt_nothing"}, "agentId"),
            ({"agentId": 17}, "agentId"),
            ({"autoApprove": "yes"}, "autoApprove"),
            ({"allowRetry": 1}, "allowRetry"),
            ({"decideFromChat": "yes"}, "decideFromChat"),
            ({"allowExternalReviewers": None}, "allowExternalReviewers"),
            ({"trigger": None}, "trigger"),
            ({"webhookUrl": "ftp://example.com"}, "webhookUrl"),
            ({"toolWebhookUrl": "javascript:alert(1)"}, "toolWebhookUrl"),
            ({"defaultReviewers": []}, "defaultReviewers"),
            ({"defaultReviewers": None}, "defaultReviewers"),
            ({"defaultReviewers": {"users": ["nobody@example.com"]}}, "defaultReviewers.users[0]"),
            ({"defaultReviewers": {"users": ["no address"]}}, "defaultReviewers.users[0]"),
            ({"defaultReviewers": {"groups": ["grp_nothing"]}}, "defaultReviewers.groups[0]"),
            ({"defaultReviewers": {"external": ["no address"]}}, "defaultReviewers.external[0]"),
            ({"defaultReviewers": {"everybody": True}}, "defaultReviewers.everybody"),
            ({"titleField": "nothing"}, "titleField"),
            ({"width": "huge"}, "width"),
            ({"fields": None}, "fields"),
            ({"fields": []}, "fields"),
            ({"fields": {}}, "fields"),
            ({"fields": [{"id": f"f{n}", "type": "text"} for n in range(201)]}, "fields"),
            ({"fields": [{"id": "a", "type": "nothing"}]}, "fields[0].type"),
            ({"fields": [{"type": "text"}]}, "fields[0].id"),
            ({"fields": [{"id": "a", "type": "text"}, {"id": "a", "type": "text"}]}, "fields[1].id"),
            ({"fields": [{"id": "a", "type": "text"}, {"id": "b", "type": "text", "path": "a.b"}]}, "fields[1].path"),
            ({"fields": [{"id": "a", "type": "dropdown", "options": [{"label": "x"}]}]}, "fields[0].options[0].id"),
            ({"fields": [{"id": "a", "type": "text", "colour": "red"}]}, "fields[0].colour"),
            ({"fields": ["text"]}, "fields[0]"),
            ({"layout": [{"kind": "field", "field": "nothing"}]}, "layout[0].field"),
            ({"layout": "columns"}, "layout"),
            ({"rules": [{"target": "nothing", "effect": "show", "when": {"all": []}}]}, "rules[0].target"),
            ({"rules": {}}, "rules"),
        ],
        ids=lambda value: None if isinstance(value, str) else json.dumps(value)[:60],
    )
    async def test_one_error(self, workspace: Workspace, members: dict[str, Any], path: str) -> None:
        problem = await assert_error(workspace.manager.post("/forms", json={**SMALL, **members}), 422, "invalid")
        assert error_at(problem, path)

    async def test_reports_all_errors(self, workspace: Workspace) -> None:
        body = {
            "name": "",
            "colour": "red",
            "agentId": "agt_nothing",
            "autoApprove": "yes",
            "webhookUrl": "nowhere",
            "defaultReviewers": {"users": ["nobody@example.com"], "groups": ["grp_nothing"]},
            "titleField": "score",
            "width": "huge",
            "fields": [
                {"id": "score", "type": "number", "min": 5, "max": 1},
                {"id": "score", "type": "text"},
                {"id": "a", "type": "nothing"},
                {"id": "b", "type": "dropdown", "options": [{"label": "X"}]},
                {"id": "c", "type": "text", "path": "deep"},
                {"id": "d", "type": "text", "path": "deep.er"},
            ],
            "layout": [{"kind": "field", "field": "nowhere"}, {"kind": "circle"}],
            "rules": [
                {"target": "c", "effect": "show", "when": {"field": "d.value", "operation": "isTrue"}},
                {"target": "d", "effect": "show", "when": {"field": "c.value", "operation": "isTrue"}},
                {"target": "x", "effect": "blink", "when": {"field": "y.value", "operation": "nearly", "value": 1}},
            ],
        }
        problem = await assert_error(workspace.manager.post("/forms", json=body), 422, "invalid")
        paths = {error["path"] for error in problem["errors"]}
        assert paths >= {
            "name",
            "colour",
            "agentId",
            "autoApprove",
            "webhookUrl",
            "defaultReviewers.users[0]",
            "defaultReviewers.groups[0]",
            "titleField",
            "width",
            "fields[1].id",
            "fields[2].type",
            "fields[3].options[0].id",
            "fields[5].path",
            "layout[0].field",
            "layout[1].kind",
            "rules[2].target",
            "rules[2].effect",
        }
        assert any(path.startswith("fields[0]") for path in paths)
        assert any(path.startswith("rules[2].when") for path in paths)

    async def test_reports_unknown_references_too(self, workspace: Workspace) -> None:
        body = {
            **SMALL,
            "agentId": "agt_nothing",
            "defaultReviewers": {"users": ["nobody@example.com"], "groups": ["grp_nothing"]},
            "fields": [{"id": "a", "type": "nothing"}],
        }
        problem = await assert_error(workspace.manager.post("/forms", json=body), 422, "invalid")
        assert {error["path"] for error in problem["errors"]} == {
            "agentId",
            "defaultReviewers.users[0]",
            "defaultReviewers.groups[0]",
            "fields[0].type",
        }
        assert "nobody@example.com" in error_at(problem, "defaultReviewers.users[0]")["message"]

    async def test_cycle(self, workspace: Workspace) -> None:
        def shown_when(target: str, field: str) -> dict[str, Any]:
            return {"target": target, "effect": "show", "when": {"field": f"{field}.value", "operation": "isTrue"}}

        fields = [{"id": name, "type": "boolean"} for name in "abc"]
        rules = [shown_when("a", "b"), shown_when("b", "c"), shown_when("c", "a")]
        problem = await assert_error(
            workspace.manager.post("/forms", json={**SMALL, "fields": fields, "rules": rules}), 422
        )
        assert any("cycle" in error["code"] for error in problem["errors"])
        await make(workspace, fields=fields, rules=rules[:2])

    @pytest.mark.parametrize(
        "place", ['{"name": "x", "fields": %s}', '{"name": "x", "fields": [], "rules": [{"when": %s}]}', '{"x": %s}']
    )
    async def test_nested_too_deeply(self, workspace: Workspace, place: str) -> None:
        for deep in ("[" * 900 + "]" * 900, '{"not":' * 900 + "1" + "}" * 900):
            await assert_error(workspace.manager.post("/forms", content=place % deep), 422)

    async def test_deep_default(self, workspace: Workspace) -> None:
        deep = "[" * 300 + "]" * 300
        body = f'{{"name": "x", "fields": [{{"id": "a", "type": "json", "default": {deep}}}]}}'
        await assert_error(workspace.manager.post("/forms", content=body), 422)

    @pytest.mark.parametrize("body", ["[]", "null", '"form"'])
    async def test_not_an_object(self, workspace: Workspace, body: str) -> None:
        headers = {"content-type": "application/json"}
        await assert_error(workspace.manager.post("/forms", content=body, headers=headers), 422)


class TestList:
    async def test_pages_of_one_agent(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form_ids = [(await make(workspace, agentId=agent["agentId"]))["formId"] for _ in range(5)]
        await make(workspace)
        seen: list[str] = []
        params: dict[str, Any] = {"agentId": agent["agentId"], "limit": 2}
        for _ in range(3):
            page = await assert_ok(workspace.manager.get("/forms", params=params))
            assert set(page) == {"items", "nextCursor"}
            seen += [row["formId"] for row in page["items"]]
            params["cursor"] = page["nextCursor"]
        assert seen == sorted(form_ids)
        assert page["nextCursor"] is None
        assert set(page["items"][0]) == {
            "formId",
            "version",
            "name",
            "description",
            "agentId",
            "createdAt",
            "updatedAt",
        }

    async def test_archived(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        active, gone = [await make(workspace, agentId=agent["agentId"]) for _ in range(2)]
        await assert_ok(workspace.manager.delete(f"/forms/{gone['formId']}"))
        for archived, expected in ((None, active), ("false", active), ("true", gone)):
            params = {"agentId": agent["agentId"]} | ({"archived": archived} if archived else {})
            rows = (await assert_ok(workspace.manager.get("/forms", params=params)))["items"]
            assert [row["formId"] for row in rows] == [expected["formId"]]

    @pytest.mark.parametrize(
        "params", [{"limit": "0"}, {"limit": "x"}, {"archived": "maybe"}, {"cursor": "zzz"}, {"agentId": "x" * 200}]
    )
    async def test_bad_query(self, workspace: Workspace, params: dict[str, str]) -> None:
        await assert_error(workspace.manager.get("/forms", params=params), 400, "invalid_query")


class TestChange:
    async def test_creates_a_version(self, workspace: Workspace) -> None:
        form = await make(workspace)
        changed = await change(workspace, form, name="Renamed", allowRetry=True)
        assert changed == {
            **form,
            "name": "Renamed",
            "allowRetry": True,
            "version": 2,
            "updatedAt": changed["updatedAt"],
        }
        assert changed["updatedAt"] >= form["updatedAt"]
        assert await get(workspace, form) == changed

    async def test_without_a_change_creates_none(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        ours = {name: form[name] for name in MEMBERS - {"formId", "version", "createdAt", "updatedAt", "archivedAt"}}
        for body in ({}, {"name": form["name"]}, {"name": f" {form['name']} "}, {"layout": form["layout"]}, ours):
            assert await change(workspace, form, **body) == form
        plain = await make(workspace)
        for body in ({"layout": []}, {"layout": None}, {"rules": []}, {"rules": None}, {"width": None}):
            assert await change(workspace, plain, **body) == plain

    async def test_true_is_not_one(self, workspace: Workspace) -> None:
        def rules(value: Any) -> list[dict[str, Any]]:
            when = {"field": "data.value", "operation": "equal", "value": value}
            return [{"target": "text", "effect": "hide", "when": when}]

        fields = [*SMALL["fields"], {"id": "data", "type": "json"}]
        form = await make(workspace, fields=fields, rules=rules(1))
        changed = await change(workspace, form, rules=rules(True))
        assert changed["version"] == 2
        assert changed["rules"][0]["when"]["value"] is True

    async def test_null(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await make(workspace, agentId=agent["agentId"], webhookUrl="https://example.com/x", titleField="text")
        changed = await change(workspace, form, agentId=None, webhookUrl=None, titleField=None)
        assert changed["agentId"] is changed["webhookUrl"] is changed["titleField"] is None
        for member in ("name", "autoApprove", "allowRetry", "trigger", "defaultReviewers", "fields"):
            problem = await assert_error(workspace.manager.patch(f"/forms/{form['formId']}", json={member: None}), 422)
            assert error_at(problem, member)

    async def test_of_an_outdated_version(self, workspace: Workspace) -> None:
        form = await make(workspace)
        await change(workspace, form, name="Second", version=1)
        body = {"name": "Third", "version": 1}
        problem = await assert_error(
            workspace.manager.patch(f"/forms/{form['formId']}", json=body), 409, "version_conflict"
        )
        assert problem["version"] == 2
        assert (await get(workspace, form))["name"] == "Second"
        assert (await change(workspace, form, name="Third", version=2))["version"] == 3

    @pytest.mark.parametrize("version", ["1", True, 1.5, [1], {}])
    async def test_invalid_version(self, workspace: Workspace, version: Any) -> None:
        form = await make(workspace)
        body = {"name": "Second", "version": version}
        problem = await assert_error(workspace.manager.patch(f"/forms/{form['formId']}", json=body), 422)
        assert error_at(problem, "version")

    async def test_is_all_or_nothing(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = {"name": "Renamed", "fields": [{"id": "other", "type": "text"}], "colour": "red"}
        problem = await assert_error(workspace.manager.patch(f"/forms/{form['formId']}", json=body), 422)
        paths = {error["path"] for error in problem["errors"]}
        assert {"titleField", "colour"} <= paths
        assert any(path.startswith("layout") for path in paths)
        assert any(path.startswith("rules") for path in paths)
        assert await get(workspace, form) == form

    async def test_rejects_misspelled_members(self, workspace: Workspace) -> None:
        form = await make(workspace)
        for member in ("auto_approve", "autoapprove", "createdAt", "formId"):
            problem = await assert_error(workspace.manager.patch(f"/forms/{form['formId']}", json={member: True}), 422)
            assert error_at(problem, member)

    async def test_former_reviewers_do_not_prevent_it(self, workspace: Workspace) -> None:
        """A change looks up only what it names."""
        leaver, _ = await workspace.make_person()
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), "members": []}))
        reviewers = {"users": [leaver["email"]], "groups": [group["groupId"]], "external": []}
        form = await make(workspace, defaultReviewers=reviewers)
        await assert_ok(workspace.owner.delete(f"/users/{leaver['userId']}"))
        await assert_ok(workspace.owner.delete(f"/groups/{group['groupId']}"))
        assert (await change(workspace, form, name="Renamed"))["defaultReviewers"] == reviewers
        problem = await assert_error(
            workspace.manager.patch(f"/forms/{form['formId']}", json={"defaultReviewers": reviewers}), 422
        )
        assert {error["path"] for error in problem["errors"]} == {
            "defaultReviewers.users[0]",
            "defaultReviewers.groups[0]",
        }

    async def test_concurrent_changes(self, workspace: Workspace) -> None:
        """Each is applied on top of the other; with `version`, the later one gets a conflict."""
        for _ in range(5):
            form = await make(workspace)
            await asyncio.gather(
                change(workspace, form, name="Renamed"),
                change(workspace, form, allowRetry=True),
                change(workspace, form, webhookUrl="https://example.com/"),
            )
            after = await get(workspace, form)
            assert (after["name"], after["allowRetry"], after["webhookUrl"]) == (
                "Renamed",
                True,
                "https://example.com/",
            )
            assert after["version"] == 4
        form = await make(workspace)
        responses = await asyncio.gather(
            *(
                workspace.manager.patch(f"/forms/{form['formId']}", json={"name": f"Name {n}", "version": 1})
                for n in range(5)
            )
        )
        assert sorted(response.status_code for response in responses) == [200, 409, 409, 409, 409]
        assert (await get(workspace, form))["version"] == 2


class TestVersions:
    async def test_newest_first_in_pages(self, workspace: Workspace) -> None:
        form = await make(workspace)
        for number in range(2, 6):
            await change(workspace, form, name=f"Name {number}")
        seen: list[dict[str, Any]] = []
        params: dict[str, Any] = {"limit": 2}
        for _ in range(3):
            page = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/versions", params=params))
            seen += page["items"]
            params["cursor"] = page["nextCursor"]
        assert page["nextCursor"] is None
        assert [version["version"] for version in seen] == [5, 4, 3, 2, 1]
        assert [version["current"] for version in seen] == [True, False, False, False, False]
        assert [version["definition"]["name"] for version in seen] == ["Name 5", "Name 4", "Name 3", "Name 2", "Small"]
        assert set(seen[0]) == {"version", "createdAt", "createdBy", "current", "definition"}

    @pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "٣", "9" * 30])
    async def test_bad_cursor(self, workspace: Workspace, cursor: str) -> None:
        form = await make(workspace)
        await assert_error(workspace.manager.get(f"/forms/{form['formId']}/versions", params={"cursor": cursor}), 400)

    async def test_open_reviews_keep_theirs(self, workspace: Workspace) -> None:
        """A field is removed, another added: earlier reviews use the old version, later ones the new one."""
        form = await workspace.make_form()
        before = await workspace.request(form)
        fields = [{"id": "verdict", "type": "text", "required": True}]
        await change(workspace, form, fields=fields, titleField=None, layout=None, rules=None, name="Newer")
        review = await workspace.review(before["reviewId"])
        assert review["formVersion"] == 1
        assert review["formName"] == FORM["name"]
        problem = await assert_error(
            workspace.owner.post(
                f"/reviews/{before['reviewId']}/response", json={"response": "approved", "data": {"verdict": "x"}}
            ),
            422,
        )
        assert error_at(problem, "data.verdict")
        decided = await workspace.decide(before["reviewId"], data={"body": "By the old version", "channel": "mail"})
        assert decided["reviewResult"]["data"] == {**DATA, "body": "By the old version", "channel": "mail"}
        after = await workspace.request(form, data={"verdict": ""})
        review = await workspace.review(after["reviewId"])
        assert review["formVersion"] == 2
        assert review["formName"] == "Newer"
        await workspace.decide(after["reviewId"], data={"verdict": "By the new version"})

    async def test_open_reviews_keep_their_settings(self, workspace: Workspace) -> None:
        form = await workspace.make_form(allowRetry=False)
        review = await workspace.request(form)
        await change(workspace, form, allowRetry=True, autoApprove=True)
        call = workspace.owner.post(f"/reviews/{review['reviewId']}/retry", json={"instructions": "x"})
        await assert_error(call, 409, "retry_not_allowed")
        await workspace.request(form, updateForReviewId=review["reviewId"])
        assert (await workspace.review(review["reviewId"]))["state"] == "pending"

    async def test_new_requests_get_the_new_one_immediately(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        for version in range(2, 8):
            await workspace.request(form)
            await change(workspace, form, name=f"Version {version}")
            reviews = await asyncio.gather(*(workspace.request(form) for _ in range(5)))
            for review in reviews:
                assert (await workspace.review(review["reviewId"]))["formVersion"] == version

    async def test_changes_during_requests(self, workspace: Workspace) -> None:
        """In any order, each review matches the version it's pinned to."""
        form = await make(workspace, agentId=(await workspace.make_agent())["agentId"])
        texts = {"data": {"text": "x"}}
        reviews = await asyncio.gather(
            *(workspace.request(form, **texts) for _ in range(10)),
            change(workspace, form, name="Middle"),
            *(workspace.request(form, **texts) for _ in range(10)),
        )
        for response in reviews:
            if "reviewId" in response:
                review = await workspace.review(response["reviewId"])
                assert review["formName"] == {1: "Small", 2: "Middle"}[review["formVersion"]]


class TestArchive:
    async def test_blocks_new_reviews_and_keeps_old_ones(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        response = await workspace.manager.delete(f"/forms/{form['formId']}")
        assert response.status_code == 204
        assert response.content == b""
        await assert_error(workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": DATA}), 404)
        shown = await get(workspace, form)
        assert TIMESTAMP.fullmatch(shown["archivedAt"])
        assert (await workspace.review(review["reviewId"]))["formName"] == form["name"]
        await workspace.request(form, updateForReviewId=review["reviewId"])
        assert (await workspace.decide(review["reviewId"]))["state"] == "responded"
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        assert (await get(workspace, form))["archivedAt"] == shown["archivedAt"]


class TestPreview:
    async def test_fields_as_a_reviewer_sees_them(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}/preview"
        data = {**DATA, "score": 2, "body": None, "tags": ["a"]}
        preview = await assert_ok(workspace.manager.post(place, json={"data": data}))
        assert preview["title"] == "Autumn news"
        states = {field["id"]: field["state"] for field in preview["fields"]}
        assert states == {
            "headline": "shown",
            "body": "hidden_by_request",
            "score": "shown",
            "channel": "hidden_by_rule",
            "tags": "hidden_by_rule",
        }
        assert preview["responseValues"] == {
            "headline": {"value": "Autumn news", "wasEdited": False},
            "score": {"value": 2, "wasEdited": False},
        }
        config = {"fields": {"channel": {"options": [{"id": "x", "label": "X"}], "default": "x"}}}
        preview = await assert_ok(workspace.manager.post(place, json={"data": DATA, "config": config}))
        [channel] = [field for field in preview["fields"] if field["id"] == "channel"]
        assert channel["options"] == [{"id": "x", "label": "X"}]
        assert channel["value"] == "x"
        assert preview["responseValues"]["channel"] == {"value": "x"}

    async def test_same_values_as_the_event(self, workspace: Workspace, receiver: Receiver) -> None:
        """The editor's live preview of `responseValues` equals what an unchanged approval delivers."""
        path = "/" + unique("preview")
        form = await workspace.make_form(webhookUrl=receiver.url + path)
        data = {**DATA, "channel": "mail", "tags": ["a"]}
        preview = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/preview", json={"data": data}))
        await workspace.decide((await workspace.request(form, data=data))["reviewId"])
        [call] = await receiver.wait_for(path)
        assert call.json["reviewResult"]["responseValues"] == preview["responseValues"]

    async def test_creates_nothing(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/preview", json={}))
        assert (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"] == []

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"data": []}, "data"),
            ({"data": {"score": "x"}}, "data.score"),
            ({"data": {}, "config": {"fields": {"nothing": {}}}}, "config.fields.nothing"),
            ({"data": {}, "more": 1}, "more"),
        ],
    )
    async def test_refused(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        form = await workspace.make_form()
        problem = await assert_error(workspace.manager.post(f"/forms/{form['formId']}/preview", json=body), 422)
        assert error_at(problem, path)

    async def test_deep_data(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = '{"data": {"deep": ' + "[" * 900 + "]" * 900 + "}}"
        response = await workspace.manager.post(f"/forms/{form['formId']}/preview", content=body)
        assert response.status_code in {200, 422}


class TestWhoMay:
    async def test_roles(self, workspace: Workspace) -> None:
        form = await make(workspace)
        place = f"/forms/{form['formId']}"
        writes: list[tuple[str, str, Any]] = [
            ("POST", "/forms", SMALL),
            ("PATCH", place, {"name": "Renamed"}),
            ("DELETE", place, None),
        ]
        reads: list[tuple[str, str, Any]] = [
            ("GET", "/forms", None),
            ("GET", place, None),
            ("GET", f"{place}/versions", None),
            ("POST", f"{place}/preview", {"data": {}}),
        ]
        for role in ("reviewer", "viewer"):
            _, client = await workspace.make_person(role)
            for method, path, body in writes:
                await assert_error(client.request(method, path, json=body), 403, "forbidden")
            for method, path, body in reads:
                await assert_ok(client.request(method, path, json=body))
        for method, path, body in writes:
            await assert_error(workspace.agent.request(method, path, json=body), 403, "forbidden")
        for method, path, body in (*writes, *reads):
            await assert_error(workspace.public.request(method, path, json=body), 401)
        _, editor = await workspace.make_person("editor")
        for method, path, body in (*reads, *writes):
            await assert_ok(editor.request(method, path, json=body))

    async def test_another_account(self, workspace: Workspace, service: Service) -> None:
        other = await open_second_account(service)
        theirs = await other.make_form()
        for method, place, body in (
            ("GET", "", None),
            ("PATCH", "", {"name": "Mine now"}),
            ("DELETE", "", None),
            ("GET", "/versions", None),
            ("POST", "/preview", {"data": {}}),
        ):
            texts = []
            for form_id in (theirs["formId"], "frm_nothing"):
                call = workspace.owner.request(method, f"/forms/{form_id}{place}", json=body)
                texts.append(json.dumps(await assert_error(call, 404, "not_found")).replace(form_id, "…"))
            assert texts[0] == texts[1]
        assert await get(other, theirs) == theirs
        owner = (await assert_ok(other.owner.get("/auth/me")))["user"]["email"]
        body = {**SMALL, "agentId": theirs["agentId"], "defaultReviewers": {"users": [owner]}}
        problem = await assert_error(workspace.manager.post("/forms", json=body), 422)
        assert {error["path"] for error in problem["errors"]} == {"agentId", "defaultReviewers.users[0]"}
        rows = (await assert_ok(workspace.manager.get("/forms", params={"agentId": theirs["agentId"]})))["items"]
        assert rows == []
