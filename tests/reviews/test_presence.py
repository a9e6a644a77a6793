"""`/reviews/{id}/presence`: who has a review open."""

import asyncio
from typing import Any

import asyncpg
import httpx
from support.api import Workspace, assert_error, assert_ok


async def pending(workspace: Workspace) -> str:
    return (await workspace.request(await workspace.make_form()))["reviewId"]


class TestPresence:
    async def test_shows_who_is_viewing(self, workspace: Workspace, people: dict[str, Any]) -> None:
        (one, client), (two, other) = people["reviewer"], people["viewer"]
        path = f"/reviews/{await pending(workspace)}/presence"
        alone = await assert_ok(client.put(path))
        [first] = alone["people"]
        assert first == {"userId": one["userId"], "name": one["name"], "email": one["email"], "since": first["since"]}
        both = await assert_ok(other.put(path))
        assert [person["userId"] for person in both["people"]] == [one["userId"], two["userId"]]
        assert await assert_ok(client.put(path)) == both, "one's own `since` stays"
        for _ in range(2):
            assert (await client.delete(path)).status_code == 204
        assert [person["userId"] for person in (await assert_ok(other.put(path)))["people"]] == [two["userId"]]

    async def test_times_out(self, workspace: Workspace, people: dict[str, Any], db: asyncpg.Connection) -> None:
        (_, client), (two, other) = people["reviewer"], people["editor"]
        review_id = await pending(workspace)
        path = f"/reviews/{review_id}/presence"
        before = await assert_ok(client.put(path))
        await db.execute(
            "update review_presence set since = since - interval '1 hour', seen_at = now() - interval '31 seconds'"
            " where review_id = $1",
            review_id,
        )
        assert [person["userId"] for person in (await assert_ok(other.put(path)))["people"]] == [two["userId"]]
        again = (await assert_ok(client.put(path)))["people"][1]
        assert again["since"] >= before["people"][0]["since"], "who comes back came just now"

    async def test_concurrent_changes(self, workspace: Workspace, people: dict[str, Any]) -> None:
        path = f"/reviews/{await pending(workspace)}/presence"
        clients = [client for _, client in people.values()]
        await asyncio.gather(*(assert_ok(client.put(path)) for client in clients * 5))
        assert len((await assert_ok(clients[0].put(path)))["people"]) == len(clients)

    async def test_of_a_decided_review(self, workspace: Workspace) -> None:
        review_id = await pending(workspace)
        await workspace.decide(review_id)
        assert len((await assert_ok(workspace.owner.put(f"/reviews/{review_id}/presence")))["people"]) == 1

    async def test_only_for_users(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["out@example.org"])
        path = f"/reviews/{review['reviewId']}/presence"
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        for client in (workspace.agent, workspace.manager, workspace.client(**{"x-review-token": token})):
            await assert_error(client.put(path), 403, "person_needed")
            await assert_error(client.delete(path), 403, "person_needed")
        await assert_error(workspace.public.put(path), 401)
