"""Simultaneous requests of several members are authenticated together, and none becomes another's."""

import asyncio
from typing import Any

from support.api import Workspace, assert_ok


async def test_everyone_stays_themselves(
    workspace: Workspace, other_workspace: Workspace, people: dict[str, Any]
) -> None:
    clients = [workspace.owner, other_workspace.owner, *(client for _, client in people.values())]
    expected = [(await assert_ok(client.get("/auth/me")))["user"]["userId"] for client in clients]
    assert len(set(expected)) == len(clients)
    stranger = {"cookie": "signoff_session=unknown"}
    answers = await asyncio.gather(
        *(client.get("/auth/me") for _ in range(8) for client in clients),
        *(workspace.public.get("/auth/me", headers=stranger) for _ in range(8)),
    )
    found = [answer.json()["user"]["userId"] if answer.is_success else None for answer in answers]
    assert found == expected * 8 + [None] * 8
