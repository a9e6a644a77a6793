"""A small cluster: two APIs on one database and one Redis, which is stopped and restarted."""

import asyncio
import math
import os
import signal
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import pytest
from rate_limit_helpers import Valkey, has_rate_headers
from support.api import Workspace, assert_ok, sign_in_workspace
from support.in_process import Service, StartService
from support.second_account import open_second_account
from support.second_api import second_api
from support.service_process import RunningService, is_ready, new_client, running_service

from signoff.accounts.api_keys import cache

WITHIN = 30.0
LOST, BACK = "Redis unreachable: rate limits apply", "Redis reconnected"

Answers = tuple[list[httpx.Response], int]
"""And the seconds, rounded up, that it took to get them."""


@dataclass
class Cluster:
    valkey: Valkey
    first: Service
    second_url: str
    began_at: int
    """In the log, which other services of this process have written to before."""

    @property
    def second_api(self) -> str:
        return f"{self.second_url}/api/v1"

    def times(self, text: str) -> int:
        """How often either of them has logged it."""
        return self.first.log.read_text()[self.began_at :].count(text)

    async def asks_redis(self) -> int:
        """Waits until both use Redis. Returns how often one has lost it so far."""
        if self.times(LOST) > self.times(BACK):
            account = await open_rated_account(self.first)
            key = account.agent.headers["x-api-key"]
            async with asyncio.timeout(60), new_client(self.first.url, **{"x-api-key": key}) as client:
                while self.times(LOST) > self.times(BACK):
                    for api in (self.first.api, self.second_api):
                        await client.get(f"{api}/authCheck")
                    await asyncio.sleep(0.1)
        return self.times(LOST)


async def open_rated_account(service: Service) -> Workspace:
    account = await open_second_account(service)
    await assert_ok(account.owner.patch("/account", json={"plan": "team"}))
    return account


@pytest.fixture(scope="module")
async def cluster(start_service: StartService, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Cluster]:
    valkey = Valkey(tmp_path_factory.mktemp("cluster"))
    valkey.start()
    try:
        async with start_service(redis_url=valkey.url, worker=False) as first, second_api(first) as url:
            yield Cluster(valkey, first, url, len(first.log.read_text()))
    finally:
        valkey.kill()


@pytest.fixture
async def account(cluster: Cluster) -> AsyncGenerator[Workspace]:
    """A new account, so that its bucket is full."""
    workspace = await open_second_account(cluster.first)
    yield workspace
    await workspace.close()


@pytest.fixture
async def rated(account: Workspace) -> Workspace:
    await assert_ok(account.owner.patch("/account", json={"plan": "team"}))
    return account


@pytest.fixture
async def second_client(cluster: Cluster, account: Workspace) -> AsyncGenerator[httpx.AsyncClient]:
    """The agent's key with the other process."""
    async with new_client(cluster.second_api, **{"x-api-key": account.agent.headers["x-api-key"]}) as client:
        yield client


async def wait_for_redis(url: str) -> None:
    """Readiness uses its own connection, which may connect a moment later."""
    async with asyncio.timeout(30):
        while await redis_of(url) != "ok":  # noqa: ASYNC110 - nobody could tell us
            await asyncio.sleep(0.05)


async def redis_of(url: str) -> str:
    async with new_client(url) as client:
        response = await client.get("/readyz")
    assert response.status_code == 200, response.text
    return response.json()["redis"]


async def count_rated_calls(cluster: Cluster, call: Callable[[list[httpx.AsyncClient]], Awaitable[Any]]) -> Answers:
    """Calls both processes with a new account on a plan with a rate. Returns the responses and the seconds.

    A result isn't valid if the machine was so busy that Redis seemed unavailable for a moment; it's repeated then.
    """
    while True:
        before = await cluster.asks_redis()
        account = await open_rated_account(cluster.first)
        key = {"x-api-key": account.agent.headers["x-api-key"]}
        async with (
            new_client(cluster.first.api, **key) as first,
            new_client(cluster.second_api, **key) as second,
        ):
            began = time.monotonic()
            responses = await call([first, second])
            seconds = math.ceil(time.monotonic() - began)
        if cluster.times(LOST) == before:
            return responses, seconds


