"""`POST /requestReview`: rejected requests and their errors."""

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, error_at, unique
from support.service_process import RunningService


def without(problem: dict[str, Any], *words: str) -> str:
    """The problem as text without IDs, so that two errors can be compared."""
    text = json.dumps(problem, sort_keys=True)
    for word in words:
        text = text.replace(word, "…")
    return text


LARGEST_BODY = 25 * 1024 * 1024
BODY = {"formId": "frm_x", "data": {}}


class TestCredentials:
    async def test_none(self, workspace: Workspace) -> None:
        await assert_error(workspace.public.post("/requestReview", json=BODY), 401, "invalid_api_key")

    @pytest.mark.parametrize("key", ["", "wrong", "' or 1=1 --", "k" * 5000])
    async def test_invalid(self, workspace: Workspace, key: str) -> None:
        call = workspace.public.post("/requestReview", json=BODY, headers={"x-api-key": key})
        await assert_error(call, 401, "invalid_api_key")

    async def test_expired(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        deadline = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "short", "expiresAt": deadline}))
        await db.execute("update api_keys set expires_at = now() where key_id = $1", key["keyId"])
        client = workspace.client(**{"x-api-key": key["apiKey"]})
        await assert_error(client.post("/requestReview", json=BODY), 401, "invalid_api_key")

    async def test_revoked(self, workspace: Workspace) -> None:
        key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "gone"}))
        form = await workspace.make_form()
        client = workspace.client(**{"x-api-key": key["apiKey"]})
        await assert_ok(client.post("/requestReview", json={"formId": form["formId"], "data": DATA}))
        await assert_ok(workspace.owner.delete(f"/apiKeys/{key['keyId']}"))
        await assert_error(client.post("/requestReview", json={"formId": form["formId"], "data": DATA}), 401)

    async def test_scopes(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA}
        await assert_error(workspace.manager.post("/requestReview", json=body), 403, "forbidden")
        reading = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "r", "scopes": ["reviews:read"]}))
        await assert_error(workspace.client(**{"x-api-key": reading["apiKey"]}).post("/requestReview", json=body), 403)
        writing = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "w", "scopes": ["reviews:write"]}))
        client = workspace.client(**{"x-api-key": writing["apiKey"]})
        review = await assert_ok(client.post("/requestReview", json=body))
        await assert_error(client.get(f"/reviews/{review['reviewId']}"), 403)

    async def test_people(self, workspace: Workspace, people: dict[str, Any]) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA}
        for role in ("reviewer", "viewer"):
            await assert_error(people[role][1].post("/requestReview", json=body), 403, "forbidden")
        await assert_ok(people["editor"][1].post("/requestReview", json=body))


