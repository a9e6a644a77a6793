"""A small cluster: two API processes on one database and one Redis, which comes and goes."""

import asyncio
import math
import os
import signal
import subprocess
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from rates_support import Valkey, is_rated
from support.api import Workspace, ok, open_workspace
from support.prepared import SIGNOFF, START_WITHIN
from support.second_account import open_second_account
from support.service import RunningService, free_port, is_ready, running_service

WITHIN = 30.0
LOST, BACK = "Redis is out of reach: this process counts", "Redis is back"

Answers = tuple[list[httpx.Response], int]
"""And the seconds, rounded up, that it took to get them."""


@dataclass
class Cluster:
    valkey: Valkey
    first: RunningService
    second_url: str

    second_log: Path

    @property
    def second_api(self) -> str:
        return f"{self.second_url}/api/v1"

    def times(self, text: str) -> int:
        """That either process has said it."""
        return said(self.first, text) + self.second_log.read_text().count(text)

    async def asks_redis(self) -> int:
        """Until both processes do. How often one has lost it by then."""
        if self.times(LOST) > self.times(BACK):
            account = await open_rated_account(self.first)
            async with asyncio.timeout(60), httpx.AsyncClient(headers=account.agent.headers, timeout=60) as client:
                while self.times(LOST) > self.times(BACK):
                    for api in (self.first.api, self.second_api):
                        await client.get(f"{api}/authCheck")
                    await asyncio.sleep(0.1)
        return self.times(LOST)


async def open_rated_account(service: RunningService) -> Workspace:
    account = await open_second_account(service)
    await ok(account.owner.patch("/account", json={"plan": "team"}))
    return account


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    valkey = Valkey(folder)
    valkey.start()
    try:
        log = folder / "second.log"
        with running_service(folder, redis_url=valkey.url) as first, second_api(first, log) as url:
            yield Cluster(valkey, first, url, log)
    finally:
        valkey.kill()


