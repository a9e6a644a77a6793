"""A real S3 server on loopback: `rclone serve s3`, whose buckets are folders.

It responds to range requests with the right part and headers but the wrong status: 200, where S3 has 206. Clients
reject that, so a small proxy in front of it corrects the status; everything else passes unchanged.
"""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import httpx
from aiohttp import web
from support.service_process import free_port
from yarl import URL

START_WITHIN = 30.0
KEY_ID, SECRET = "media-tests", "not-a-real-secret"


class S3Server:
    """With one bucket, `bucket`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "bucket"
        self.folder.mkdir(parents=True)
        self.url = f"http://127.0.0.1:{free_port()}"
        self._behind = f"127.0.0.1:{free_port()}"
        rclone = Path(sys.executable).parent / "rclone"
        command = [rclone, "serve", "s3", "--addr", self._behind, "--auth-key", f"{KEY_ID},{SECRET}", folder]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._proxy = asyncio.run_coroutine_threadsafe(self._start_proxy(), self._loop).result(START_WITHIN)
        self._wait()

    @property
    def env(self) -> dict[str, str]:
        return {
            "AWS_ACCESS_KEY_ID": KEY_ID,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT": self.url,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "NO_PROXY": "127.0.0.1",
        }

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._proxy.cleanup(), self._loop).result(START_WITHIN)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._process.terminate()
        self._process.wait(START_WITHIN)

    def _wait(self) -> None:
        deadline = time.monotonic() + START_WITHIN
        while time.monotonic() < deadline:
            try:
                httpx.get(f"http://{self._behind}")
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        self._process.kill()
        raise AssertionError("the S3 server did not start")

    async def _start_proxy(self) -> web.AppRunner:
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", self._pass_on)
        app.cleanup_ctx.append(self._with_client)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", URL(self.url).port).start()
        return runner

    async def _with_client(self, _: web.Application) -> AsyncIterator[None]:
        async with aiohttp.ClientSession(auto_decompress=False) as self._client:
            yield

    async def _pass_on(self, request: web.Request) -> web.Response:
        url = URL(f"http://{self._behind}{request.raw_path}", encoded=True)
        body = await request.read()
        async with self._client.request(
            request.method, url, headers=request.headers, data=body, skip_auto_headers=("Content-Type", "User-Agent")
        ) as review:
            partial = review.status == 200 and "Content-Range" in review.headers
            headers = {name: value for name, value in review.headers.items() if name != "Transfer-Encoding"}
            return web.Response(body=await review.read(), status=206 if partial else review.status, headers=headers)
