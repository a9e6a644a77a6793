"""`signoff serve` after its first start: whatever fails, it responds, says what it waits for, and recovers."""

import threading
import time
from collections import Counter

import httpx
import psutil
import pytest
from support.terminal import PATIENCE, Serving, Terminal, wait_until

pytestmark = pytest.mark.slow


class Visitor:
    """Sends requests from another thread and counts the results: status codes and types of errors."""

    def __init__(self, url: str) -> None:
        self.seen = Counter[int | str]()
        self.answers_of_503 = list[httpx.Response]()
        self._url = url
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self) -> "Visitor":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)

    def _ask(self) -> None:
        while not self._stop.wait(0.05):
            try:
                response = httpx.get(f"{self._url}/api/v1/auth/me", timeout=60)
            except httpx.TransportError as error:
                self.seen[type(error).__name__] += 1
            else:
                self.seen[response.status_code] += 1
                if response.status_code == 503:
                    self.answers_of_503.append(response)


def started(terminal: Terminal, **settings: object) -> Serving:
    serving = terminal.serve(**settings)
    serving.wait_for("Signoff is running at")
    return serving


def wait_for_another(serving: Serving, name: str, than: psutil.Process) -> psutil.Process:
    def look() -> psutil.Process | None:
        assert serving.process.poll() is None, serving.output
        process = serving.find_child(name)
        return process if process and process.pid != than.pid else None

    backend = wait_until(look)
    assert backend
    return backend


def readiness(serving: Serving) -> tuple[int, dict[str, str]]:
    response = httpx.get(f"{serving.url}/readyz", timeout=60)
    return response.status_code, response.json()


def test_dead_processes_are_restarted(terminal: Terminal) -> None:
    serving = started(terminal)
    for name in ("api", "worker"):
        victim = serving.child(name)
        offspring = victim.children()
        victim.kill()
        serving.wait_for(f'"process":"{name}"')
        assert psutil.wait_procs([victim, *offspring], timeout=PATIENCE)[1] == []
        wait_for_another(serving, name, than=victim)
    wait_until(serving.is_ready)

    api, worker = serving.child("api"), serving.child("worker")
    serving.postmaster().kill()
    serving.wait_for("PostgreSQL is running again")
    wait_until(serving.is_ready)
    assert (serving.child("api"), serving.child("worker")) == (api, worker)
    assert serving.press_ctrl_c() == 0
    assert "Traceback" not in serving.output


def test_errors_during_recovery(terminal: Terminal) -> None:
    """PostgreSQL dies, then the API, then each of the two again during their start. No client finds the port closed."""
    serving = started(terminal)
    with Visitor(serving.url) as visitor:
        api, postmaster = serving.child("api"), serving.postmaster()
        postmaster.kill()
        api.kill()
        serving.wait_for('"waiting_for":"the database to start"')
        wait_until(lambda: "PostgreSQL is running again" in serving.output)
        wait_for_another(serving, "api", than=api).kill()
        serving.postmaster().kill()
        wait_until(lambda: serving.output.count("PostgreSQL is running again") == 2)
        wait_until(serving.is_ready)
        serving.wait_for("Signoff is running again")
        wait_until(lambda: visitor.seen[401] > 0)
    assert serving.press_ctrl_c() == 0
    assert set(visitor.seen) <= {401, 503, "ReadError", "RemoteProtocolError"}, visitor.seen
    assert all(response.headers["retry-after"] for response in visitor.answers_of_503)
    assert {answer.json()["code"] for answer in visitor.answers_of_503} == {"unavailable"}
    assert all(answer.json().get("requestId") for answer in visitor.answers_of_503)
    assert "Traceback" not in serving.output


def test_while_the_api_is_down(terminal: Terminal) -> None:
    """Every kind of client gets an error in its own format."""
    serving = started(terminal, liveness_timeout=0)
    serving.postmaster().suspend()  # prevents the next API from starting
    api = serving.child("api")
    api.kill()
    # Until the supervisor has noticed, the dead API's own worker process may accept a request, and takes it with it.
    serving.wait_for('"waiting_for":"the API to start"')
    assert readiness(serving) == (503, {"status": "unavailable", "waitingFor": "the API to start"})
    with httpx.Client(base_url=serving.url, timeout=60) as client:
        upload = client.post("/api/v1/uploads", content=b"x" * 3_000_000)
        assert (upload.status_code, upload.json()["code"]) == (503, "unavailable")
        assert "Waiting for the API to start." in client.get("/inbox", headers={"accept": "text/html"}).text
        head = client.head("/api/v1/agents")
        assert (head.status_code, head.content, head.headers["retry-after"]) == (503, b"", "5")
    serving.postmaster().resume()
    wait_until(serving.is_ready)
    assert serving.press_ctrl_c() == 0


@pytest.mark.parametrize("name", ["api", "worker"])
def test_frozen_process_is_replaced(terminal: Terminal, name: str) -> None:
    serving = started(terminal, liveness_timeout=8)
    victim = serving.child(name)
    for process in (victim, *victim.children(recursive=True)):
        process.suspend()
    if name == "api":
        expected = (503, {"status": "unavailable", "waitingFor": "the API to respond"})
        wait_until(lambda: readiness(serving) == expected)
    line = serving.wait_for("process stopped responding; restarting")
    assert f'"process":"{name}"' in line
    wait_for_another(serving, name, than=victim)
    wait_until(serving.is_ready)
    assert serving.press_ctrl_c() == 0


def test_suspending_the_machine_kills_nothing(terminal: Terminal) -> None:
    """Like a laptop that sleeps, or `docker pause`: no process sends heartbeats, and none has failed."""
    serving = started(terminal, liveness_timeout=4)
    everything = [psutil.Process(serving.process.pid), *serving.family()]
    for process in everything:
        process.suspend()
    time.sleep(6)
    everything[0].resume()
    time.sleep(1.5)  # the supervisor wakes first, without any heartbeat
    for process in everything[1:]:
        process.resume()
    wait_until(serving.is_ready)
    assert serving.press_ctrl_c() == 0
    assert "stopped responding" not in serving.output