class TestMalformed:
    @pytest.mark.parametrize(
        "body",
        [b"", b"{", b"{'a': 1}", b'{"a": NaN}', b'{"a": Infinity}', b'{"a": "\\ud800"}', b"\xff\xfe", b'{"a":1}x'],
    )
    async def test_not_json(self, workspace: Workspace, body: bytes) -> None:
        headers = {"content-type": "application/json"}
        await assert_error(
            workspace.agent.post("/requestReview", content=body, headers=headers), 400, "malformed_request"
        )

    @pytest.mark.parametrize("body", ["null", "[]", '"text"', "17", "true"])
    async def test_not_an_object(self, workspace: Workspace, body: str) -> None:
        headers = {"content-type": "application/json"}
        await assert_error(workspace.agent.post("/requestReview", content=body, headers=headers), 422, "invalid")

    @pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
    async def test_wrong_media_type(self, workspace: Workspace, media_type: str) -> None:
        headers = {"content-type": media_type}
        call = workspace.agent.post("/requestReview", content=b'{"formId": "x"}', headers=headers)
        await assert_error(call, 415, "unsupported_media_type")

    async def test_too_large_content_length(self, real_service: RunningService) -> None:
        """A body that announces that it's too large is rejected before it's sent."""
        url = httpx.URL(real_service.api)
        reader, writer = await asyncio.open_connection(url.host, url.port)
        head = f"POST {url.path}/requestReview HTTP/1.1\r\nhost: {url.host}\r\nconnection: close\r\n"
        key = f"x-api-key: {real_service.workspace['apiKey']}\r\n"
        body = f"content-type: application/json\r\ncontent-length: {LARGEST_BODY + 1}\r\n\r\n"
        writer.write((head + key + body).encode() + b'{"formId": "')
        response = (await reader.read()).decode()
        writer.close()
        assert response.startswith("HTTP/1.1 413 ")
        assert "application/problem+json" in response
        assert '"code":"too_large"' in response

    async def test_too_large_chunked_body(self, workspace: Workspace) -> None:
        """A client that doesn't wait for the response still gets it, rather than a reset connection."""
        headers = {"content-type": "application/json"}
        call = workspace.agent.post("/requestReview", content=b"x" * (LARGEST_BODY + 1), headers=headers)
        await assert_error(call, 413, "too_large")

    @pytest.mark.parametrize("over", [0, 1])
    async def test_too_large_by_a_byte(self, workspace: Workspace, over: int) -> None:
        form = await workspace.make_form()
        body = json.dumps({"formId": form["formId"], "data": {}, "more": ""}).encode()
        padding = b"x" * (LARGEST_BODY + over - len(body))

        async def chunks() -> AsyncGenerator[bytes]:
            yield body.removesuffix(b'"}')
            for start in range(0, len(padding), 1024 * 1024):
                yield padding[start : start + 1024 * 1024]
            yield b'"}'

        headers = {"content-type": "application/json"}
        call = workspace.agent.post("/requestReview", content=chunks(), headers=headers)
        if over:
            problem = await assert_error(call, 413, "too_large")
            assert problem["maxBytes"] == LARGEST_BODY
        else:
            await assert_ok(call)

    @pytest.mark.parametrize("depth", [240, 260, 500, 1000])
    async def test_nested_too_deeply(self, workspace: Workspace, depth: int) -> None:
        """Rejected as a whole when it's requested, rather than stuck when it's read or delivered."""
        form = await workspace.make_form()
        deep = "[" * depth + "]" * depth
        for member in ("data", "meta"):
            body = f'{{"formId": "{form["formId"]}", "data": {{}}, "{member}": {{"deep": {deep}}}}}'
            problem = await assert_error(workspace.agent.post("/requestReview", content=body), 422, "invalid")
            assert error_at(problem, member)["code"] == "too_deep"

    async def test_nested_too_deeply_for_the_parser(self, workspace: Workspace) -> None:
        body = '{"formId": "x", "data": {"deep": ' + "[" * 40_000 + "]" * 40_000 + "}}"
        await assert_error(workspace.agent.post("/requestReview", content=body), 400, "malformed_request")

    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"data": {"draft": {"headline": "a\0b"}}}, "data.draft.headline"),
            ({"meta": {"list": ["x", "\0"]}}, "meta.list[1]"),
            ({"meta": {"a\0": 1}}, "meta"),
            ({"title": "\0"}, "title"),
            ({"origin": "\0"}, "origin"),
        ],
    )
    async def test_nul(self, workspace: Workspace, members: dict[str, Any], path: str) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA, **members}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        assert error_at(problem, path)["code"] == "nul_character"


