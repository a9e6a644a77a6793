"""Whether a service in this process keeps responding to others while one request is a lot of work."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

import httpx

MAX_DELAY = 5.0
"""Seconds of this process's processor time that a health check may take: how busy the machine is doesn't matter.

Generous: what this is for took 13 to 56.
"""

T = TypeVar("T")


async def assert_responsive_during(health: httpx.AsyncClient, work: Coroutine[Any, Any, T]) -> T:
    """The result of the work. Until it's done, every health check is answered in time."""
    working = asyncio.create_task(work)
    while not working.done():
        start = time.process_time()
        assert (await health.get("/healthz")).status_code == 200
        assert time.process_time() - start < MAX_DELAY
    return await working
