"""Helpers for uploads."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
from support.api import Workspace, assert_ok


async def upload(workspace: Workspace, *contents: bytes, config: str | None = None) -> list[dict[str, Any]]:
    """The records of the stored files."""
    result = await assert_ok(try_upload(workspace, *contents, config=config))
    assert result["success"] is True
    assert result["count"] == len(contents)
    return result["files"]


async def try_upload(workspace: Workspace, *contents: bytes, config: str | None = None) -> httpx.Response:
    files = [(f"field{number}", (f"file{number}.bin", content)) for number, content in enumerate(contents)]
    return await workspace.agent.post("/uploadFiles", files=files, data={} if config is None else {"config": config})


async def fetch_media(workspace: Workspace, address: str) -> bytes:
    response = await workspace.public.get(address)
    assert response.status_code == 200, response.text
    return response.content


def codes(answer: httpx.Response) -> list[tuple[str, str]]:
    """Paths and codes of the errors."""
    assert answer.status_code == 422, answer.text
    return [(error["path"], error["code"]) for error in answer.json()["errors"]]


async def wait_until(holds: Callable[[], bool], within: float = 60.0) -> None:
    async with asyncio.timeout(within):
        while True:
            if holds():
                return
            await asyncio.sleep(0.02)
