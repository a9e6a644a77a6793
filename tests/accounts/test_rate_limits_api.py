"""The rate limit of a plan as callers see it, with a stopped clock."""

import asyncio
from collections.abc import Generator

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, problem_of
from fastapi import FastAPI
from rate_limit_helpers import Clock, has_rate_headers, rate_headers
from usage_helpers import make_sender

from signoff.platform.rate_limits import RateLimiter

PAID = ["free", "starter", "team", "business"]


@pytest.fixture
def clock(app: FastAPI) -> Generator[Clock]:
    """Only this clock fills the buckets."""
    clock, service = Clock(), app.state.context
    before, service.rates = service.rates, RateLimiter(None, clock=clock)
    yield clock
    service.rates = before


@pytest.fixture
def agent(new_client: NewClient, workspace: Workspace) -> httpx.AsyncClient:
    return new_client(x_api_key=workspace.api_key)


async def set_plan(owner: httpx.AsyncClient, plan: str) -> None:
    answer = await owner.patch("/account", json={"plan": plan})
    assert answer.status_code == 200, answer.text


class TestRate:
    @pytest.mark.parametrize("plan", PAID)
    async def test_a_burst_of_ten_then_one_a_second(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, clock: Clock, plan: str
    ) -> None:
        await set_plan(owner, plan)
        answers = [await agent.get("/authCheck") for _ in range(10)]
        assert [answer.status_code for answer in answers] == [200] * 10
        assert [rate_headers(answer) for answer in answers] == [
            {"q": 10, "w": 10, "r": 9 - n, "t": 1} for n in range(10)
        ]
        for _ in range(20):  # rejected calls don't reduce the limit
            assert problem_of(await agent.get("/authCheck")) == (429, "rate_limited")
        clock.pass_seconds(1)
        assert (await agent.get("/authCheck")).status_code == 200
        assert (await agent.get("/authCheck")).status_code == 429

    async def test_error_response(self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, clock: Clock) -> None:
        await set_plan(owner, "team")
        for _ in range(10):
            await agent.get("/authCheck")
        clock.pass_seconds(0.25)
        refused = await agent.get("/authCheck")
        assert problem_of(refused) == (429, "rate_limited")
        assert refused.headers["retry-after"] == "1"
        assert rate_headers(refused) == {"q": 10, "w": 10, "r": 0, "t": 1}
        assert "x-request-id" in refused.headers

    async def test_concurrent_calls(self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, clock: Clock) -> None:
        await set_plan(owner, "team")
        answers = await asyncio.gather(*(agent.get("/authCheck") for _ in range(40)))
        assert sorted(answer.status_code for answer in answers) == [200] * 10 + [429] * 30

    async def test_keys_of_an_account_share_it(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, manage: httpx.AsyncClient, clock: Clock
    ) -> None:
        await set_plan(owner, "team")
        answers = [await client.get("/authCheck") for client in (agent, manage) * 6]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2

    async def test_other_accounts_are_not_affected(
        self, owner: httpx.AsyncClient, other_owner: httpx.AsyncClient, agent: httpx.AsyncClient,
        new_client: NewClient, other: Workspace, clock: Clock,
    ) -> None:  # fmt: skip
        await set_plan(owner, "team")
        await set_plan(other_owner, "team")
        for _ in range(11):
            last = await agent.get("/authCheck")
        assert last.status_code == 429
        assert rate_headers(await new_client(x_api_key=other.api_key).get("/authCheck"))["r"] == 9

    async def test_rejected_calls_do_nothing(
        self, owner: httpx.AsyncClient, manage: httpx.AsyncClient, clock: Clock
    ) -> None:
        await set_plan(owner, "team")
        for number in range(12):
            made = await manage.post("/agents", json={"name": f"agent {number}"})
        assert problem_of(made) == (429, "rate_limited")
        assert len((await owner.get("/agents")).json()["items"]) == 10

    async def test_every_response_has_headers(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, clock: Clock
    ) -> None:
        """Also one that fails for another reason, or has no body."""
        await set_plan(owner, "team")
        answers = [
            await agent.get("/reviews/rev_unknown"),
            await agent.get("/account"),
            await agent.get("/reviews", params={"limit": "many"}),
            await agent.post("/requestReview", content="{"),
            await agent.head("/authCheck"),
        ]
        assert [answer.status_code for answer in answers] == [404, 403, 400, 400, 200]
        assert [rate_headers(answer)["r"] for answer in answers] == [9, 8, 7, 6, 5]


class TestNotLimited:
    async def test_self_hosted(self, agent: httpx.AsyncClient, clock: Clock) -> None:
        answers = await asyncio.gather(*(agent.get("/authCheck") for _ in range(50)))
        assert {answer.status_code for answer in answers} == {200}
        assert not any(has_rate_headers(answer) for answer in answers)

    async def test_people(self, owner: httpx.AsyncClient, join: Join, clock: Clock) -> None:
        await set_plan(owner, "free")
        viewer = await join("viewer")
        answers = [await client.get("/authCheck") for client in (owner, viewer) * 15]
        assert {answer.status_code for answer in answers} == {200}
        assert not any(has_rate_headers(answer) for answer in answers)

    async def test_external_reviewers(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, new_client: NewClient, clock: Clock
    ) -> None:
        sender = await make_sender(owner, agent)
        await set_plan(owner, "free")
        asked = (await sender.post(sender.body(extReviewers=["counsel@partner.example"]))).json()
        token = httpx.URL(asked["extReviewerLinks"][0]["link"]).params["token"]
        link = new_client(x_review_token=token)
        answers = [await link.get(f"/reviews/{asked['reviewId']}") for _ in range(15)]
        assert {answer.status_code for answer in answers} == {200}
        assert not any(has_rate_headers(answer) for answer in answers)

    async def test_invalid_keys_count_for_no_account(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, new_client: NewClient, clock: Clock
    ) -> None:
        await set_plan(owner, "free")
        unknown = await new_client(x_api_key="sgn_unknown").get("/authCheck")
        assert problem_of(unknown) == (401, "invalid_api_key")
        assert not has_rate_headers(unknown)
        assert rate_headers(await agent.get("/authCheck"))["r"] == 9


class TestPlanChange:
    async def test_takes_effect_immediately(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, clock: Clock
    ) -> None:
        assert not has_rate_headers(await agent.get("/authCheck"))
        await set_plan(owner, "free")
        for _ in range(10):
            assert has_rate_headers(await agent.get("/authCheck"))
        assert (await agent.get("/authCheck")).status_code == 429
        await set_plan(owner, "self-hosted")
        answer = await agent.get("/authCheck")
        assert answer.status_code == 200
        assert not has_rate_headers(answer)
