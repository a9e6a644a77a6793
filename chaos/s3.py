"""An S3 server: `rclone serve s3`, whose buckets are folders.

It answers a request for a range with the right part and the wrong status, 200 where S3 has 206, which clients refuse. A
small proxy before it sets that right.
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import aiohttp
from aiohttp import web
from yarl import URL

from chaos.processes import free_port, listens, spawn, wait_until

KEY_ID, SECRET, BUCKET = "chaos", "the secret of the run", "signoff-media"


class S3:
    def __init__(self, folder: Path) -> None:
        self._folder = folder / "s3"
        (self._folder / BUCKET).mkdir(parents=True)
        self._log = folder / "s3.log"
        self._port, self._behind = free_port(), free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._runner: web.AppRunner | None = None
        self.url = f"s3://{BUCKET}"
        self.env = {
            "AWS_ACCESS_KEY_ID": KEY_ID,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT": f"http://127.0.0.1:{self._port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "NO_PROXY": "127.0.0.1",
        }

    async def start(self) -> None:
        rclone = Path(sys.executable).parent / "rclone"
        command = [rclone, "serve", "s3", "--addr", f"127.0.0.1:{self._behind}"]
        command += ["--auth-key", f"{KEY_ID},{SECRET}", self._folder]
        self._process = spawn(command, self._log)
        await wait_until(lambda: listens(self._behind), "the S3 server", self._log)
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", self._pass_on)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        self._client = aiohttp.ClientSession(auto_decompress=False)
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()

    async def stop(self) -> None:
        """At once: connections break off, and new ones are refused."""
        if self._runner is not None:
            await self._runner.cleanup()
            await self._client.close()
            self._runner = None
        if self._process is not None:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
            self._process = None

    async def _pass_on(self, request: web.Request) -> web.Response:
        url = URL(f"http://127.0.0.1:{self._behind}{request.raw_path}", encoded=True)
        body = await request.read()
        async with self._client.request(
            request.method, url, headers=request.headers, data=body, skip_auto_headers=("Content-Type", "User-Agent")
        ) as answer:
            partial = answer.status == 200 and "Content-Range" in answer.headers
            headers = {name: value for name, value in answer.headers.items() if name != "Transfer-Encoding"}
            return web.Response(body=await answer.read(), status=206 if partial else answer.status, headers=headers)
