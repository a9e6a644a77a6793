"""Out of office: while a user is out of office, their delegate is asked instead."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import asyncpg
import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.api import Workspace, assert_error, assert_ok, error_at, unique

from signoff.accounts.out_of_office.actions import MAX_DURATION, period_errors
from signoff.accounts.out_of_office.schemas import NewAbsence

HOUR = timedelta(hours=1)
NONE = {"from": None, "until": None, "delegate": None}

Member = tuple[dict[str, Any], httpx.AsyncClient]
People = dict[str, Member]


def in_hours(hours: float) -> str:
    return (datetime.now(UTC) + hours * HOUR).isoformat()


def go(who: Member, delegate: Member | str, begins: float = -1, until: float = 48) -> Any:
    email = delegate if isinstance(delegate, str) else delegate[0]["email"]
    body = {"from": in_hours(begins), "until": in_hours(until), "delegate": email}
    return who[1].put("/auth/me/absence", json=body)


def respond(client: httpx.AsyncClient, review_id: str) -> Any:
    return client.post(f"/reviews/{review_id}/response", json={"response": "approved"})


@pytest.fixture
async def ann(workspace: Workspace) -> Member:
    return await workspace.make_person()


@pytest.fixture
async def ben(workspace: Workspace) -> Member:
    return await workspace.make_person()


async def pending(workspace: Workspace, *members: Member, **more: Any) -> str:
    body = {"assignTo": [person["email"] for person, _ in members], **more}
    return (await workspace.request(await workspace.make_form(), **body))["reviewId"]


async def listed(client: httpx.AsyncClient, assigned_to: str = "me") -> list[str]:
    reviews = await assert_ok(client.get("/reviews", params={"assignedTo": assigned_to, "state": "pending"}))
    return [row["reviewId"] for row in reviews["items"]]


async def counted(client: httpx.AsyncClient, view: str = "mine") -> int:
    return (await assert_ok(client.get("/inbox/counts")))["views"][view]


async def seen(client: httpx.AsyncClient, review_id: str) -> tuple[bool, list[str] | None]:
    review = await assert_ok(client.get(f"/reviews/{review_id}"))
    return review["mayDecide"], review.get("standingInFor")


class TestOwnAbsence:
    async def test_set_read_changed_ended(self, ann: Member, ben: Member, people: People) -> None:
        _, client = ann
        assert await assert_ok(client.get("/auth/me/absence")) == NONE
        body = {"from": "2036-12-20T08:00:00+01:00", "until": "2037-01-03T08:00:00.5Z", "delegate": ben[0]["email"]}
        params = {"from": "2036-12-20T07:00:00.000Z", "until": "2037-01-03T08:00:00.500Z", "delegate": ben[0]["email"]}
        assert await assert_ok(client.put("/auth/me/absence", json=body)) == params
        assert await assert_ok(client.get("/auth/me/absence")) == params
        other = {**body, "delegate": people["editor"][0]["email"].upper()}
        changed = await assert_ok(client.put("/auth/me/absence", json=other))
        assert changed == {**params, "delegate": people["editor"][0]["email"]}
        for _ in range(2):
            await assert_ok(client.delete("/auth/me/absence"))
            assert await assert_ok(client.get("/auth/me/absence")) == NONE

    async def test_shown_to_colleagues(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        async def absence_of(person: dict[str, Any]) -> Any:
            one = await assert_ok(workspace.owner.get(f"/users/{person['userId']}"))
            cursor, everybody = None, []
            while True:
                params = {"limit": 200, **({"cursor": cursor} if cursor else {})}
                page = await assert_ok(workspace.agent.get("/users", params=params))
                everybody += page["items"]
                if (cursor := page["nextCursor"]) is None:
                    break
            assert one in everybody
            return one["absence"]

        assert await absence_of(ann[0]) is None
        set_to = await assert_ok(go(ann, ben, begins=24))
        assert await absence_of(ann[0]) == set_to
        assert await absence_of(ben[0]) is None

    async def test_ends_automatically(
        self, workspace: Workspace, ann: Member, ben: Member, db: asyncpg.Connection
    ) -> None:
        await assert_ok(go(ann, ben))
        await db.execute("update absences set ends_at = now() where user_id = $1", ann[0]["userId"])
        assert await assert_ok(ann[1].get("/auth/me/absence")) == NONE
        assert (await assert_ok(workspace.owner.get(f"/users/{ann[0]['userId']}")))["absence"] is None

    async def test_is_in_the_audit_log(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        result = await assert_ok(go(ann, ben))
        await assert_ok(ann[1].delete("/auth/me/absence"))
        await assert_ok(ann[1].delete("/auth/me/absence"))
        log = await assert_ok(workspace.owner.get("/auditLog", params={"objectId": ann[0]["userId"], "limit": 100}))
        entries = [entry for entry in log["items"][::-1] if entry["action"].startswith("absence.")]
        assert [entry["action"] for entry in entries] == ["absence.set", "absence.ended"]
        assert entries[0]["details"] == result
        assert entries[0]["actor"]["id"] == ann[0]["userId"]

    async def test_is_separate_for_each_member(self, ann: Member, ben: Member, people: People) -> None:
        await assert_ok(go(ann, people["editor"]))
        assert await assert_ok(ben[1].get("/auth/me/absence")) == NONE
        await assert_ok(ben[1].delete("/auth/me/absence"))
        assert (await assert_ok(ann[1].get("/auth/me/absence")))["delegate"] == people["editor"][0]["email"]

    async def test_concurrent_changes(self, ann: Member, ben: Member, people: People) -> None:
        delegates = [ben, people["editor"], people["admin"]] * 4
        await asyncio.gather(*(assert_ok(go(ann, delegate)) for delegate in delegates))
        assert (await assert_ok(ann[1].get("/auth/me/absence")))["delegate"] in {
            delegate[0]["email"] for delegate in delegates
        }


class TestRefused:
    @pytest.mark.parametrize(
        ("change", "path", "code"),
        [
            ({"from": None}, "from", None),
            ({"until": None}, "until", None),
            ({"delegate": None}, "delegate", None),
            ({"from": "2036-01-01"}, "from", "invalid_timestamp"),
            ({"from": "2036-01-01T08:00:00"}, "from", "invalid_timestamp"),
            ({"until": 2_000_000_000}, "until", "invalid_timestamp"),
            ({"until": "9999-99-99T00:00:00Z"}, "until", "invalid_timestamp"),
            ({"until": "2020-01-01T00:00:00Z"}, "until", "in_the_past"),
            ({"until": "2036-12-20T08:00:00Z"}, "until", "not_after_start"),
            ({"until": "2036-12-20T08:30:00+01:00"}, "until", "not_after_start"),
            ({"until": "9999-12-31T23:59:59Z"}, "until", "too_late"),
            ({"from": "0001-01-01T00:00:00Z"}, "from", "too_early"),
            ({"delegate": "nobody@example.com"}, "delegate", "unknown_member"),
            ({"delegate": "no address"}, "delegate", "invalid_email"),
            ({"reason": "sun"}, "reason", "extra_forbidden"),
        ],
    )
    async def test_bad_body(self, people: People, ann: Member, change: Any, path: str, code: str | None) -> None:
        good = {
            "from": "2036-12-20T08:00:00Z",
            "until": "2037-01-03T08:00:00Z",
            "delegate": people["editor"][0]["email"],
        }
        problem = await assert_error(ann[1].put("/auth/me/absence", json={**good, **change}), 422, "invalid")
        error = error_at(problem, path)
        assert code is None or error["code"] == code
        for name in good:
            body = {key: value for key, value in good.items() if key != name}
            error_at(await assert_error(ann[1].put("/auth/me/absence", json=body), 422), name)
        assert await assert_ok(ann[1].get("/auth/me/absence")) == NONE

    async def test_invalid_delegates(
        self, workspace: Workspace, other_workspace: Workspace, people: People, ann: Member, ben: Member
    ) -> None:
        foreign = await other_workspace.make_person()
        gone = await workspace.make_person()
        await assert_ok(workspace.owner.delete(f"/users/{gone[0]['userId']}"))
        for delegate, code in (
            (ann, "own_delegate"),
            (people["viewer"], "cannot_decide"),
            (foreign, "unknown_member"),
            (gone, "unknown_member"),
        ):
            assert error_at(await assert_error(go(ann, delegate), 422), "delegate")["code"] == code
        await assert_ok(go(ben, people["editor"], begins=5, until=10))
        assert error_at(await assert_error(go(ann, ben, begins=1, until=6), 422), "delegate")["code"] == "delegate_away"
        await assert_ok(go(ann, ben, begins=1, until=4))

    async def test_only_for_users(self, workspace: Workspace, people: People) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        for client in (workspace.agent, workspace.manager, workspace.client(**{"x-review-token": token})):
            body = {"from": in_hours(0), "until": in_hours(1), "delegate": people["editor"][0]["email"]}
            await assert_error(client.get("/auth/me/absence"), 403, "person_needed")
            await assert_error(client.put("/auth/me/absence", json=body), 403, "person_needed")
            await assert_error(client.delete("/auth/me/absence"), 403, "person_needed")
        await assert_error(workspace.public.get("/auth/me/absence"), 401)

    async def test_from_a_page_of_another_origin(self, ann: Member) -> None:
        away = {"origin": "https://evil.example"}
        await assert_error(ann[1].delete("/auth/me/absence", headers=away), 403, "cross_origin")


class TestDelegate:
    async def test_is_asked_during_the_absence(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        review_id = await pending(workspace, ann)
        assert await seen(ben[1], review_id) == (False, None)
        await assert_error(respond(ben[1], review_id), 403, "not_assigned")
        assert await listed(ben[1]) == []
        await assert_ok(go(ann, ben))
        assert await seen(ben[1], review_id) == (True, [ann[0]["email"]])
        assert await listed(ben[1]) == [review_id]
        assert await counted(ben[1]) == 1
        assert (await seen(ann[1], review_id)) == (True, None), "who is away may still decide"
        assert await listed(ann[1]) == [review_id]
        me = await assert_ok(ben[1].get("/auth/me"))
        assert [absent_user["email"] for absent_user in me["standingInFor"]] == [ann[0]["email"]]
        decided = await assert_ok(respond(ben[1], review_id))
        assert decided["reviewResult"]["respondingUser"] == ben[0]["email"]

    async def test_only_between_start_and_end(
        self, workspace: Workspace, ann: Member, ben: Member, db: asyncpg.Connection
    ) -> None:
        review_id = await pending(workspace, ann)
        await assert_ok(go(ann, ben, begins=1))
        assert await seen(ben[1], review_id) == (False, None)
        assert (await assert_ok(ben[1].get("/auth/me")))["standingInFor"] == []
        move = "update absences set starts_at = now() + $2, ends_at = now() + $3 where user_id = $1"
        await db.execute(move, ann[0]["userId"], -HOUR, HOUR)
        assert await seen(ben[1], review_id) == (True, [ann[0]["email"]])
        await db.execute(move, ann[0]["userId"], -2 * HOUR, timedelta(0))
        assert await seen(ben[1], review_id) == (False, None)
        assert await listed(ben[1]) == []
        assert await counted(ben[1]) == 0
        await assert_error(respond(ben[1], review_id), 403, "not_assigned")

    async def test_not_after_the_return(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        review_id = await pending(workspace, ann)
        await assert_ok(go(ann, ben))
        await assert_ok(ann[1].delete("/auth/me/absence"))
        await assert_error(respond(ben[1], review_id), 403, "not_assigned")

    async def test_for_groups_too(self, workspace: Workspace, ann: Member, ben: Member, people: People) -> None:
        body = {"name": unique("away"), "members": [ann[0]["email"]]}
        group = (await assert_ok(workspace.owner.post("/groups", json=body)))["groupId"]
        review_id = await pending(workspace, assignToGroups=[group])
        assert await listed(ben[1], "myGroups") == []
        await assert_ok(go(ann, ben))
        assert await seen(ben[1], review_id) == (True, [ann[0]["email"]])
        assert await listed(ben[1], "myGroups") == [review_id]
        assert await counted(ben[1], "myGroups") == 1
        assert await listed(ben[1]) == []
        # A group member is asked in their own right.
        both = [ann[0]["email"], ben[0]["email"]]
        await assert_ok(workspace.owner.patch(f"/groups/{group}", json={"members": both}))
        assert await seen(ben[1], review_id) == (True, None)

    async def test_is_not_transitive(
        self, workspace: Workspace, ann: Member, ben: Member, people: People, db: asyncpg.Connection
    ) -> None:
        """Ben is Ann's delegate, then goes out of office too: Ann's reviews are still his, and not his delegate's."""
        cem = await workspace.make_person()
        await assert_ok(go(ann, ben))
        await assert_ok(go(ben, cem))
        for_ann, for_ben = await pending(workspace, ann), await pending(workspace, ben)
        assert await seen(ben[1], for_ann) == (True, [ann[0]["email"]])
        assert await seen(cem[1], for_ann) == (False, None)
        assert await seen(cem[1], for_ben) == (True, [ben[0]["email"]])
        assert await listed(cem[1]) == [for_ben]
        await assert_error(respond(cem[1], for_ann), 403, "not_assigned")

    async def test_for_several_members(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        cem = await workspace.make_person()
        for who in (ann, cem):
            await assert_ok(go(who, ben))
        both, own = await pending(workspace, ann, cem), await pending(workspace, ben, ann)
        assert await seen(ben[1], both) == (True, sorted([ann[0]["email"], cem[0]["email"]]))
        assert await seen(ben[1], own) == (True, [ann[0]["email"]])
        assert await listed(ben[1]) == [own, both], "each once"
        assert await counted(ben[1]) == 2

    async def test_does_not_get_admin_permissions(self, workspace: Workspace, ben: Member) -> None:
        """A delegate covers for assignments, not for a role."""
        admin = await workspace.make_person("admin")
        cem = await workspace.make_person()
        await assert_ok(go(admin, ben))
        review_id = await pending(workspace, cem)
        assert (await seen(admin[1], review_id))[0] is True
        await assert_error(respond(ben[1], review_id), 403, "not_assigned")

    async def test_who_lost_the_permission_to_decide(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        review_id = await pending(workspace, ann)
        await assert_ok(go(ann, ben))
        await assert_ok(workspace.owner.patch(f"/users/{ben[0]['userId']}", json={"role": "viewer"}))
        assert await seen(ben[1], review_id) == (False, None)
        assert await listed(ben[1]) == []
        assert (await assert_ok(ben[1].get("/auth/me")))["standingInFor"] == []
        await assert_error(respond(ben[1], review_id), 403, "forbidden")

    async def test_of_a_member_who_can_not_decide(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        """A user who can't decide has no permission to delegate."""
        group = await assert_ok(
            workspace.owner.post("/groups", json={"name": unique("group"), "members": [ann[0]["email"]]})
        )
        review_id = await pending(workspace, assignToGroups=[group["groupId"]])
        await assert_ok(workspace.owner.patch(f"/users/{ann[0]['userId']}", json={"role": "viewer"}))
        await assert_ok(go(ann, ben))
        assert await seen(ben[1], review_id) == (False, None)
        await assert_error(respond(ben[1], review_id), 403, "not_assigned")

    async def test_of_a_former_member(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        review_id = await pending(workspace, ann)
        await assert_ok(go(ann, ben))
        await assert_ok(workspace.owner.delete(f"/users/{ann[0]['userId']}"))
        assert await seen(ben[1], review_id) == (False, None)
        await assert_error(respond(ben[1], review_id), 403, "not_assigned")

    async def test_claims_and_reassigns(self, workspace: Workspace, ann: Member, ben: Member) -> None:
        review_id = await pending(workspace, ann)
        await assert_ok(go(ann, ben))
        taken = await assert_ok(ben[1].post(f"/reviews/{review_id}/take"))
        assert taken["takenBy"]["userId"] == ben[0]["userId"]
        assert "standingInFor" not in taken
        assert await seen(ann[1], review_id) == (False, None)
        back = await assert_ok(ben[1].post(f"/reviews/{review_id}/handBack"))
        assert back["standingInFor"] == [ann[0]["email"]]
        nobody: dict[str, Any] = {"users": [], "groups": [], "external": []}
        await assert_ok(ben[1].put(f"/reviews/{review_id}/assignees", json=nobody))

    async def test_of_another_account_sees_nothing(
        self, other_workspace: Workspace, workspace: Workspace, ann: Member, ben: Member
    ) -> None:
        await assert_ok(go(ann, ben))
        review_id = await pending(workspace, ann)
        stranger = await other_workspace.make_person()
        await assert_error(stranger[1].get(f"/reviews/{review_id}"), 404)
        assert await listed(stranger[1]) == []


OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
FIRST, LAST = datetime(2010, 1, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(int(FIRST.timestamp()), int(LAST.timestamp())).map(
    lambda seconds: datetime.fromtimestamp(seconds, UTC)
)


@given(begins=MOMENTS, until=MOMENTS, moment=MOMENTS, one=OFFSETS, other=OFFSETS)
@example(begins=FIRST, until=LAST, moment=FIRST, one=UTC, other=UTC)
@example(begins=FIRST, until=LAST, moment=LAST - timedelta(seconds=1), one=UTC, other=UTC)
def test_time_zone_of_a_timestamp_does_not_matter(
    begins: datetime, until: datetime, moment: datetime, one: timezone, other: timezone
) -> None:
    """Only the moment counts: it's equally valid or invalid in any zone."""
    written = {
        "from": begins.astimezone(one).isoformat(),
        "until": until.astimezone(other).isoformat(),
        "delegate": "b@example.com",
    }
    new = NewAbsence.model_validate(written)
    assert (new.begins, new.until) == (begins, until)
    is_near = until <= moment + MAX_DURATION and begins >= moment - MAX_DURATION
    assert (period_errors(new, moment) == []) == (until > moment and until > begins and is_near)
