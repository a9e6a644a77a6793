"""What is metered, exact to the request and the byte, and how it's shown."""

import asyncio
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, problem_of
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from usage_helpers import Sender, make_sender, put_usage

from signoff.accounts.cleanup import clean_up_usage, snapshot_terms
from signoff.accounts.usage.meter import compact_usage, record_usage
from signoff.accounts.usage.months import add_months, format_month, month_end, month_start, parse_month
from signoff.platform.clock import iso, now
from signoff.platform.db import Database

MONTHS = st.dates(date(1001, 1, 1), date(2998, 12, 31)).map(lambda day: day.replace(day=1))


@pytest.fixture
def agent(new_client: NewClient, workspace: Workspace) -> httpx.AsyncClient:
    return new_client(x_api_key=workspace.api_key)


@pytest.fixture
async def sender(owner: httpx.AsyncClient, agent: httpx.AsyncClient) -> Sender:
    return await make_sender(owner, agent)


class TestMonths:
    @pytest.mark.parametrize(
        ("moment", "month"),
        [
            (datetime(2026, 11, 1, tzinfo=UTC), "2026-11"),
            (datetime(2026, 11, 30, 23, 59, 59, 999_999, tzinfo=UTC), "2026-11"),
            (datetime(2026, 12, 1, tzinfo=UTC), "2026-12"),
            (datetime(2028, 2, 29, 23, 59, tzinfo=UTC), "2028-02"),
            (datetime(2027, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))), "2026-12"),
            (datetime(2026, 12, 31, 23, 30, tzinfo=timezone(timedelta(hours=-1))), "2027-01"),
        ],
    )
    def test_of_a_time(self, moment: datetime, month: str) -> None:
        assert format_month(month_start(moment)) == month

    @given(MONTHS)
    def test_have_no_gaps(self, month: date) -> None:
        assert month_start(month_end(month)) == add_months(month, 1)
        assert month_start(month_end(month) - timedelta(microseconds=1)) == month

    @given(MONTHS, st.integers(-24, 24))
    def test_round_trip(self, month: date, by: int) -> None:
        assert add_months(add_months(month, by), -by) == month
        assert parse_month(format_month(month)) == month