class TestInvalid:
    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"formId": None}, "formId"),
            ({"formId": 17}, "formId"),
            ({"formId": ["x"]}, "formId"),
            ({"formId": "x" * 200}, "formId"),
            ({"agentId": 17}, "agentId"),
            ({"data": None}, "data"),
            ({"data": []}, "data"),
            ({"data": "text"}, "data"),
            ({"data": None, "fields": 1}, "fields"),
            ({"fields": {}}, "fields"),
            ({"config": []}, "config"),
            ({"config": {"fields": []}}, "config.fields"),
            ({"config": {"fields": {"nothing": {}}}}, "config.fields.nothing"),
            ({"config": {"fields": {"headline": {"transform": {}}}}}, "config.fields.headline.transform"),
            ({"config": {"fields": {"channel": {"options": [{"label": "x"}]}}}}, "config.fields.channel.options[0].id"),
            ({"config": {"fields": {"channel": {"default": "nothing"}}}}, "config.fields.channel.default"),
            ({"meta": "text"}, "meta"),
            ({"meta": []}, "meta"),
            ({"title": 17}, "title"),
            ({"title": "x" * 501}, "title"),
            ({"autoApprove": "yes"}, "autoApprove"),
            ({"autoApprove": 1}, "autoApprove"),
            ({"autoApprove": {}}, "autoApprove"),
            ({"webhookUrl": ""}, "webhookUrl"),
            ({"webhookUrl": 17}, "webhookUrl"),
            ({"webhookUrl": "ftp://example.com/x"}, "webhookUrl"),
            ({"webhookUrl": "file:///etc/passwd"}, "webhookUrl"),
            ({"webhookUrl": "javascript:alert(1)"}, "webhookUrl"),
            ({"webhookUrl": "http://"}, "webhookUrl"),
            ({"webhookUrl": "http:///path"}, "webhookUrl"),
            ({"webhookUrl": "example.com/hook"}, "webhookUrl"),
            ({"webhookUrl": "http://user:secret@example.com/"}, "webhookUrl"),
            ({"webhookUrl": "http://exa mple.com/"}, "webhookUrl"),
            ({"webhookUrl": "http://example.com/\r\nx: y"}, "webhookUrl"),
            ({"webhookUrl": "http://example.com:99999/"}, "webhookUrl"),
            ({"webhookUrl": "http://[::1/"}, "webhookUrl"),
            ({"webhookUrl": "http://example.com/" + "x" * 3000}, "webhookUrl"),
            ({"sessionId": ""}, "sessionId"),
            ({"sessionId": "a b"}, "sessionId"),
            ({"sessionId": "a/b"}, "sessionId"),
            ({"sessionId": "ä"}, "sessionId"),
            ({"sessionId": "a\n"}, "sessionId"),
            ({"sessionId": "x" * 129}, "sessionId"),
            ({"sessionId": 17}, "sessionId"),
            ({"assignTo": "a@example.com"}, "assignTo"),
            ({"assignTo": ["not an address"]}, "assignTo[0]"),
            ({"assignTo": [None]}, "assignTo[0]"),
            ({"assignToGroups": "grp_x"}, "assignToGroups"),
            ({"assignToGroups": [17]}, "assignToGroups[0]"),
            ({"extReviewers": ["nobody"]}, "extReviewers[0]"),
            ({"extReviewers": [f"x{n}@example.com" for n in range(51)]}, "extReviewers"),
            ({"updateForReviewId": 17}, "updateForReviewId"),
            ({"workflow": "run"}, "workflow"),
            ({"workflow": {"runId": "a b"}}, "workflow.runId"),
            ({"workflow": {"runId": ""}}, "workflow.runId"),
            ({"workflow": {"runId": "x" * 129}}, "workflow.runId"),
            ({"meta": {"_svcWorkflow": "run"}}, "meta._svcWorkflow"),
            ({"meta": {"_svcWorkflow": []}}, "meta._svcWorkflow"),
            ({"meta": {"_svcWorkflow": {"runId": 17}}}, "meta._svcWorkflow.runId"),
            ({"meta": {"_svcWorkflow": {"runName": ["x"]}}}, "meta._svcWorkflow.runName"),
            ({"meta": {"_svcWorkflow": {"prevSteps": "rev_x"}}}, "meta._svcWorkflow.prevSteps"),
            ({"meta": {"_svcWorkflow": {"prevSteps": [1]}}}, "meta._svcWorkflow.prevSteps[0]"),
            ({"data": {"draft": "text"}}, "data.draft"),
            ({"data": {"draft": {"headline": 17}}}, "data.draft.headline"),
            ({"data": {"score": "seven"}}, "data.score"),
            ({"data": {"score": True}}, "data.score"),
            ({"data": {"channel": "nothing"}}, "data.channel"),
            ({"data": {"tags": ["nothing"]}}, "data.tags[0]"),
        ],
        ids=lambda value: None if isinstance(value, str) else json.dumps(value)[:60],
    )
    async def test_one_error(self, workspace: Workspace, members: dict[str, Any], path: str) -> None:
        form = await shared_form(workspace)
        body = {"formId": form["formId"], "data": DATA, **members}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        assert [error["path"] for error in problem["errors"]] == [path]
        assert all(set(error) - {"params"} == {"path", "code", "message"} for error in problem["errors"])

    async def test_reports_all_errors(self, workspace: Workspace) -> None:
        form = await workspace.make_form(agentId=None)
        body = {
            "formId": form["formId"],
            "agentId": "agt_nothing",
            "data": {"score": "seven", "channel": "nothing", "draft": {"headline": 1}},
            "config": {"fields": {"nothing": {}, "nobody": {}}},
            "webhookUrl": "ftp://example.com",
            "sessionId": "a b",
            "title": 17,
            "assignTo": ["unknown@example.com", "not an address"],
            "assignToGroups": ["grp_nothing"],
            "workflow": {"runId": "a b", "prevSteps": "x"},
        }
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        assert {error["path"] for error in problem["errors"]} >= {
            "agentId",
            "data.score",
            "data.channel",
            "data.draft.headline",
            "config.fields.nothing",
            "config.fields.nobody",
            "webhookUrl",
            "sessionId",
            "title",
            "assignTo[1]",
            "assignToGroups[0]",
            "workflow.runId",
            "workflow.prevSteps",
        }

    async def test_error_names_unknown_member(self, workspace: Workspace, people: dict[str, Any]) -> None:
        form = await workspace.make_form()
        email = f"{unique('stranger')}@example.com"
        body = {"formId": form["formId"], "data": DATA, "assignTo": [people["reviewer"][0]["email"], email]}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        [error] = problem["errors"]
        assert error["path"] == "assignTo[1]"
        assert email in error["message"]

    async def test_error_names_unknown_group(self, workspace: Workspace, other_workspace: Workspace) -> None:
        form = await workspace.make_form()
        theirs = await assert_ok(other_workspace.owner.post("/groups", json={"name": unique("g"), "members": []}))
        body = {"formId": form["formId"], "data": DATA, "assignToGroups": [theirs["groupId"]]}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        assert theirs["groupId"] in error_at(problem, "assignToGroups[0]")["message"]

    async def test_creates_nothing(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": {"score": "x"}}
        await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"] == []

    async def test_agent_is_required(self, workspace: Workspace) -> None:
        form = await workspace.make_form(agentId=None)
        body = {"formId": form["formId"], "data": DATA}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        assert error_at(problem, "agentId")["code"] == "missing"

    async def test_other_agent_than_the_forms(self, workspace: Workspace) -> None:
        form, other = await workspace.make_form(), await workspace.make_agent()
        body = {"formId": form["formId"], "agentId": other["agentId"], "data": DATA}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        error_at(problem, "agentId")

    async def test_deleted_agent(self, workspace: Workspace) -> None:
        form, agent = await workspace.make_form(agentId=None), await workspace.make_agent()
        body = {"formId": form["formId"], "agentId": agent["agentId"], "data": DATA}
        await assert_ok(workspace.agent.post("/requestReview", json=body))
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        assert error_at(problem, "agentId")["code"] == "unknown_agent"
        auto = workspace.agent.post("/requestReview", json={**body, "autoApprove": True})
        assert error_at(await assert_error(auto, 422, "invalid"), "agentId")["code"] == "unknown_agent"


class TestUnknown:
    async def test_form(self, workspace: Workspace, other_workspace: Workspace) -> None:
        """Another account's review type responds exactly like one that doesn't exist."""
        theirs = await other_workspace.make_form()
        call = workspace.agent.post("/requestReview", json={"formId": theirs["formId"], "data": DATA})
        foreign = await assert_error(call, 404, "not_found")
        call = workspace.agent.post("/requestReview", json={"formId": "frm_nothing", "data": DATA})
        unknown = await assert_error(call, 404, "not_found")
        assert without(foreign, theirs["formId"]) == without(unknown, "frm_nothing")

    async def test_agent(self, workspace: Workspace, other_workspace: Workspace) -> None:
        theirs = await other_workspace.make_agent()
        form = await workspace.make_form(agentId=None)
        problems = [
            without(
                await assert_error(
                    workspace.agent.post(
                        "/requestReview", json={"formId": form["formId"], "agentId": agent_id, "data": DATA}
                    ),
                    422,
                ),
                agent_id,
            )
            for agent_id in (theirs["agentId"], "agt_nothing")
        ]
        assert problems[0] == problems[1]

    async def test_archived_form(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        await workspace.request(form)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        body = {"formId": form["formId"], "data": DATA}
        await assert_error(workspace.agent.post("/requestReview", json=body), 404, "not_found")

    async def test_review_to_update(self, workspace: Workspace, other_workspace: Workspace) -> None:
        theirs = await other_workspace.request(await other_workspace.make_form())
        form = await workspace.make_form()
        problems = []
        for review_id in (theirs["reviewId"], "rev_nothing"):
            body = {"formId": form["formId"], "data": DATA, "updateForReviewId": review_id}
            problem = await assert_error(workspace.agent.post("/requestReview", json=body), 404, "not_found")
            problems.append(without(problem, review_id))
        assert problems[0] == problems[1]


_shared: dict[str, dict[str, Any]] = {}


async def shared_form(workspace: Workspace) -> dict[str, Any]:
    """Shared by all errors, because none of them changes it."""
    if workspace.account_id not in _shared:
        _shared[workspace.account_id] = await workspace.make_form()
    return _shared[workspace.account_id]
