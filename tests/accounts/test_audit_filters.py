"""Filters of the audit log: by actor and by action, with and without an index."""

import httpx
import pytest
from accounts_helpers import Workspace, problem_of

from signoff.accounts.actors import Actor
from signoff.accounts.audit_log import writer
from signoff.platform.db import Database


def actor(workspace: Workspace, kind: str, actor_id: str) -> Actor:
    return Actor(kind, workspace.account_id, actor_id, actor_id, frozenset())  # type: ignore[arg-type]


@pytest.fixture
async def seeded(db: Database, workspace: Workspace) -> Workspace:
    """Requests by keys and users, decisions by users and external reviewers, and changes by a key."""
    async with db.transaction() as tx:
        for number in range(3):
            await writer.record_audit(tx, actor(workspace, "key", "key_a"), "review.requested", f"rev_{number}")
            await writer.record_audit(tx, actor(workspace, "user", "usr_a"), "review.approved", f"rev_{number}")
        await writer.record_audit(tx, actor(workspace, "user", "usr_a"), "review.requested", "rev_by_hand")
        await writer.record_audit(tx, actor(workspace, "external", "ext:a@example.com"), "review.rejected", "rev_9")
        await writer.record_audit(tx, actor(workspace, "key", "key_b"), "group.changed", "grp_1")
        await writer.record_audit(tx, actor(workspace, "system", "system"), "review.approved", "rev_10")
    return workspace


async def found(client: httpx.AsyncClient, **params: str) -> list[tuple[str, str]]:
    response = await client.get("/auditLog", params=params)
    assert response.status_code == 200, response.text
    return [(entry["action"], entry["objectId"]) for entry in response.json()["items"]]


DECISIONS = [("review.approved", f"rev_{number}") for number in (2, 1, 0)]
REQUESTS = [("review.requested", f"rev_{number}") for number in (2, 1, 0)]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"actorId": "usr_a"}, [("review.requested", "rev_by_hand"), *DECISIONS]),
        ({"actorId": "usr_a", "action": "review.requested"}, [("review.requested", "rev_by_hand")]),
        ({"actorId": "usr_a", "actorKind": "key"}, []),
        ({"actorId": "key_a"}, REQUESTS),
        ({"actorId": "key_a", "action": "review.requested", "actorKind": "key"}, REQUESTS),
        ({"actorId": "key_b"}, [("group.changed", "grp_1")]),
        ({"actorId": "key_b", "actorKind": "user"}, []),
        ({"actorId": "ext:a@example.com"}, [("review.rejected", "rev_9")]),
        ({"action": "review.requested"}, [("review.requested", "rev_by_hand"), *REQUESTS]),
        ({"action": "review.requested", "actorKind": "user"}, [("review.requested", "rev_by_hand")]),
        ({"action": "review.approved"}, [("review.approved", "rev_10"), *DECISIONS]),
        ({"action": "review.approved", "actorKind": "system"}, [("review.approved", "rev_10")]),
        ({"action": "group.changed"}, [("group.changed", "grp_1")]),
        ({"action": "group.changed", "actorKind": "key"}, [("group.changed", "grp_1")]),
        ({"actorKind": "external"}, [("review.rejected", "rev_9")]),
        ({"actorKind": "user", "objectId": "rev_1"}, [("review.approved", "rev_1")]),
        ({"actorKind": "key", "objectId": "rev_1"}, [("review.requested", "rev_1")]),
        ({"actorKind": "key", "since": "2099-01-01T00:00:00Z"}, []),
    ],
)
async def test_filters(
    owner: httpx.AsyncClient, seeded: Workspace, params: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    assert await found(owner, **params) == expected


async def test_pages_of_one_action(owner: httpx.AsyncClient, seeded: Workspace) -> None:
    first = (await owner.get("/auditLog", params={"actorKind": "key", "limit": "3"})).json()
    rest = (await owner.get("/auditLog", params={"actorKind": "key", "cursor": first["nextCursor"]})).json()
    entries = [(entry["action"], entry["objectId"]) for entry in (*first["items"], *rest["items"])]
    assert entries == [("group.changed", "grp_1"), *REQUESTS]
    assert rest["nextCursor"] is None


@pytest.mark.parametrize("kind", ["", "robot", "User", "' or true --"])
async def test_invalid_actor_kind(owner: httpx.AsyncClient, kind: str) -> None:
    assert problem_of(await owner.get("/auditLog", params={"actorKind": kind})) == (400, "invalid_query")


@pytest.mark.parametrize(
    ("condition", "index"),
    [
        ("action = $2 and action <> 'review.requested'", "audit_log_action"),
        ("actor_id = $2 and actor_kind <> 'key'", "audit_log_actor"),
        ("actor_kind = $2 and actor_kind <> 'key'", "audit_log_kind"),
    ],
)
async def test_has_an_index(db: Database, condition: str, index: str) -> None:
    """Even if the planner has no statistics for the value, so that the plan is the same for every value."""
    async with db.transaction() as tx:
        await tx.execute("set local enable_seqscan = off; set local enable_sort = off")
        await tx.execute("set local plan_cache_mode = force_generic_plan")
        where = f"account_id = $1 and {condition}"
        query = f"explain select entry_id from audit_log where {where} order by entry_id desc limit 51"  # noqa: S608
        plan = await tx.fetch(query, "acc_1", "x")
    assert any(index in row[0] for row in plan), plan
