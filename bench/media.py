"""Images in requests and uploads: rate and peak memory."""

import base64
import os
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import psutil
import pyvips

from bench.environment import Environment

MB = 1024 * 1024
UPLOADED, AT_ONCE = 20 * MB, 8
URLS = 20


def measure(environment: Environment, rounds: int) -> dict[str, dict[str, float]]:
    return {
        "base64": _median([_base64(environment) for _ in range(rounds)]),
        "urls": _median([_urls(environment) for _ in range(rounds)]),
        "uploads": _median([_uploads(environment) for _ in range(rounds)]),
    }


def _median(found: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(each[name] for each in found) for name in found[0]}


def _base64(environment: Environment, count: int = 40) -> dict[str, float]:
    """Requests with a picture of 2 MB each, four at once, every picture another."""
    pictures = [base64.b64encode(make_noise_image(2 * MB)).decode() for _ in range(count)]
    with environment.server("api") as api, _client(environment) as client:
        form_id = _create_form(environment, client)

        def ask(picture: str) -> None:
            body = {"formId": form_id, "data": {"photo": picture}, "config": {"fields": {"photo": {"isBase64": True}}}}
            client.post("/requestReview", json=body).raise_for_status()

        ask(base64.b64encode(make_noise_image(2 * MB)).decode())  # warm
        with record_peak(api) as memory, ThreadPoolExecutor(4) as pool:
            began = time.perf_counter()
            list(pool.map(ask, pictures))
            seconds = time.perf_counter() - began
    return {"rate": count / seconds, "peakMb": memory.above_idle}


def _urls(environment: Environment, count: int = 10) -> dict[str, float]:
    """Requests with 20 addresses of pictures of 200 kB, each another, until the last copy is kept."""
    with (
        serve_images() as url,
        environment.server("api"),
        environment.worker() as worker,
        _client(environment) as client,
    ):
        form_id = _create_form(environment, client)

        def ask(number: int) -> None:
            photos = [f"{url}/{number}-{each}.png" for each in range(URLS)]
            client.post("/requestReview", json={"formId": form_id, "data": {"photos": photos}}).raise_for_status()

        waiting = "select count(*) from media_copies where state = 'pending'"
        ask(-1)
        _wait_until(lambda: environment.value(waiting) == 0)
        with record_peak(worker) as memory:
            began = time.perf_counter()
            for number in range(count):
                ask(number)
            _wait_until(lambda: environment.value(waiting) == 0)
            seconds = time.perf_counter() - began
    failed = environment.value("select count(*) from media_copies where state = 'failed'")
    if failed:
        raise RuntimeError(f"{failed} pictures could not be copied")
    return {"rate": count * URLS / seconds, "peakMb": memory.above_idle}


def _uploads(environment: Environment) -> dict[str, float]:
    """Eight uploads of a file of 20 MB at the same moment."""
    files = [make_noise_image(UPLOADED - MB // 2) for _ in range(AT_ONCE)]
    with environment.server("api") as api, _client(environment) as client:

        def send(content: bytes) -> None:
            client.post("/uploadFiles", files={"file": ("picture.png", content)}).raise_for_status()

        send(make_noise_image(MB))  # warm
        with record_peak(api) as memory, ThreadPoolExecutor(AT_ONCE) as pool:
            began = time.perf_counter()
            list(pool.map(send, files))
            seconds = time.perf_counter() - began
    return {"mbPerSecond": sum(map(len, files)) / MB / seconds, "peakMb": memory.above_idle}


def make_noise_image(size: int) -> bytes:
    """An image of about `size` bytes that doesn't compress."""
    side = int((size / 3) ** 0.5)
    pixels = os.urandom(side * side * 3)
    return pyvips.Image.new_from_memory(pixels, side, side, 3, "uchar").write_to_buffer(".png", compression=0)


def _create_form(environment: Environment, client: httpx.Client) -> str:
    fields = [
        {"id": "photo", "type": "image"},
        {"id": "photos", "type": "list", "item": [{"id": "picture", "type": "image"}]},
    ]
    form = {"name": "Pictures", "agentId": environment.agent_id, "fields": fields}
    made = client.post("/forms", json=form, headers={"x-api-key": environment.manage_key})
    return made.raise_for_status().json()["formId"]


def _client(environment: Environment) -> httpx.Client:
    return httpx.Client(base_url=f"{environment.url}/api/v1", headers={"x-api-key": environment.api_key}, timeout=300)


def _wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)


class MemoryPeak:
    """Peak memory of a process and its children above their idle memory, in MB."""

    def __init__(self, root: psutil.Process) -> None:
        self.root = root
        self.idle = self.most = self._held()

    def _held(self) -> int:
        held = 0
        for each in (self.root, *self.root.children(recursive=True)):
            try:
                held += each.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return held

    def look(self) -> None:
        self.most = max(self.most, self._held())

    @property
    def above_idle(self) -> float:
        return (self.most - self.idle) / MB


@contextmanager
def record_peak(process: "subprocess.Popen[bytes]") -> Iterator[MemoryPeak]:
    results, over = MemoryPeak(psutil.Process(process.pid)), threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            results.look()

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield results
    finally:
        over.set()
        watching.join()


@contextmanager
def serve_images() -> Iterator[str]:
    """A local image server: each URL returns a different image of about 200 kB."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = make_noise_image(200_000)
            self.send_response(200)
            self.send_header("content-type", "image/png")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
