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
    response = await owner.patch("/account", json={"plan": plan})
    assert response.status_code == 200, response.text


class TestRate:
    @pytest.mark.parametrize("plan", PAID)
    async def test_a_burst_of_ten_then_one_a_second(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, clock: Clock, plan: str
    ) -> None:
        await set_plan(owner, plan)
        responses = [await agent.get("/authCheck") for _ in range(10)]
        assert [response.status_code for response in responses] == [200] * 10
        assert [rate_headers(answer) for answer in responses] == [
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
        responses = await asyncio.gather(*(agent.get("/authCheck") for _ in range(40)))
        assert sorted(response.status_code for response in responses) == [200] * 10 + [429] * 30

    async def test_keys_of_an_account_share_it(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, manage: httpx.AsyncClient, clock: Clock
    ) -> None:
        await set_plan(owner, "team")
        responses = [await client.get("/authCheck") for client in (agent, manage) * 6]
        assert [response.status_code for response in responses] == [200] * 10 + [429] * 2

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
            response = await manage.post("/agents", json={"name": f"agent {number}"})
        assert problem_of(response) == (429, "rate_limited")
        assert len((await owner.get("/agents")).json()["items"]) == 10

    async def test_every_response_has_headers(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, clock: Clock
    ) -> None:
        """Also one that fails for another reason, or has no body."""
        await set_plan(owner, "team")
        responses = [
            await agent.get("/reviews/rev_unknown"),
            await agent.get("/account"),
            await agent.get("/reviews", params={"limit": "many"}),
            await agent.post("/requestReview", content="{"),
            await agent.head("/authCheck"),
        ]
        assert [response.status_code for response in responses] == [404, 403, 400, 400, 200]
        assert [rate_headers(answer)["r"] for answer in responses] == [9, 8, 7, 6, 5]


class TestNotLimited:
    async def test_self_hosted(self, agent: httpx.AsyncClient, clock: Clock) -> None:
        responses = await asyncio.gather(*(agent.get("/authCheck") for _ in range(50)))
        assert {response.status_code for response in responses} == {200}
        assert not any(has_rate_headers(answer) for answer in responses)

    async def test_people(self, owner: httpx.AsyncClient, join: Join, clock: Clock) -> None:
        await set_plan(owner, "free")
        viewer = await join("viewer")
        responses = [await client.get("/authCheck") for client in (owner, viewer) * 15]
        assert {response.status_code for response in responses} == {200}
        assert not any(has_rate_headers(answer) for answer in responses)

    async def test_external_reviewers(
        self, owner: httpx.AsyncClient, agent: httpx.AsyncClient, new_client: NewClient, clock: Clock
    ) -> None:
        sender = await make_sender(owner, agent)
        await set_plan(owner, "free")
        review = (await sender.post(sender.body(extReviewers=["counsel@partner.example"]))).json()
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        link = new_client(x_review_token=token)
        responses = [await link.get(f"/reviews/{review['reviewId']}") for _ in range(15)]
        assert {response.status_code for response in responses} == {200}
        assert not any(has_rate_headers(answer) for answer in responses)

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
        response = await agent.get("/authCheck")
        assert response.status_code == 200
        assert not has_rate_headers(response)