class TestMetering:
    async def test_a_request_and_its_bytes(self, sender: Sender) -> None:
        assert await sender.used() == (0, 0)
        body = sender.body("Grüße, 世界", meta={"a": 1}, ignored=True)
        assert (await sender.post(body)).status_code == 200
        assert await sender.used() == (1, len(body))

    async def test_concurrent_requests(self, sender: Sender) -> None:
        bodies = [sender.body("x" * number) for number in range(200)]
        responses = await asyncio.gather(*(sender.post(body) for body in bodies))
        assert {response.status_code for response in responses} == {200}
        assert await sender.used() == (200, sum(map(len, bodies)))

    async def test_concurrent_accounts(
        self, sender: Sender, other_owner: httpx.AsyncClient, new_client: NewClient, other: Workspace
    ) -> None:
        """Their requests are written with the same statements."""
        neighbour = await make_sender(other_owner, new_client(x_api_key=other.api_key))
        await asyncio.gather(*(account.post(account.body()) for account in [sender, neighbour, neighbour] * 20))
        assert (await sender.used())[0] == 20
        assert (await neighbour.used())[0] == 40

    async def test_a_repeated_request_counts_once(self, sender: Sender) -> None:
        body = sender.body()
        responses = [await sender.post(body, idempotency_key="once") for _ in range(3)]
        responses += await asyncio.gather(*(sender.post(body, idempotency_key="twice") for _ in range(8)))
        assert {response.status_code for response in responses} == {200}
        assert (await sender.post(sender.body("other"), idempotency_key="once")).status_code == 409
        assert await sender.used() == (2, 2 * len(body))

    async def test_an_update_is_a_request(self, sender: Sender) -> None:
        first = sender.body()
        review_id = (await sender.post(first)).json()["reviewId"]
        update = sender.body("better", updateForReviewId=review_id)
        responses = [await sender.post(update, idempotency_key="update") for _ in range(2)]
        assert {response.status_code for response in responses} == {200}
        assert await sender.used() == (2, len(first) + len(update))
        await sender.owner.post(f"/reviews/{review_id}/response", json={"response": "approved"})
        assert (await sender.post(update)).status_code == 409
        assert await sender.used() == (2, len(first) + len(update))

    async def test_an_auto_approval_is_a_request(self, sender: Sender) -> None:
        body = sender.body(autoApprove=True)
        assert (await sender.post(body)).status_code == 200
        assert await sender.used() == (1, len(body))

    async def test_a_users_request_counts_too(self, sender: Sender, join: Join) -> None:
        body = sender.body()
        assert (await sender.post(body, client=await join("editor"))).status_code == 200
        assert await sender.used() == (1, len(body))

    async def test_rejected_requests_do_not_count(self, sender: Sender, join: Join, new_client: NewClient) -> None:
        unknown = b'{"formId": "frm_unknown", "data": {}}'
        assert (await sender.post(unknown)).status_code == 404
        assert (await sender.post(sender.body().replace(b"hello", b'", "x'))).status_code in {400, 422}
        assert (await sender.post(b"{")).status_code == 400
        assert (await sender.post(b"")).status_code == 400
        assert (await sender.post(sender.body(assignTo=["nobody@example.com"]))).status_code == 422
        assert (await sender.post(sender.body(updateForReviewId="rev_unknown"))).status_code == 404
        assert (await sender.post(sender.body(), client=await join("viewer"))).status_code == 403
        assert (await sender.post(sender.body(), client=new_client(x_api_key="sgn_unknown"))).status_code == 401
        assert await sender.used() == (0, 0)

    async def test_deleting_and_deciding_change_nothing(self, sender: Sender) -> None:
        body = sender.body()
        first, second = [(await sender.post(body)).json()["reviewId"] for _ in range(2)]
        assert (await sender.agent.delete(f"/reviews/{first}")).status_code == 200
        await sender.owner.post(f"/reviews/{second}/response", json={"response": "approved"})
        assert await sender.used() == (2, 2 * len(body))

    async def test_bytes_alone(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        """As for an upload."""
        async with db.transaction() as tx:
            await record_usage(tx, workspace.account_id, bytes=20_000_000)
        assert await sender.used() == (0, 20_000_000)

    async def test_rolled_back_requests_do_not_count(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        async def fail_half_way() -> None:
            async with db.transaction() as tx:
                await record_usage(tx, workspace.account_id, requests=1, bytes=5)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail_half_way()
        assert await sender.used() == (0, 0)


async def rows(db: Database, account_id: str) -> int:
    return await db.fetchval("select count(*) from usage_counts where account_id = $1", account_id)


class TestFolding:
    async def test_keeps_the_sums(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        month = month_start(now())
        for number in range(5):
            await put_usage(db, workspace.account_id, add_months(month, -1), number, 10 * number)
            await sender.post(sender.body())
        before = (await sender.owner.get("/usage")).json()
        for _ in range(2):
            await clean_up_usage(db)
            assert (await sender.owner.get("/usage")).json() == before
            assert await rows(db, workspace.account_id) == 2

    async def test_during_requests(self, sender: Sender, workspace: Workspace, db: Database) -> None:
        """Several at once, as with several workers; concurrent readers never see a lower number than before."""
        seen = [0]

        async def send() -> None:
            for _ in range(20):
                assert (await sender.post(sender.body())).status_code == 200

        async def tidy() -> None:
            for _ in range(20):
                await compact_usage(db)

        async def look() -> None:
            seen.extend([(await sender.used())[0] for _ in range(20)])

        await asyncio.gather(send(), send(), send(), tidy(), tidy(), look())
        assert seen == sorted(seen)
        assert await sender.used() == (60, 60 * len(sender.body()))
        await compact_usage(db)
        assert await rows(db, workspace.account_id) == 1
        assert await sender.used() == (60, 60 * len(sender.body()))


class TestUsage:
    async def test_self_hosted(self, sender: Sender) -> None:
        body = sender.body()
        await sender.post(body)
        month = month_start(now())
        usage = (await sender.owner.get("/usage")).json()
        assert usage == {
            "plan": "self-hosted",
            "month": format_month(month),
            "billableSeats": 1,
            "reviewRequests": {"used": 1, "included": None, "overage": None},
            "dataBytes": {"used": len(body), "included": None, "overage": None},
            "enforced": False,
            "resetsAt": iso(month_end(month)),
            "limits": {"rate": None, "memoryCeiling": 500},
            "history": [
                {
                    "month": format_month(add_months(month, -back)),
                    "reviewRequests": 0 if back else 1,
                    "dataBytes": 0 if back else len(body),
                }
                for back in range(12)
            ],
        }

    async def test_with_an_overage(self, owner: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        await owner.patch("/account", json={"plan": "team"})
        await put_usage(db, workspace.account_id, month_start(now()), 10_012, 9_999_999_999)
        await put_usage(db, workspace.account_id, month_start(now()), 1, 2)
        usage = (await owner.get("/usage")).json()
        assert usage["reviewRequests"] == {"used": 10_013, "included": 10_000, "overage": 13}
        assert usage["dataBytes"] == {"used": 10_000_000_001, "included": 10_000_000_000, "overage": 1}
        assert usage["limits"] == {"rate": {"perSecond": 1, "burst": 10}, "memoryCeiling": 100}
        assert usage["enforced"] is False

    async def test_billable_seats(self, owner: httpx.AsyncClient, join: Join) -> None:
        """Users who can act: without viewers, invited users who never signed in, and disabled users."""
        await owner.patch("/account", json={"plan": "starter"})

        async def seats() -> int:
            usage = (await owner.get("/usage")).json()
            assert usage["reviewRequests"]["included"] == usage["billableSeats"] * 10_000
            assert usage["dataBytes"]["included"] == usage["billableSeats"] * 10_000_000_000
            return usage["billableSeats"]

        assert await seats() == 1
        for role in ("admin", "editor", "reviewer"):
            await join(role)
        viewer = (await (await join("viewer")).get("/auth/me")).json()["user"]["userId"]
        invited = await owner.post("/users", json={"email": f"invited-{viewer}@example.com", "role": "reviewer"})
        assert invited.status_code == 201
        assert await seats() == 4
        await owner.patch(f"/users/{viewer}", json={"role": "reviewer"})
        assert await seats() == 5
        await owner.delete(f"/users/{viewer}")
        assert await seats() == 4

    async def test_an_earlier_month(self, owner: httpx.AsyncClient, workspace: Workspace, db: Database) -> None:
        months = [add_months(month_start(now()), -back) for back in range(14)]
        for number, month in enumerate(months):
            await put_usage(db, workspace.account_id, month, number + 1, number + 100)
        earlier = (await owner.get("/usage", params={"month": format_month(months[1])})).json()
        assert earlier["month"] == format_month(months[1])
        assert earlier["reviewRequests"]["used"] == 2
        assert earlier["resetsAt"] == iso(month_end(months[1]))
        assert [entry["reviewRequests"] for entry in earlier["history"]] == list(range(2, 14))
        present = (await owner.get("/usage")).json()
        assert [each["dataBytes"] for each in present["history"]] == list(range(100, 112))
        assert present == (await owner.get("/usage", params={"month": format_month(months[0])})).json()

    async def test_an_earlier_month_keeps_its_plan_and_seats(
        self, owner: httpx.AsyncClient, workspace: Workspace, db: Database, join: Join
    ) -> None:
        this_month = month_start(now())
        await owner.patch("/account", json={"plan": "team"})
        await snapshot_terms(db)
        await join("editor")
        await snapshot_terms(db)
        await db.execute(
            "update usage_terms set month = $2 where account_id = $1", workspace.account_id, add_months(this_month, -1)
        )
        await owner.patch("/account", json={"plan": "business"})
        await join("editor")
        await snapshot_terms(db)
        shown = {}
        for back in (0, 1, 2):
            response = await owner.get("/usage", params={"month": format_month(add_months(this_month, -back))})
            shown[back] = (response.json()["plan"], response.json()["billableSeats"])
        assert shown == {0: ("business", 3), 1: ("team", 2), 2: ("business", 3)}

    @pytest.mark.parametrize("month", ["1000-01", "1999-12", "2999-12"])
    async def test_a_month_without_anything(self, owner: httpx.AsyncClient, month: str) -> None:
        usage = (await owner.get("/usage", params={"month": month})).json()
        assert usage["month"] == month
        assert {entry["reviewRequests"] for entry in usage["history"]} == {0}
        assert len(usage["history"]) == 12
        assert all(len(each["month"]) == 7 for each in usage["history"])

    @pytest.mark.parametrize(
        "month",
        ["", "2026", "2026-13", "2026-00", "2026-1", "2026-11-01", "26-11", "0000-01", "3000-01", "now", "2026-11\n",
         "\N{FULLWIDTH DIGIT TWO}026-11", " 2026-11", "-2026-11", "2026-11\x00"],
    )  # fmt: skip
    async def test_an_invalid_month(self, owner: httpx.AsyncClient, month: str) -> None:
        assert problem_of(await owner.get("/usage", params={"month": month})) == (400, "invalid_query")

    async def test_who_may_see_it(
        self, client: httpx.AsyncClient, join: Join, agent: httpx.AsyncClient, manage: httpx.AsyncClient,
        owner: httpx.AsyncClient, new_client: NewClient,
    ) -> None:  # fmt: skip
        for role in ("owner", "admin", "editor", "reviewer", "viewer"):
            assert (await (await join(role)).get("/usage")).status_code == 200
        for key in (agent, manage):
            assert (await key.get("/usage")).status_code == 200
        api_key: dict[str, Any] = (
            await owner.post("/apiKeys", json={"name": "writes", "scopes": ["reviews:write"]})
        ).json()
        assert problem_of(await new_client(x_api_key=api_key["apiKey"]).get("/usage")) == (403, "forbidden")
        assert problem_of(await client.get("/usage")) == (401, "invalid_api_key")

    async def test_external_reviewers_may_not_see_it(self, sender: Sender, new_client: NewClient) -> None:
        review = (await sender.post(sender.body(extReviewers=["counsel@partner.example"]))).json()
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        link = new_client(x_review_token=token)
        assert (await link.get(f"/reviews/{review['reviewId']}")).status_code == 200
        assert problem_of(await link.get("/usage")) == (403, "forbidden")

    async def test_another_account_does_not_see_it(
        self, sender: Sender, other_owner: httpx.AsyncClient, app: FastAPI
    ) -> None:
        await sender.post(sender.body())
        usage = (await other_owner.get("/usage")).json()
        assert usage["reviewRequests"]["used"] == usage["dataBytes"]["used"] == 0
