"""The clients on a failing network: nothing is done twice, nothing is given up too early, nothing hangs."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import psutil
import pytest
from flaky_proxy import FlakyProxy
from hypothesis import given
from hypothesis import strategies as st
from sdk_helpers import Sdk
from support.api import DATA, Workspace, assert_ok, sign_in_workspace, unique
from support.browser import listening
from support.in_process import StartService
from support.service_process import RunningService, running_service

from signoff_client import ApiError, AsyncClient, Client, ConnectionFailed, RateLimited, ServerError, WaitTimeout
from signoff_client.api_requests import RetryPolicy, parse_retry_after

FAULTS = [["drop before"], ["drop after"], ["503"], ["503 0", "drop after", "502"], ["429 0"], ["500", "504"]]


@pytest.fixture
async def form(workspace: Workspace) -> dict[str, Any]:
    return await workspace.make_form()


async def count_of(workspace: Workspace, form: dict[str, Any]) -> int:
    return len((await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"])


class TestOnce:
    @pytest.mark.parametrize("faults", FAULTS, ids=", ".join)
    async def test_one_review(
        self, flaky: Sdk, proxy: FlakyProxy, workspace: Workspace, form: dict[str, Any], faults: list[str]
    ) -> None:
        proxy.faults = list(faults)
        review = await flaky.ask(form, DATA)
        assert proxy.came["POST /requestReview"] == len(faults) + 1
        assert len({headers["idempotency-key"] for headers in proxy.headers}) == 1
        assert await count_of(workspace, form) == 1
        assert (await workspace.review(review.id))["state"] == "pending"

    async def test_one_update(self, flaky: Sdk, proxy: FlakyProxy, form: dict[str, Any]) -> None:
        review = await flaky.ask(form, DATA)
        proxy.faults = ["drop after"]
        await flaky(review.update, DATA)
        assert (await flaky(review.fetch))["revision"] == 2

    @pytest.mark.parametrize("fault", ["drop before", "drop after", "503"])
    async def test_one_deletion(self, flaky: Sdk, proxy: FlakyProxy, form: dict[str, Any], fault: str) -> None:
        review = await flaky.ask(form, DATA)
        proxy.faults = [fault]
        await flaky(review.delete)
        assert proxy.came[f"DELETE /reviews/{review.id}"] == 2

    async def test_one_message_and_each_chunk(self, flaky: Sdk, proxy: FlakyProxy, workspace: Workspace) -> None:
        agent = await workspace.make_agent(chat="on")
        session_id = f"chat-{agent['agentId']}"
        proxy.faults = ["drop after"]
        await flaky(flaky.client.send_message, session_id, "Hello", agent_id=agent["agentId"])
        proxy.faults = ["drop after", "drop after", "503", "drop before"]
        streamed = await flaky(flaky.client.send_message, session_id, ["How ", "are ", "you \N{MAPLE LEAF}\U0001f341?"])
        assert (streamed.text, streamed.state) == ("How are you \N{MAPLE LEAF}\U0001f341?", "complete")
        assert [message.text for message in await flaky(flaky.client.list_messages, session_id)] == [
            "Hello",
            streamed.text,
        ]

    async def test_unrepeatable_calls_are_not_retried(self, service: RunningService, proxy: FlakyProxy) -> None:
        with Client(proxy.url, api_key=service.workspace["manageKey"]) as client:
            proxy.faults = ["drop after"]
            with pytest.raises(ConnectionFailed):
                await asyncio.to_thread(client.raw_request, "POST", "/agents", json={"name": unique("agent")})
            assert proxy.came["POST /agents"] == 1
            proxy.faults = ["429 0"]  # which says that nothing was done
            response = await asyncio.to_thread(client.raw_request, "POST", "/agents", json={"name": unique("agent")})
            assert response["agentId"]


class TestTimeouts:
    @pytest.mark.parametrize(
        ("fault", "error"), [("503", ServerError), ("drop before", ConnectionFailed), ("429", RateLimited)]
    )
    async def test_after_the_last_attempt(
        self, flaky: Sdk, proxy: FlakyProxy, form: dict[str, Any], fault: str, error: type[Exception]
    ) -> None:
        flaky.client.retry_policy = replace(flaky.client.retry_policy, max_retries=2)
        proxy.faults = [fault] * 9
        with pytest.raises(error):
            await flaky.ask(form, DATA)
        assert proxy.came["POST /requestReview"] == 3

    async def test_immediately_if_the_pause_is_too_long(
        self, flaky: Sdk, proxy: FlakyProxy, form: dict[str, Any]
    ) -> None:
        proxy.faults = ["429 86400"]
        with pytest.raises(RateLimited) as refused:
            await flaky.ask(form, DATA)
        assert refused.value.retry_after == 86400
        assert proxy.came["POST /requestReview"] == 1

    async def test_unreachable(self, kind: type[Client] | type[AsyncClient], unused_tcp_port: int) -> None:
        sdk = Sdk(kind(f"http://127.0.0.1:{unused_tcp_port}", api_key="k", max_retries=0))
        with pytest.raises(ConnectionFailed) as failed:
            await sdk(sdk.client.raw_request, "GET", "/authCheck")
        assert isinstance(failed.value, ConnectionError)
        with pytest.raises(WaitTimeout) as late:
            await sdk(sdk.client.review("rev_x").wait, 0.2)
        assert isinstance(late.value.__cause__, ConnectionFailed)

    async def test_response_of_another_server(self, flaky: Sdk, proxy: FlakyProxy) -> None:
        proxy.faults = ["page", "301", "302"]
        with pytest.raises(ApiError, match="isn't JSON"):
            await flaky(flaky.client.raw_request, "GET", "/authCheck")
        with pytest.raises(ApiError, match="301"):
            await flaky(flaky.client.raw_request, "GET", "/authCheck")
        with pytest.raises(ApiError, match="302"):
            await flaky(flaky.client.review("rev_x").wait, 5)


class TestWaiting:
    async def test_through_errors(
        self, flaky: Sdk, proxy: FlakyProxy, workspace: Workspace, form: dict[str, Any]
    ) -> None:
        review = await flaky.ask(form, DATA)
        proxy.faults = ["503", "drop before", "drop after", "500", "429 0", "502", "504", "503"]
        proxy.arrived.clear()
        waiting = asyncio.create_task(flaky(review.wait, 60))
        await proxy.arrived.wait()
        await workspace.decide(review.id)
        assert (await waiting).approved
        assert proxy.came[f"GET /reviews/{review.id}"] >= 9

    async def test_errors_until_the_timeout(self, flaky: Sdk, proxy: FlakyProxy, form: dict[str, Any]) -> None:
        review = await flaky.ask(form, DATA)
        proxy.faults = ["503 3600"] * 100
        with pytest.raises(WaitTimeout) as late:
            await flaky(review.wait, 0.3)
        assert isinstance(late.value.__cause__, ServerError)

    async def test_for_events_too(self, flaky: Sdk, proxy: FlakyProxy, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        proxy.faults = ["503 3600"] * 100
        with pytest.raises(ServerError):
            await flaky.items(flaky.client.stream_events(agent_id=agent["agentId"], wait=0.3))
        proxy.faults = ["503", "drop before", "503"]
        assert await flaky.items(flaky.client.stream_events(agent_id=agent["agentId"], wait=0)) == []


async def test_message_ids_are_generated(start_service: StartService) -> None:
    async with start_service(name_prefix="acme") as service, listening(service):
        workspace = await sign_in_workspace(service)
        form = await workspace.make_form()
        for kind in (Client, AsyncClient):
            sdk, run_id = Sdk(kind(service.url, api_key=service.workspace["apiKey"])), unique("run")
            review = await sdk.ask(form, DATA, run_id=run_id, run_name="November")
            fetched = await sdk(review.fetch)
            assert fetched["workflowRunId"] == run_id
            assert review.link == fetched["svcLink"] == fetched["acmeLink"]
            await sdk(sdk.client.close)


@pytest.fixture
def own_service(tmp_path: Path) -> Iterator[RunningService]:
    """A separate service that tests may kill."""
    with running_service(tmp_path) as running:
        yield running


@pytest.mark.slow
async def test_both_clients_wait_through_a_restart(own_service: RunningService) -> None:
    """The API is killed while both clients wait, for reviews and for events; the supervisor restarts it."""
    workspace = await sign_in_workspace(own_service)
    form = await workspace.make_form()
    key = own_service.workspace["apiKey"]
    clients = [Sdk(Client(own_service.url, api_key=key)), Sdk(AsyncClient(own_service.url, api_key=key))]
    for sdk in clients:
        sdk.client.retry_policy = replace(sdk.client.retry_policy, max_delay=0.5)
    reviews = [await sdk.ask(form, DATA) for sdk in clients]
    waiting = [asyncio.create_task(sdk(review.wait, 60)) for sdk, review in zip(clients, reviews, strict=True)]
    pulling = [asyncio.create_task(sdk.items(sdk.client.stream_events(agent_id=form["agentId"]), 2)) for sdk in clients]
    await asyncio.sleep(0.3)
    api = psutil.Process(own_service.child("api"))
    family = [api, *api.children(recursive=True)]
    api.kill()
    # Its own child process responds for a few more moments.
    assert (await asyncio.to_thread(psutil.wait_procs, family, timeout=30))[1] == []
    after = Sdk(AsyncClient(own_service.url, api_key=key))
    after.client.retry_policy = clients[0].client.retry_policy.without_limits()
    await after(after.client.raw_request, "GET", "/authCheck")  # It's back.
    for review in reviews:
        await workspace.decide(review.id)
    assert all(result.approved for result in await asyncio.gather(*waiting))
    for events in await asyncio.gather(*pulling):
        assert [event.review_id for event in events] == [review.id for review in reviews]
    for sdk in (*clients, after):
        await sdk(sdk.client.close)


BEYOND_DATES = ("111111111111 Jan 2020 00:00:00", "Mon, 01 Jan 2000 00:00:00 +99999999999999999999")


class TestPauses:
    @given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True), st.none() | st.floats(0, 1e6))
    def test_never_before_retry_after(self, failures: int, chance: float, retry_after: float | None) -> None:
        policy = RetryPolicy(jitter=lambda: chance)
        failure = RateLimited(429, {}, None, retry_after)
        pause = policy.delay(failures, failure)
        least = retry_after or 0.0
        assert least <= pause <= least + min(20.0, 0.5 * 2 ** min(failures - 1, 30))

    @given(st.text() | st.sampled_from(["-1", "1e9", "nan", "inf", "٣", "9" * 400, *BEYOND_DATES]))
    def test_any_retry_after(self, text: str) -> None:
        read = parse_retry_after(text)
        assert read is None or 0 <= read < 1e12

    def test_seconds_or_a_date(self) -> None:
        now = datetime(2026, 11, 15, 12, tzinfo=UTC)
        assert parse_retry_after("7") == 7
        assert parse_retry_after(format_datetime(now + timedelta(seconds=90), usegmt=True), now) == 90
        assert parse_retry_after(format_datetime(now - timedelta(days=1), usegmt=True), now) == 0
        assert parse_retry_after(None) is None