class TestSharedRate:
    async def test_two_processes_count_together(self, cluster: Cluster) -> None:
        async def in_turn(clients: list[httpx.AsyncClient]) -> list[httpx.Response]:
            return [await client.get("/authCheck") for client in clients * 15]

        responses, seconds = await count_rated_calls(cluster, in_turn)
        assert {response.status_code for response in responses} == {200, 429}
        assert all(has_rate_headers(answer) for answer in responses)
        assert 10 <= sum(answer.status_code == 200 for answer in responses) <= 10 + seconds

    async def test_concurrent_calls(self, cluster: Cluster) -> None:
        async def at_once(clients: list[httpx.AsyncClient]) -> list[httpx.Response]:
            return await asyncio.gather(*(client.get("/authCheck") for client in clients * 20))

        responses, seconds = await count_rated_calls(cluster, at_once)
        assert 10 <= sum(response.status_code == 200 for response in responses) <= 10 + seconds

    async def test_plan_change_in_another_process(
        self, account: Workspace, second_client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert cache.API_KEY_CACHE_SECONDS <= 5
        monkeypatch.setattr(cache, "API_KEY_CACHE_SECONDS", 0.5)
        assert not has_rate_headers(await second_client.get("/authCheck"))
        await assert_ok(account.owner.patch("/account", json={"plan": "free"}))
        async with asyncio.timeout(WITHIN):
            while not has_rate_headers(await second_client.get("/authCheck")):
                pass

    async def test_redis_restarts(self, cluster: Cluster, rated: Workspace) -> None:
        """Calls go on and are still limited; the outage is logged once, and so is the recovery."""
        await cluster.asks_redis()
        lost, back = cluster.times(LOST), cluster.times(BACK)
        stop = asyncio.Event()
        responses: list[httpx.Response] = []

        async def call() -> None:
            while not stop.is_set():
                responses.append(await rated.agent.get("/authCheck"))
                await asyncio.sleep(0.01)

        callers = [asyncio.create_task(call()) for _ in range(3)]
        try:
            cluster.valkey.kill()
            await logged(cluster, LOST, lost + 1)
            assert await redis_of(cluster.first.url) == "unreachable"
            while_away = len(responses)
            await wait_until(lambda: len(responses) > while_away + 20)
            await asyncio.to_thread(cluster.valkey.start)
            await logged(cluster, BACK, back + 1)
            await wait_for_redis(cluster.first.url)
        finally:
            stop.set()
            await asyncio.gather(*callers)
            cluster.valkey.start()
        assert {response.status_code for response in responses} == {200, 429}
        assert all(has_rate_headers(answer) for answer in responses)
        assert cluster.times(LOST) - lost < 5  # not once for each call


class Senders:
    """Many concurrent senders, until their service is gone."""

    def __init__(self, workspace: Workspace, form: dict[str, Any]) -> None:
        self.accepted, self._over = 0, False
        self._workspace, self._form = workspace, form
        self._tasks = [asyncio.create_task(self._send()) for _ in range(20)]

    async def _send(self) -> None:
        for number in range(100):
            if self._over:
                return
            body = {"formId": self._form["formId"], "data": {"draft": {"headline": f"News {number}"}}}
            try:
                response = await self._workspace.agent.post("/requestReview", json=body)
            except httpx.TransportError:
                return
            self.accepted += response.status_code == 200

    async def have_sent(self, number: int) -> None:
        await wait_until(lambda: self.accepted > number)

    async def end(self) -> None:
        self._over = True
        await asyncio.gather(*self._tasks)


async def assert_counted(workspace: Workspace, form: dict[str, Any], accepted: int) -> None:
    stored = await count_reviews(workspace, form["formId"])
    usage = await assert_ok(workspace.owner.get("/usage"))
    assert accepted <= stored < 2000
    assert usage["reviewRequests"]["used"] == stored


class TestInterruptedRequests:
    async def test_stored_requests_are_counted(self, start_service: StartService) -> None:
        """The database ends all its connections, in the middle of their work."""
        async with start_service(worker=False) as service:
            workspace = await sign_in_workspace(service)
            form = await workspace.make_form()
            senders = Senders(workspace, form)
            await senders.have_sent(100)
            end_connections(service.dsn())
            await senders.end()
            async with asyncio.timeout(WITHIN):
                while not (await workspace.owner.get(f"{service.url}/readyz")).is_success:
                    pass
            await assert_counted(workspace, form, senders.accepted)

    @pytest.mark.slow
    async def test_stored_requests_are_counted_after_a_kill(self, tmp_path: Path) -> None:
        with running_service(tmp_path) as service:
            workspace = await sign_in_workspace(service)
            form = await workspace.make_form()
            senders = Senders(workspace, form)
            await senders.have_sent(100)
            for process in api_processes(service):
                os.kill(process, signal.SIGKILL)
            await senders.end()
            await wait_until(lambda: is_ready(service.url))
            await assert_counted(await sign_in_workspace(service), form, senders.accepted)


def end_connections(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )


def api_processes(service: RunningService) -> list[int]:
    """The supervisor's API process and its server process."""
    api = psutil.Process(service.child("api"))
    return [child.pid for child in api.children(recursive=True)] + [api.pid]


async def count_reviews(workspace: Workspace, form_id: str) -> int:
    count, cursor = 0, None
    while True:
        query = {"formId": form_id, "limit": 200} | ({"cursor": cursor} if cursor else {})
        page = await assert_ok(workspace.owner.get("/reviews", params=query))
        count, cursor = count + len(page["items"]), page["nextCursor"]
        if cursor is None:
            return count


async def wait_until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(WITHIN):
        while not reached():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def logged(cluster: Cluster, text: str, times: int) -> None:
    await wait_until(lambda: cluster.times(text) >= times)
