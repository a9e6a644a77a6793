"""What one API process caches, and another one changes."""

import asyncio

import pytest
from support.api import Workspace, assert_ok, unique
from support.in_process import Service
from support.second_api import second_api
from support.service_process import new_client

from signoff.accounts.api_keys import cache


async def test_key_revoked_in_another_process(
    service: Service, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops working long before the cached key expires."""
    monkeypatch.setattr(cache, "API_KEY_CACHE_SECONDS", 3600)
    key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": unique("key")}))
    async with (
        second_api(service) as url,
        new_client(f"{url}/api/v1", **{"x-api-key": key["apiKey"]}) as agent,
        asyncio.timeout(60),
    ):
        await assert_ok(agent.get("/authCheck"))
        await assert_ok(workspace.owner.delete(f"/apiKeys/{key['keyId']}"))
        while (await agent.get("/authCheck")).status_code != 401:
            pass
