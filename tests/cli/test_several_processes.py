"""`signoff serve` with several API processes and workers, from outside."""

import re
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest
from support.api import assert_ok, sign_in_workspace
from support.connections import api_processes, client_of, reaches
from support.service_process import RunningService, running_service
from support.terminal import PATIENCE, Serving, Terminal, assert_one_line, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

TWO_OF_EACH = {"api_processes": 2, "worker_processes": 2}


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("several"), **TWO_OF_EACH) as running:
        wait_until(lambda: is_complete(running.process.pid, running.url))
        yield running


def is_complete(supervisor: int, url: str) -> bool:
    """Whether both API processes respond."""
    apis = api_processes(supervisor)
    return len(apis) == 2 and all(reaches(api, url) for api in apis)


def start(terminal: Terminal, **settings: object) -> Serving:
    serving = terminal.serve(**TWO_OF_EACH | settings)
    serving.wait_for("Signoff is running at")
    wait_until(lambda: is_complete(serving.process.pid, serving.url))
    return serving


def with_children(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


class Visitors:
    """Four that send requests, each on a new connection, and count the results."""

    def __init__(self, url: str) -> None:
        self.seen = Counter[int | str]()
        self._url = url
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._visit, daemon=True) for _ in range(4)]

    def __enter__(self) -> "Visitors":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _visit(self) -> None:
        while not self._stop.wait(0.05):
            try:
                seen: int | str = httpx.get(f"{self._url}/api/v1/auth/me", timeout=PATIENCE).status_code
            except httpx.TransportError as error:
                seen = type(error).__name__
            self.seen[seen] += 1


def test_killed_process(terminal: Terminal) -> None:
    """Only requests in the killed process fail. Others are answered, and nobody is told that Signoff is unavailable."""
    serving = start(terminal)
    family = serving.family()
    victim, other = api_processes(serving.process.pid)
    killed = with_children(victim)
    with Visitors(serving.url) as visitors:
        wait_until(lambda: visitors.seen[401] > 20)
        for process in killed:
            process.kill()
        serving.wait_for("process exited unexpectedly; restarting")
        assert psutil.wait_procs(killed, timeout=PATIENCE)[1] == []
        before = visitors.seen[401]
        wait_until(lambda: visitors.seen[401] > before + 20)
        wait_until(lambda: is_complete(serving.process.pid, serving.url))
    assert other in api_processes(serving.process.pid)
    failed = visitors.seen.total() - visitors.seen[401]
    assert failed <= 4, visitors.seen  # each visitor had at most one request in the killed process
    assert set(visitors.seen) <= {401, "ReadError", "RemoteProtocolError"}, visitors.seen

    refused = terminal.run("serve", port=httpx.URL(serving.url).port)
    assert refused.returncode == 1
    assert_one_line(refused.stderr, "already running with data directory")
    another_folder = terminal.run("serve", data_dir=terminal.folder / "another")
    assert another_folder.returncode == 1
    assert_one_line(another_folder.stderr, "Address already in use")

    shared = Path(psutil.Process(api_processes(serving.process.pid)[0].pid).environ()["PROMETHEUS_MULTIPROC_DIR"])
    assert shared.is_dir()
    family += serving.family()
    assert serving.press_ctrl_c() == 0
    assert psutil.wait_procs(family, timeout=PATIENCE)[1] == []
    assert not shared.exists()
    assert "requests get a 503" not in serving.output
    assert "Traceback" not in serving.output


def test_frozen_process(terminal: Terminal) -> None:
    """The other one answers, and the frozen one is replaced."""
    serving = start(terminal, liveness_timeout=48)
    victim = api_processes(serving.process.pid)[0]
    for process in with_children(victim):
        process.suspend()

    def is_avoided() -> bool:
        """Whether no new connection reaches it. It answers none that did, and none of these has its answer."""
        try:
            return all(httpx.get(f"{serving.url}/healthz", timeout=2).is_success for _ in range(20))
        except httpx.TimeoutException:
            return False

    wait_until(is_avoided)
    line = serving.wait_for("process stopped responding; restarting")
    assert re.search(r'"process":"api-[12]"', line)
    wait_until(lambda: victim.pid not in [api.pid for api in api_processes(serving.process.pid)])
    wait_until(lambda: is_complete(serving.process.pid, serving.url))
    assert serving.press_ctrl_c() == 0
    assert "requests get a 503" not in serving.output


def test_all_api_processes_are_down(terminal: Terminal) -> None:
    serving = start(terminal, liveness_timeout=0)
    serving.postmaster().suspend()  # prevents the next ones from starting
    for api in api_processes(serving.process.pid):
        for process in with_children(api):
            process.kill()
    serving.wait_for('"waiting_for":"the API to start"')
    for _ in range(10):
        response = httpx.get(f"{serving.url}/readyz", timeout=PATIENCE)
        assert (response.status_code, response.json()["waitingFor"]) == (503, "the API to start")
    serving.postmaster().resume()
    wait_until(lambda: is_complete(serving.process.pid, serving.url))
    serving.wait_for("Signoff is running again")
    assert serving.press_ctrl_c() == 0


class TestMetrics:
    def count(self, text: str) -> float:
        line = re.search(r'signoff_http_request_seconds_count\{.*route="/api/v1/users/\{userId\}".*\} (\S+)', text)
        return float(line[1]) if line else 0

    async def test_are_the_sum_of_all_api_processes(self, several: RunningService) -> None:
        one, two = api_processes(several.process.pid)
        async with client_of(one, several.url) as first, client_of(two, several.url) as second:
            for client, times in ((first, 3), (second, 4)):
                for _ in range(times):
                    await client.get("/users/nobody")
            for client in (first, second):
                shown = (await client.get(f"{several.url}/metrics")).text
                while self.count(shown) < 7:  # the last requests are counted just after their responses
                    shown = (await client.get(f"{several.url}/metrics")).text
                assert self.count(shown) == 7
                assert shown.count("# TYPE signoff_http_request_seconds histogram") == 1
                assert "# TYPE signoff_jobs_waiting gauge" in shown


async def test_rate_limits_are_shared(several: RunningService) -> None:
    workspace = await sign_in_workspace(several)
    await assert_ok(workspace.owner.patch("/account", json={"plan": "team"}))
    one, two = api_processes(several.process.pid)
    async with client_of(one, several.url) as first, client_of(two, several.url) as second:
        for client in (first, second):
            client.headers["x-api-key"] = several.workspace["apiKey"]
        for _ in range(10):
            await first.get("/authCheck")
        left = (await second.get("/authCheck")).headers["ratelimit"]
    assert int(left.partition("r=")[2][0]) < 9, left  # it's refilled in ten seconds
    await workspace.close()


def test_both_workers_are_alive(several: RunningService) -> None:
    with psycopg.connect(several.dsn(), autocommit=True) as connection:

        def count() -> int:
            row = connection.execute("select count(*) from worker_heartbeats").fetchone()
            assert row
            return row[0]

        wait_until(lambda: count() == 2)


def test_log_lines_name_the_process(several: RunningService) -> None:
    def logged() -> bool:
        httpx.get(f"{several.url}/api/v1/nothing", timeout=60)
        names = set(re.findall(r'"process":"([^"]+)"', several.log.read_text()))
        return {"api-1", "api-2"} <= names

    wait_until(logged)
