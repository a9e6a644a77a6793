"""Fair use as a limit: at the boundary, by seats, and only for requests that send more."""

import asyncio
from collections.abc import Generator
from datetime import date

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, key_id_of, problem_of
from fastapi import FastAPI
from rate_limit_helpers import Clock
from usage_helpers import Sender, make_sender, put_usage

from signoff.accounts.usage.fair_use_cache import FairUseCache
from signoff.accounts.usage.months import month_start
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.rate_limits import RateLimiter

REQUESTS, BYTES = 10_000, 10_000_000_000


@pytest.fixture
def clock(app: FastAPI) -> Generator[Clock]:
    """Stops the rate limiter's clock, so that rate limits don't interfere."""
    clock, service = Clock(), app.state.context
    before, service.rates = service.rates, RateLimiter(None, clock=clock)
    yield clock
    service.rates = before


@pytest.fixture
def fair_use_app(app: FastAPI) -> Generator[None]:
    service = app.state.context
    before = service.settings
    service.settings = before.model_copy(update={"fair_use": "refuse"})
    yield
    service.settings = before


@pytest.fixture
async def sender(
    fair_use_app: None, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace, clock: Clock
) -> Sender:
    """On a plan with a limit, without usage yet, and never rate limited."""
    new_sender = await make_sender(owner, new_client(x_api_key=workspace.api_key))
    await owner.patch("/account", json={"plan": "starter"})
    return new_sender


def this_month() -> date:
    return month_start(now())


