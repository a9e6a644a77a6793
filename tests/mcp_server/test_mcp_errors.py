"""Rejected callers and rejected arguments."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import MCPError
from mcp_helpers import assert_tool_error, call, connected, quiet_environment
from support.api import DATA, Workspace, assert_ok
from support.forked_commands import RunForked
from support.second_account import open_second_account
from support.service_process import RunningService, new_client

from signoff.mcp_server.stdio import serve_stdio
from signoff.platform.errors import CommandError

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
FILTERED = '{"formId": "frm_1", "fieldIds": ["a"], "filters": [{"field": "a", "operation": "equal", "value": ?}]}'
ACCEPT = {"accept": "application/json, text/event-stream"}


async def post(service: RunningService, body: Any = LIST, **headers: str) -> httpx.Response:
    async with new_client(service.url) as client:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await client.post(
            "/mcp", content=content, headers={"content-type": "application/json", **ACCEPT, **named}
        )


class TestKeys:
    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"x_api_key": ""},
            {"x_api_key": "sgk_nobody"},
            {"authorization": "Bearer sgk_nobody"},
            {"authorization": "Basic b3duZXI6cHc="},
            {"authorization": "Bearer"},
            {"x_api_key": "sgk_nobody", "origin": "https://evil.example", "host": "evil.example"},
        ],
    )
    @pytest.mark.parametrize("body", [LIST, b"this is not JSON", b""])
    async def test_invalid_keys(self, service: RunningService, headers: dict[str, str], body: Any) -> None:
        response = await post(service, body, **headers)
        assert response.status_code == 401
        assert response.json()["code"] == "invalid_api_key"
        assert response.headers["www-authenticate"].startswith('Bearer realm="signoff"')

    async def test_session_cookie_is_not_a_key(self, service: RunningService, workspace: Workspace) -> None:
        response = await workspace.owner.post(f"{service.url}/mcp", json=LIST, headers=ACCEPT)
        assert response.status_code == 401

    async def test_revoked_key(self, service: RunningService, workspace: Workspace) -> None:
        api_key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "short-lived"}))
        async with connected(service, api_key["apiKey"]) as client:
            await call(client, "list_review_types")
            await assert_ok(workspace.owner.delete(f"/apiKeys/{api_key['keyId']}"))
            with pytest.raises(MCPError):
                await client.call_tool("list_review_types", {})
        assert (await post(service, x_api_key=api_key["apiKey"])).status_code == 401

    async def test_scopes(self, service: RunningService, workspace: Workspace) -> None:
        form = await workspace.make_form()
        api_key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "reader", "scopes": ["reviews:read"]}))
        async with connected(service, api_key["apiKey"]) as client:
            await call(client, "get_review_type", formId=form["formId"])
            problem = await assert_tool_error(client, "request_review", formId=form["formId"], data=DATA)
            assert (problem["status"], problem["code"]) == (403, "forbidden")
        assert (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"] == []

    async def test_another_account_sees_nothing(self, service: RunningService, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        other = await open_second_account(service)
        async with connected(service, other.agent.headers["x-api-key"]) as client:
            assert (await call(client, "list_review_types"))["reviewTypes"] == []
            assert (await call(client, "list_reviews"))["reviews"] == []
            review_id, form_id = review["reviewId"], form["formId"]
            for tool, arguments in (
                ("get_review_type", {"formId": form_id}),
                ("request_review", {"formId": form_id, "data": DATA}),
                ("get_review", {"reviewId": review_id}),
                ("wait_for_review", {"reviewId": review_id}),
                ("update_review", {"reviewId": review_id, "data": DATA}),
                ("list_responses", {"formId": form_id, "fieldIds": ["headline"]}),
                ("list_messages", {"sessionId": review["sessionId"]}),
            ):
                assert (await assert_tool_error(client, tool, **arguments))["status"] == 404, tool
        await other.close()


class TestArguments:
    @pytest.mark.parametrize(
        ("tool", "arguments", "path"),
        [
            ("request_review", {"data": {}}, "formId"),
            ("request_review", {"formId": "frm_1"}, "data"),
            ("request_review", {"formId": "frm_1", "data": []}, "data"),
            ("request_review", {"formId": "frm_1", "data": {}, "assignto": ["a@example.com"]}, "assignto"),
            ("request_review", {"formId": "frm_1", "data": {}, "idempotencyKey": "ä\n"}, "idempotencyKey"),
            ("get_review", {"reviewId": "../forms"}, "reviewId"),
            ("get_review", {"reviewId": ""}, "reviewId"),
            ("get_review", {"reviewId": None}, "reviewId"),
            ("list_messages", {"sessionId": ".."}, "sessionId"),
            ("wait_for_review", {"reviewId": "rev_1", "timeoutSeconds": 61}, "timeoutSeconds"),
            ("wait_for_review", {"reviewId": "rev_1", "timeoutSeconds": -1}, "timeoutSeconds"),
            ("list_responses", {"formId": "frm_1", "fieldIds": []}, "fieldIds"),
            ("list_responses", {"formId": "frm_1", "fieldIds": ["a,b"]}, "fieldIds[0]"),
            ("request_review", {"formId": "frm_1", "data": {}, "meta": {"_svcAutoApprove": True}}, "meta"),
            ("request_review", {"formId": "frm_1", "data": {}, "meta": {"a": 1, "_x9AutoApprove": True}}, "meta"),
            ("request_review", {"formId": "frm_1", "data": {}, "autoApprove": True}, "autoApprove"),
            ("request_review", {"formId": "frm_1", "data": {}, "workflow": {"runid": "r"}}, "workflow.runid"),
            ("update_review", {"reviewId": "rev_1", "data": {}, "meta": {"_svcAutoApprove": True}}, "meta"),
        ],
    )
    async def test_invalid_arguments(
        self, service: RunningService, tool: str, arguments: dict[str, Any], path: str
    ) -> None:
        async with connected(service, service.workspace["apiKey"]) as client:
            problem = await assert_tool_error(client, tool, **arguments)
        assert problem["code"] == "invalid_arguments"
        assert [error["path"] for error in problem["errors"]] == [path]

    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("request_review", '{"formId": "frm_1", "data": {"a": [{"b": 1e999}]}}'),
            ("request_review", '{"formId": "frm_1", "data": {}, "meta": {"a": -1e999}}'),
            ("update_review", '{"reviewId": "%s", "data": {}, "config": {"a": 1e999}}'),
            ("list_responses", FILTERED.replace("?", "1e999")),
            ("list_responses", FILTERED.replace("?", '"%s"')),
            ("wait_for_review", '{"reviewId": "rev_1", "timeoutSeconds": 1e999}'),
            ("list_reviews", '{"limit": 1e999}'),
        ],
    )
    async def test_too_large(self, service: RunningService, tool: str, arguments: str) -> None:
        """As sent over the network: not every program writes the numbers it can read."""
        filled = arguments.replace("%s", "x" * 70_000)
        call = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{filled}}}}}'
        response = await post(service, call.encode(), x_api_key=service.workspace["apiKey"])
        assert response.status_code == 200, response.text
        assert '"isError":true' in response.text
        assert "invalid_arguments: " in response.text

    async def test_reports_all_errors_of_the_values(self, service: RunningService, workspace: Workspace) -> None:
        form = await workspace.make_form()
        async with connected(service, service.workspace["apiKey"]) as client:
            data = {"score": "seven", "channel": "pigeon"}
            problem = await assert_tool_error(
                client, "request_review", formId=form["formId"], data=data, assignTo=["nobody"]
            )
        assert problem["code"] == "invalid"
        assert {error["path"] for error in problem["errors"]} >= {"data.score", "data.channel", "assignTo[0]"}

    async def test_unknown_tool(self, service: RunningService) -> None:
        async with connected(service, service.workspace["apiKey"]) as client:
            with pytest.raises(MCPError, match="Unknown tool"):
                await client.call_tool("approve_review", {"reviewId": "rev_1"})


class TestTransport:
    @pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
    async def test_only_post(self, service: RunningService, method: str) -> None:
        async with new_client(service.url) as client:
            headers = {"x-api-key": service.workspace["apiKey"], **ACCEPT}
            response = await client.request(method, "/mcp", headers=headers)
        assert (response.status_code, response.headers["allow"]) == (405, "POST")

    @pytest.mark.parametrize("body", [b"", b"not JSON", b"[]", b"{}", b"17", b"[" * 100_000, b'{"jsonrpc":"2.0"}'])
    @pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28", "1999-01-01"])
    async def test_broken_messages(self, service: RunningService, body: bytes, version: str) -> None:
        key = service.workspace["apiKey"]
        response = await post(service, body, x_api_key=key, mcp_protocol_version=version)
        assert 400 <= response.status_code < 500, response.text

    async def test_too_large_body(self, service: RunningService) -> None:
        body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"' + b"x" * 26 * 1024 * 1024 + b'"}'
        response = await post(service, body, x_api_key=service.workspace["apiKey"])
        assert (response.status_code, response.json()["code"]) == (413, "too_large")

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"origin": "http://["}, 403),
            ({"host": "evil.example:8080"}, 421),
            ({"host": "evil.example"}, 421),
            ({"host": "localhost:1234"}, 200),
            ({"host": "signoff"}, 200),
            ({"host": "10.1.2.3:80"}, 200),
            ({"host": "[::1]:80"}, 200),
        ],
    )
    async def test_foreign_origin(self, service: RunningService, headers: dict[str, str], status: int) -> None:
        response = await post(service, x_api_key=service.workspace["apiKey"], **headers)
        assert response.status_code == status, response.text

    async def test_own_origin(self, service: RunningService) -> None:
        assert (await post(service, x_api_key=service.workspace["apiKey"], origin=service.url)).status_code == 200


class TestStdio:
    @pytest.mark.parametrize(
        ("url", "key", "words"),
        [
            (None, "sgn_some", "SIGNOFF_URL"),
            ("signoff.example.com", "sgn_some", "http or https URL"),
            ("{url}", None, "SIGNOFF_API_KEY"),
            ("{url}", "sgn_nobody", "exist or was revoked"),
            ("{url}/api/v1/", "sgn_nobody", "exist or was revoked"),
            ("{url}", "ä", "key isn.t valid"),
        ],
    )
    def test_required_settings(self, service: RunningService, url: str | None, key: str | None, words: str) -> None:
        with pytest.raises(CommandError, match=words):
            serve_stdio(url and url.format(url=service.url), key)

    def test_one_line_error(self, forked: RunForked, tmp_path: Path) -> None:
        done = forked(("mcp",), quiet_environment(), tmp_path, 60)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1

    @pytest.mark.slow
    async def test_unreachable_service(self, service: RunningService, tmp_path: Path) -> None:
        away = RunningService("http://127.0.0.1:9", tmp_path, {}, {}, service.process, service.log)
        async with connected(away, "sgk_some", "stdio") as client:
            assert (await assert_tool_error(client, "list_review_types"))["code"] == "unreachable"


class TestHugeBodies:
    """The limits of the API apply here too: the protocol's library has none."""

    @pytest.mark.parametrize("number", [400_000, 2_000_000])
    async def test_too_many_values(self, service: RunningService, workspace: Workspace, number: int) -> None:
        body = b"{" + b",".join(b'"m%d":1' % index for index in range(number)) + b"}"
        response = await post(service, body, x_api_key=service.workspace["apiKey"])
        assert (response.status_code, response.json()["code"]) == (413, "too_complex")

    async def test_too_many_wrong_arguments(self, service: RunningService) -> None:
        wrong = {f"wrong{index}": index for index in range(50_000)}
        body = {**LIST, "method": "tools/call", "params": {"name": "request_review", "arguments": wrong}}
        response = await post(service, body, x_api_key=service.workspace["apiKey"])
        assert response.status_code == 200
        assert "50 errors; there are 49952 more" in response.text  # formId and data are missing too
        assert len(response.content) < 50_000
