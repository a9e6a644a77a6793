"""The limits of the plans, and that every kind of caller has the plan of its account."""

import re

import httpx
import pytest
from accounts_helpers import NewClient, Workspace

from signoff.accounts.plans import PLANS
from signoff.platform.db import Database


@pytest.mark.parametrize(
    ("name", "rate", "memory_ceiling", "fair_use"),
    [
        ("self-hosted", None, 500, None),
        ("free", (1, 10), 20, (10_000, 10_000_000_000)),
        ("starter", (1, 10), 50, (10_000, 10_000_000_000)),
        ("team", (1, 10), 100, (10_000, 10_000_000_000)),
        ("business", (1, 10), 500, (10_000, 10_000_000_000)),
    ],
)
def test_limits(name: str, rate: tuple[int, int] | None, memory_ceiling: int, fair_use: tuple[int, int] | None) -> None:
    plan = PLANS[name]
    assert plan.name == name
    assert (plan.rate and (plan.rate.per_second, plan.rate.burst)) == rate
    assert plan.memory_ceiling == memory_ceiling
    assert (plan.fair_use and (plan.fair_use.requests, plan.fair_use.bytes)) == fair_use


async def test_the_database_knows_the_same_plans(db: Database) -> None:
    check = await db.fetchval(
        "select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'accounts'::regclass and contype = 'c'"
    )
    assert set(re.findall(r"'([a-z-]+)'", check)) == set(PLANS)


async def test_callers_have_the_plan_of_their_account(
    owner: httpx.AsyncClient, other_owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace
) -> None:
    for name in PLANS:
        assert (await owner.patch("/account", json={"plan": name})).json()["plan"] == name
        for client in (owner, new_client(x_api_key=workspace.api_key), new_client(x_api_key=workspace.manage_key)):
            assert (await client.get("/usage")).json()["plan"] == name
        assert (await owner.get("/auth/me")).json()["account"]["plan"] == name
        assert (await other_owner.get("/usage")).json()["plan"] == "self-hosted"