class TestRequests:
    async def test_limit_and_one_more(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        await put_usage(db, workspace.account_id, this_month(), REQUESTS - 1)
        body = sender.body()
        assert (await sender.owner.get("/usage")).json()["enforced"] is True
        assert (await sender.post(body)).status_code == 200
        refused = await sender.post(body)
        assert problem_of(refused) == (429, "fair_use_exceeded")
        members = refused.json()
        assert (members["limit"], members["used"], members["included"]) == ("reviewRequests", REQUESTS, REQUESTS)
        assert 1 <= int(refused.headers["retry-after"]) <= 31 * 86_400
        assert "ratelimit" in refused.headers
        assert await sender.used() == (REQUESTS, len(body))
        assert len((await sender.owner.get("/reviews")).json()["items"]) == 1

    async def test_cached_usage_never_rejects(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        """Far from the limit the usage is cached; near it, each request reads it."""
        assert (await sender.post(sender.body())).status_code == 200
        await put_usage(db, workspace.account_id, this_month(), REQUESTS * 96 // 100)
        for _ in range(3):
            assert (await sender.post(sender.body())).status_code == 200
        assert (await sender.used())[0] == REQUESTS * 96 // 100 + 4

    async def test_seats_change_the_limit(
        self, sender: Sender, workspace: Workspace, db: Database, join: Join, app: FastAPI
    ) -> None:
        await put_usage(db, workspace.account_id, this_month(), REQUESTS)
        assert problem_of(await sender.post(sender.body())) == (429, "fair_use_exceeded")
        colleague = await join("reviewer")
        assert (await sender.post(sender.body())).status_code == 200
        await sender.owner.delete(f"/users/{await key_id_of(colleague)}")
        app.state.context.standings = FairUseCache(db)  # a removed seat is noticed within seconds
        refused = await sender.post(sender.body())
        assert problem_of(refused) == (429, "fair_use_exceeded")
        assert (refused.json()["used"], refused.json()["included"]) == (REQUESTS + 1, REQUESTS)

    async def test_plan_changes_the_limit(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        await put_usage(db, workspace.account_id, this_month(), REQUESTS)
        assert problem_of(await sender.post(sender.body())) == (429, "fair_use_exceeded")
        await sender.owner.patch("/account", json={"plan": "self-hosted"})
        assert (await sender.post(sender.body())).status_code == 200
        await sender.owner.patch("/account", json={"plan": "business"})
        assert problem_of(await sender.post(sender.body())) == (429, "fair_use_exceeded")

    async def test_earlier_months_do_not_count(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        month = this_month()
        before = (month.replace(year=month.year - 1), month.replace(year=month.year + 1))
        for other in before:
            await put_usage(db, workspace.account_id, other, 2 * REQUESTS, 2 * BYTES)
        assert (await sender.post(sender.body())).status_code == 200

    async def test_updates_and_auto_approvals_count(
        self, sender: Sender, workspace: Workspace, db: Database, app: FastAPI
    ) -> None:
        review_id = (await sender.post(sender.body())).json()["reviewId"]
        await put_usage(db, workspace.account_id, this_month(), REQUESTS)
        app.state.context.standings = FairUseCache(db)  # else the usage of the first request stays cached for a while
        for body in (sender.body(updateForReviewId=review_id), sender.body(autoApprove=True)):
            assert problem_of(await sender.post(body)) == (429, "fair_use_exceeded")
        assert (await sender.owner.get(f"/reviews/{review_id}")).json()["revision"] == 1

    async def test_people_are_limited_too(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        await put_usage(db, workspace.account_id, this_month(), REQUESTS)
        refused = await sender.post(sender.body(), client=sender.owner)
        assert problem_of(refused) == (429, "fair_use_exceeded")
        assert "ratelimit" not in refused.headers

    async def test_idempotent_repeat_still_succeeds(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        await put_usage(db, workspace.account_id, this_month(), REQUESTS - 1)
        responses = [await sender.post(sender.body(), idempotency_key="once") for _ in range(3)]
        assert [response.status_code for response in responses] == [200] * 3
        assert problem_of(await sender.post(sender.body(), idempotency_key="new")) == (429, "fair_use_exceeded")

    async def test_concurrent_requests_overshoot_only_by_their_number(
        self, sender: Sender, workspace: Workspace, db: Database
    ) -> None:
        await put_usage(db, workspace.account_id, this_month(), REQUESTS - 2)
        responses = await asyncio.gather(*(sender.post(sender.body()) for _ in range(6)))
        accepted = sum(response.status_code == 200 for response in responses)
        assert accepted >= 2
        assert (await sender.used())[0] == REQUESTS - 2 + accepted
        assert problem_of(await sender.post(sender.body())) == (429, "fair_use_exceeded")


class TestBytes:
    async def test_limit_and_one_more(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        body = sender.body("x" * 1000)
        await put_usage(db, workspace.account_id, this_month(), 0, BYTES - len(body))
        larger = sender.body("x" * 1001)
        refused = await sender.post(larger)
        assert problem_of(refused) == (429, "fair_use_exceeded")
        members = refused.json()
        assert (members["limit"], members["used"]) == ("dataBytes", BYTES - len(body))
        assert members["included"] == BYTES
        assert (await sender.post(body)).status_code == 200
        assert await sender.used() == (1, BYTES)
        assert problem_of(await sender.post(sender.body(""))) == (429, "fair_use_exceeded")


class TestOtherRequestsStillWork:
    async def test_reading_deciding_deleting(
        self, sender: Sender, workspace: Workspace, db: Database, app: FastAPI
    ) -> None:
        first, second = [(await sender.post(sender.body())).json()["reviewId"] for _ in range(2)]
        await put_usage(db, workspace.account_id, this_month(), 2 * REQUESTS, 2 * BYTES)
        app.state.context.standings = FairUseCache(db)
        assert problem_of(await sender.post(sender.body())) == (429, "fair_use_exceeded")
        assert (await sender.agent.get(f"/reviews/{first}")).status_code == 200
        decided = await sender.owner.post(f"/reviews/{first}/response", json={"response": "approved"})
        assert decided.status_code == 200
        assert (await sender.agent.delete(f"/reviews/{second}")).status_code == 200
        assert (await sender.owner.post("/agents", json={"name": "another"})).status_code == 201

    async def test_other_accounts(
        self, sender: Sender, workspace: Workspace, db: Database,
        other_owner: httpx.AsyncClient, new_client: NewClient, other: Workspace,
    ) -> None:  # fmt: skip
        await put_usage(db, workspace.account_id, this_month(), REQUESTS)
        neighbour = await make_sender(other_owner, new_client(x_api_key=other.api_key))
        await other_owner.patch("/account", json={"plan": "starter"})
        assert (await neighbour.post(neighbour.body())).status_code == 200
        assert problem_of(await sender.post(sender.body())) == (429, "fair_use_exceeded")


class TestMeterOnly:
    async def test_nothing_is_rejected(
        self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace, db: Database, clock: Clock
    ) -> None:
        sender = await make_sender(owner, new_client(x_api_key=workspace.api_key))
        await owner.patch("/account", json={"plan": "starter"})
        await put_usage(db, workspace.account_id, this_month(), REQUESTS, BYTES)
        assert (await sender.post(sender.body())).status_code == 200
        usage = (await owner.get("/usage")).json()
        assert (usage["enforced"], usage["reviewRequests"]["overage"]) == (False, 1)
        assert usage["dataBytes"]["overage"] == len(sender.body())
