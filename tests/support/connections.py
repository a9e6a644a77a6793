"""Connections to a particular one of several API processes."""

import contextlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager

import httpx
import psutil


def api_processes(supervisor: int) -> list[psutil.Process]:
    """The children of `signoff serve` that run the API."""
    found = list[psutil.Process]()
    for child in psutil.Process(supervisor).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "api" in child.cmdline():
                found.append(child)
    return found


def reaches(api: psutil.Process, url: str) -> bool:
    """Whether this process answers a request on a new connection. The system chooses a process for each connection."""
    with httpx.Client(base_url=url, timeout=60) as client:
        return _is_among_connections(api, client.get("/healthz"))


@asynccontextmanager
async def client_of(api: psutil.Process, url: str) -> AsyncGenerator[httpx.AsyncClient]:
    """A client with one connection, which this process accepted."""
    while True:
        limits = httpx.Limits(max_connections=1, keepalive_expiry=None)
        async with httpx.AsyncClient(base_url=f"{url}/api/v1", limits=limits, timeout=60) as client:
            if _is_among_connections(api, await client.get(f"{url}/healthz")):
                yield client
                return


def _is_among_connections(api: psutil.Process, response: httpx.Response) -> bool:
    if not response.is_success:
        return False  # from the supervisor, which also ended the connection
    ours: int = response.extensions["network_stream"].get_extra_info("client_addr")[1]
    return ours in _client_ports(api)


def _client_ports(api: psutil.Process) -> Iterator[int]:
    """The ports at the other end of its connections."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for connection in api.net_connections("tcp"):
            if connection.raddr:
                yield connection.raddr.port
