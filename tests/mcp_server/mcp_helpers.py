"""The official MCP client against the real service: over HTTP in both protocol versions, and over stdio."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from support.service_process import RunningService

PROBLEM = "signoff/problem"
WAYS = ("modern", "legacy", "bearer", "stdio")


@asynccontextmanager
async def connected(service: RunningService, key: str, way: str = "modern", **options: Any) -> AsyncIterator[Client]:
    if way == "stdio":
        # Only the environment that a program would pass when it starts it.
        started = StdioServerParameters(
            command=sys.executable,
            args=["-m", "signoff", "mcp"],
            env={"SIGNOFF_URL": service.url, "SIGNOFF_API_KEY": key, "NO_PROXY": "127.0.0.1"},
        )
        async with Client(started, **options) as client:
            yield client
        return
    headers = {"Authorization": f"Bearer {key}"} if way == "bearer" else {"x-api-key": key}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=90, trust_env=False, verify=False) as http,
        Client(
            streamable_http_client(f"{service.url}/mcp", http_client=http),
            mode="legacy" if way == "legacy" else "auto",
            **options,
        ) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """The tool's result, validated by the client against the tool's schema."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert not result.is_error, result.content
    return result.structured_content


async def assert_tool_error(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The problem document of a tool's error, which the model also reads as text."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert result.is_error, result.structured_content
    assert result.meta is not None
    problem = result.meta[PROBLEM]
    text = getattr(result.content[0], "text", "")
    assert text.startswith(f"{problem['code']}: "), text
    return problem


def quiet_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_")}