@contextmanager
def second_api(service: RunningService, log: Path) -> Generator[str]:
    url = f"http://127.0.0.1:{(port := free_port())}"
    own = {"SIGNOFF_PORT": str(port), "SIGNOFF_DATABASE_URL": service.dsn()}
    with log.open("wb") as output:
        process = subprocess.Popen([*SIGNOFF, "api"], env=service.env | own, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + START_WITHIN
        while not is_ready(url):
            assert time.monotonic() < deadline, "the second process did not start"
            time.sleep(0.05)
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


@pytest.fixture
async def account(cluster: Cluster) -> AsyncGenerator[Workspace]:
    """A fresh one, so that its bucket is full."""
    made = await open_second_account(cluster.first)
    yield made
    for client in (made.agent, made.manager, made.owner, made.public):
        await client.aclose()


@pytest.fixture
async def rated(account: Workspace) -> Workspace:
    await ok(account.owner.patch("/account", json={"plan": "team"}))
    return account


@pytest.fixture
async def elsewhere(cluster: Cluster, account: Workspace) -> AsyncGenerator[httpx.AsyncClient]:
    """The agent's key at the other process."""
    async with httpx.AsyncClient(base_url=cluster.second_api, headers=account.agent.headers, timeout=60) as client:
        yield client


async def redis_is_back(url: str) -> None:
    """Readiness asks on a connection of its own, which may find it a moment later."""
    async with asyncio.timeout(30):
        while await redis_of(url) != "ok":  # noqa: ASYNC110 - nobody could tell us
            await asyncio.sleep(0.05)


async def redis_of(url: str) -> str:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{url}/readyz")
    assert answer.status_code == 200, answer.text
    return answer.json()["redis"]


def said(service: RunningService, text: str) -> int:
    return service.log.read_text().count(text)


async def rated_calls(cluster: Cluster, call: Callable[[list[httpx.AsyncClient]], Awaitable[Any]]) -> Answers:
    """What a fresh account on a plan with a rate is answered by the two processes.

    A machine that is so busy that Redis seems to be away for a moment shows nothing: then once more.
    """
    while True:
        before = await cluster.asks_redis()
        account = await open_rated_account(cluster.first)
        key = {"x-api-key": account.agent.headers["x-api-key"]}
        async with (
            httpx.AsyncClient(base_url=cluster.first.api, headers=key, timeout=60) as first,
            httpx.AsyncClient(base_url=cluster.second_api, headers=key, timeout=60) as second,
        ):
            began = time.monotonic()
            answers = await call([first, second])
            seconds = math.ceil(time.monotonic() - began)
        if cluster.times(LOST) == before:
            return answers, seconds


class TestSharedRate:
    async def test_two_processes_count_together(self, cluster: Cluster) -> None:
        async def in_turn(clients: list[httpx.AsyncClient]) -> list[httpx.Response]:
            return [await client.get("/authCheck") for client in clients * 15]

        answers, seconds = await rated_calls(cluster, in_turn)
        assert {answer.status_code for answer in answers} == {200, 429}
        assert all(is_rated(answer) for answer in answers)
        assert 10 <= sum(answer.status_code == 200 for answer in answers) <= 10 + seconds

    async def test_at_the_same_moment(self, cluster: Cluster) -> None:
        async def at_once(clients: list[httpx.AsyncClient]) -> list[httpx.Response]:
            return await asyncio.gather(*(client.get("/authCheck") for client in clients * 20))

        answers, seconds = await rated_calls(cluster, at_once)
        assert 10 <= sum(answer.status_code == 200 for answer in answers) <= 10 + seconds

    async def test_a_plan_changed_elsewhere_is_noticed(self, account: Workspace, elsewhere: httpx.AsyncClient) -> None:
        assert not is_rated(await elsewhere.get("/authCheck"))
        await ok(account.owner.patch("/account", json={"plan": "free"}))
        async with asyncio.timeout(WITHIN):
            while not is_rated(await elsewhere.get("/authCheck")):
                pass

    async def test_redis_comes_and_goes(self, cluster: Cluster, rated: Workspace) -> None:
        """Calls go on and are still rated; it is said once, and once that it is back."""
        await cluster.asks_redis()
        lost, back = said(cluster.first, LOST), said(cluster.first, BACK)
        stop = asyncio.Event()
        answers: list[httpx.Response] = []

        async def call() -> None:
            while not stop.is_set():
                answers.append(await rated.agent.get("/authCheck"))
                await asyncio.sleep(0.01)

        callers = [asyncio.create_task(call()) for _ in range(3)]
        try:
            cluster.valkey.kill()
            await logged(cluster.first, LOST, lost + 1)
            assert await redis_of(cluster.first.url) == "unreachable"
            while_away = len(answers)
            await until(lambda: len(answers) > while_away + 20)
            cluster.valkey.start()
            await logged(cluster.first, BACK, back + 1)
            await redis_is_back(cluster.first.url)
        finally:
            stop.set()
            await asyncio.gather(*callers)
            cluster.valkey.start()
        assert {answer.status_code for answer in answers} == {200, 429}
        assert all(is_rated(answer) for answer in answers)
        assert said(cluster.first, LOST) - lost < 5  # not once for each of the calls


class TestKilledHalfWay:
    async def test_what_is_stored_is_counted(self, cluster: Cluster) -> None:
        workspace = await open_workspace(cluster.first)
        form = await workspace.make_form()
        accepted = 0

        async def send(client: httpx.AsyncClient) -> None:
            nonlocal accepted
            for number in range(100):
                body = {"formId": form["formId"], "data": {"draft": {"headline": f"News {number}"}}}
                try:
                    answer = await client.post("/requestReview", json=body)
                except httpx.TransportError:
                    return
                accepted += answer.status_code == 200

        senders = [asyncio.create_task(send(workspace.agent)) for _ in range(20)]
        await until(lambda: accepted > 100)
        for process in api_processes(cluster.first):
            os.kill(process, signal.SIGKILL)
        await asyncio.gather(*senders)
        await until(lambda: is_ready(cluster.first.url))
        workspace = await open_workspace(cluster.first)
        stored = await count_reviews(workspace, form["formId"])
        usage = await ok(workspace.owner.get("/usage"))
        assert accepted <= stored < 2000
        assert usage["reviewRequests"]["used"] == stored


def api_processes(service: RunningService) -> list[int]:
    """The supervisor's API process and the one that it serves from."""
    api = psutil.Process(service.child("api"))
    return [child.pid for child in api.children(recursive=True)] + [api.pid]


async def count_reviews(workspace: Workspace, form_id: str) -> int:
    count, cursor = 0, None
    while True:
        query = {"formId": form_id, "limit": 200} | ({"cursor": cursor} if cursor else {})
        page = await ok(workspace.owner.get("/reviews", params=query))
        count, cursor = count + len(page["items"]), page["nextCursor"]
        if cursor is None:
            return count


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(WITHIN):
        while not reached():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def logged(service: RunningService, text: str, times: int) -> None:
    await until(lambda: said(service, text) >= times)
