"""Waits: many at once, those that end without a decision, and those that are canceled."""

import asyncio
import json
import sys
import time
from typing import Any

import httpx
import pytest
from mcp_helpers import call, connected
from support.api import DATA, Workspace, assert_ok
from support.service_process import RunningService, free_port, wait_ready


@pytest.mark.slow
async def test_wait_ends_without_a_decision(service: RunningService, workspace: Workspace) -> None:
    review = await workspace.request(await workspace.make_form())
    notices = list[tuple[float, float | None, str | None]]()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        notices.append((progress, total, message))

    for way in ("modern", "legacy"):
        notices.clear()
        async with connected(service, service.workspace["apiKey"], way) as client:
            arguments = {"reviewId": review["reviewId"], "timeoutSeconds": 4}
            result = await client.call_tool("wait_for_review", arguments, progress_callback=hear)
            structured_content: Any = result.structured_content  # pyright: ignore
            assert structured_content["decided"] is False
            assert "Call wait_for_review again" in structured_content["summary"]
            assert structured_content["review"]["reviewId"] == review["reviewId"]
            # A caller that polls every minute doesn't get the whole content every minute.
            assert "data" not in structured_content["review"]
            assert len(json.dumps(structured_content)) < 700
            assert [(total, message) for _, total, message in notices] == [(4, "Waiting for a decision.")]
            at_once = await call(client, "wait_for_review", reviewId=review["reviewId"], timeoutSeconds=0)
            assert at_once["decided"] is False


async def test_retry_while_waiting(service: RunningService, workspace: Workspace) -> None:
    review_id = (await workspace.request(await workspace.make_form()))["reviewId"]
    async with connected(service, service.workspace["apiKey"]) as client:
        waiting = asyncio.create_task(call(client, "wait_for_review", reviewId=review_id, timeoutSeconds=15))
        await wait_until(lambda: logged(service, f"/api/v1/reviews/{review_id}"))
        await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."}))
        result = await waiting
    assert (result["decided"], result["retryRequested"]) == (False, True)


async def test_twenty_at_once(service: RunningService, workspace: Workspace) -> None:
    form = await workspace.make_form()
    reviews = [(await workspace.request(form))["reviewId"] for _ in range(20)]
    async with connected(service, service.workspace["apiKey"]) as client:
        waits = [asyncio.create_task(call(client, "wait_for_review", reviewId=review)) for review in reviews]
        # Other calls are answered at the same time.
        assert (await call(client, "get_review", reviewId=reviews[0]))["decided"] is False
        for review_id in reviews:
            await workspace.decide(review_id, "rejected")
        results = await asyncio.gather(*waits)
    assert [result["review"]["reviewId"] for result in results] == reviews
    assert {each["response"] for each in results} == {"rejected"}


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_client_that_goes_away_stops_the_wait(
    service: RunningService, workspace: Workspace, version: str
) -> None:
    review_id = (await workspace.request(await workspace.make_form()))["reviewId"]
    path = f"/api/v1/reviews/{review_id}"
    headers = {
        "x-api-key": service.workspace["apiKey"],
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": "tools/call",
        "mcp-name": "wait_for_review",
    }
    params: dict[str, Any] = {"name": "wait_for_review", "arguments": {"reviewId": review_id, "timeoutSeconds": 60}}
    if version == "2026-07-28":
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
            "progressToken": 1,
        }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    async with (
        httpx.AsyncClient(timeout=20) as client,
        client.stream("POST", f"{service.url}/mcp", json=body, headers=headers) as response,
    ):
        assert response.status_code == 200, await response.aread()
        await wait_until(lambda: len(logged(service, path)) == 1)  # it has checked once and waits now
    await wait_until(lambda: len(logged(service, path)) == 2)
    assert [line["status"] for line in logged(service, path)] == [200, 499]


def logged(service: RunningService, path: str) -> list[dict[str, Any]]:
    lines = (json.loads(line) for line in service.log.read_text().splitlines() if f'"path":"{path}"' in line)
    return [line for line in lines if line["event"] == "request"]


async def wait_until(holds: Any, within: float = 60.0) -> None:
    """Shorter than the waits themselves, so that a wait that isn't stopped is noticed."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline, "waited too long"
        await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_shutdown_does_not_wait_and_any_process_responds(service: RunningService, workspace: Workspace) -> None:
    """Through a second API process on the same database, which is stopped while two clients wait in it."""
    process, other = await start_api(service)
    key = service.workspace["apiKey"]
    try:
        form = await workspace.make_form()
        async with connected(other, key) as first, connected(other, key, "legacy") as second:
            review_id = (await call(first, "request_review", formId=form["formId"], data=DATA))["reviewId"]
            assert (await call(second, "get_review", reviewId=review_id))["decided"] is False
            waits = [
                asyncio.create_task(call(client, "wait_for_review", reviewId=review_id, timeoutSeconds=60))
                for client in (first, second)
            ]
            await wait_until(lambda: len(logged(other, f"/api/v1/reviews/{review_id}")) == 3)  # both wait
            process.terminate()
            results = await asyncio.gather(*waits)
            assert [result["decided"] for result in results] == [False, False]
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
    async with connected(service, key) as client:
        await workspace.decide(review_id)
        assert (await call(client, "wait_for_review", reviewId=review_id))["decided"] is True


async def start_api(service: RunningService) -> tuple[asyncio.subprocess.Process, RunningService]:
    port = free_port()
    env = {
        **service.env,
        "SIGNOFF_DATABASE_URL": service.dsn(),
        "SIGNOFF_PORT": str(port),
        "SIGNOFF_SHUTDOWN_GRACE": "60",
    }
    log = service.log.parent / f"second-{port}.log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "signoff", "api", env=env, stdout=output, stderr=output
        )
    url = f"http://127.0.0.1:{port}"
    started = RunningService(url, service.data_dir, env, service.workspace, service.process, log)
    await asyncio.to_thread(wait_ready, started)
    return process, started
