"""Recent activity of people and agents, queried over HTTP; and invalid queries."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, error_at
from support.in_process import Service
from support.receiver import Receiver
from support.second_account import open_second_account

from signoff.platform.db import Database
from signoff.platform.migrations import versions

TRIGGER: dict[str, Any] = {"trigger": True, "allowRetry": False, "rules": [], "layout": []}


async def insights(workspace: Workspace, **params: str) -> dict[str, Any]:
    return await assert_ok(workspace.owner.get("/insights", params=params))


def edits(shown: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {field["fieldId"]: (field["shown"], field["edited"]) for field in shown["fields"]}


def holder(workspace: Workspace, asked: dict[str, Any]) -> httpx.AsyncClient:
    """The external reviewer of a request."""
    return workspace.client(**{"x-review-token": httpx.URL(asked["extReviewerLinks"][0]["link"]).params["token"]})


class TestCounts:
    async def test_empty_account(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        shown = await insights(workspace, formId=form["formId"])
        assert shown["bucket"] == "day"
        assert shown["timeZone"] == "UTC"
        assert len(shown["series"]) == len(shown["deliveries"]["series"]) == 30
        assert shown["totals"]["requested"] == shown["totals"]["decided"] == 0
        assert shown["totals"]["medianSeconds"] is shown["totals"]["previous"]["p90Seconds"] is None
        assert all(point["requested"] == 0 and point["medianSeconds"] is None for point in shown["series"])
        assert shown["open"]["total"] == 0
        assert shown["open"]["oldestAt"] is None
        assert shown["agents"] == shown["forms"] == shown["fields"] == shown["people"] == []
        assert shown["hours"] == shown["requestedHours"] == [[0] * 24] * 7
        assert shown["deliveries"]["medianMs"] is None

    async def test_each_decision(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        reviews = [await workspace.request(form) for _ in range(5)]
        await workspace.request(form, autoApprove=True)
        await workspace.decide(reviews[0]["reviewId"])
        await workspace.decide(reviews[1]["reviewId"], data={"draft": {"headline": "Other"}})
        await workspace.decide(reviews[2]["reviewId"], "rejected", data={"body": "changed, then rejected"})
        await assert_ok(
            workspace.owner.post(f"/reviews/{reviews[3]['reviewId']}/retry", json={"instructions": "again"})
        )
        shown = await insights(workspace, agentId=agent["agentId"])
        counts = {"requested": 6, "decided": 3, "approved": 2, "rejected": 1, "edited": 1, "autoApproved": 1}
        for group in (shown["totals"], shown["agents"][0], shown["forms"][0]):
            assert {name: group[name] for name in counts} == counts
            assert group["medianSeconds"] >= 0
            assert group["p90Seconds"] >= group["medianSeconds"]
        assert shown["agents"][0]["name"] == agent["name"]
        assert (shown["forms"][0]["name"], shown["forms"][0]["agentId"]) == (form["name"], agent["agentId"])
        assert (shown["open"]["total"], shown["open"]["waiting"]) == (2, 1)
        assert shown["open"]["ages"][0]["count"] == 2
        assert sum(map(sum, shown["hours"])) == 3
        assert sum(map(sum, shown["requestedHours"])) == 6

    async def test_fields(self, workspace: Workspace) -> None:
        """A field is shown if the approved `responseValues` have an entry: rules and missing values hide fields."""
        form = await workspace.make_form()
        both = await workspace.request(form)
        without_body = await workspace.request(form, data={"draft": {"headline": "News"}, "score": 3})
        rejected = await workspace.request(form)
        await workspace.decide(both["reviewId"], data={"body": "Better.", "score": 8})
        await workspace.decide(without_body["reviewId"], data={"draft": {"headline": "Better"}})
        await workspace.decide(rejected["reviewId"], "rejected", data={"body": "Not counted."})
        await workspace.request(form, autoApprove=True)
        shown = await insights(workspace, formId=form["formId"])
        assert edits(shown) == {"headline": (2, 1), "body": (1, 1), "score": (2, 1)}
        assert [field["label"] for field in shown["fields"]] == ["Headline", "Body", "Score"]
        assert {field["formId"] for field in shown["fields"]} == {form["formId"]}

    async def test_fields_of_several_versions(self, workspace: Workspace) -> None:
        form = await workspace.make_form(rules=[], layout=[])
        first = await workspace.request(form)
        await workspace.decide(first["reviewId"], data={"body": "Edited."})
        fields = [{"id": "headline", "type": "text", "label": "Title", "path": "draft.headline"}]
        fields.append({"id": "teaser", "type": "text", "label": "Teaser"})
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": fields}))
        second = await workspace.request(form, data={"draft": {"headline": "News"}, "teaser": "Read on"})
        await workspace.decide(second["reviewId"], data={"teaser": "Go on"})
        shown = await insights(workspace, formId=form["formId"])
        assert edits(shown) == {"headline": (2, 0), "teaser": (1, 1), "body": (1, 1), "score": (1, 0)}
        assert [field["label"] for field in shown["fields"]] == ["Title", "Teaser", "Body", "Score"]

    async def test_trigger_submissions_are_decided_but_not_approved(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**TRIGGER)
        review = await workspace.request(form)
        await assert_ok(workspace.owner.post(f"/reviews/{review['reviewId']}/response", json={"data": {"body": "Go."}}))
        totals = (await insights(workspace, formId=form["formId"]))["totals"]
        assert [totals[name] for name in ("requested", "decided", "approved", "rejected", "edited")] == [1, 1, 0, 0, 0]

    async def test_people(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        reviewer, client = await workspace.make_person()
        reviews = [await workspace.request(form) for _ in range(3)]
        for review in reviews:
            await assert_ok(client.post(f"/reviews/{review['reviewId']}/response", json={"response": "approved"}))
        address = f"outside-{reviewer['email']}"
        created_review = await workspace.request(form, extReviewers=[address])
        outside = holder(workspace, created_review)
        await assert_ok(outside.post(f"/reviews/{created_review['reviewId']}/response", json={"response": "rejected"}))
        people = (await insights(workspace, formId=form["formId"]))["people"]
        shown = [
            {name: person[name] for name in ("userId", "name", "decided", "approved", "rejected")} for person in people
        ]
        assert shown == [
            {"userId": reviewer["userId"], "name": reviewer["name"], "decided": 3, "approved": 3, "rejected": 0},
            {"userId": None, "name": address, "decided": 1, "approved": 0, "rejected": 1},
        ]
        assert all(person["medianSeconds"] >= 0 for person in people)

    async def test_deliveries(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/insights-deliveries"
        agent = await workspace.make_agent(webhookUrl=receiver.answer(path, [500, 200]))
        form = await workspace.make_form(agent)
        for _ in range(2):
            review = await workspace.request(form)
            decided = await workspace.decide(review["reviewId"])
            await workspace.delivery(decided["webhookDeliveryId"], "succeeded")
        shown = (await insights(workspace, agentId=agent["agentId"]))["deliveries"]
        assert (shown["total"], shown["succeeded"], shown["firstTry"]) == (2, 2, 1)
        assert shown["medianMs"] >= 0
        assert shown["series"][-1]["succeeded"] == 2

    async def test_deleted_reviews_are_not_counted(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        await workspace.decide(review["reviewId"])
        await assert_ok(workspace.owner.delete(f"/reviews/{review['reviewId']}"))
        shown = await insights(workspace, formId=form["formId"])
        assert shown["totals"]["requested"] == shown["totals"]["decided"] == 0

    async def test_archived_and_deleted_objects_keep_their_history(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        await workspace.decide((await workspace.request(form))["reviewId"])
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))
        for filters in ({"agentId": agent["agentId"]}, {"formId": form["formId"]}):
            shown = await insights(workspace, **filters)
            assert shown["agents"][0]["name"] == agent["name"]
            assert shown["forms"][0]["name"] == form["name"]

    async def test_one_day_by_hours(self, workspace: Workspace) -> None:
        day = {"from": "2026-03-29", "to": "2026-03-29", "timeZone": "Europe/Berlin"}
        shown = await insights(workspace, **day)
        assert shown["bucket"] == "hour"
        assert [shown["from"], shown["to"], shown["timeZone"]] == list(day.values())
        starts = [point["start"] for point in shown["series"]]
        assert (len(starts), starts[0], starts[-1]) == (23, "2026-03-28T23:00:00.000Z", "2026-03-29T21:00:00.000Z")
        assert [point["start"] for point in shown["deliveries"]["series"]] == starts


class TestPermissions:
    async def test_keys_and_all_members(self, workspace: Workspace) -> None:
        _, viewer = await workspace.make_person("viewer")
        for client in (workspace.agent, viewer, workspace.owner):
            assert (await assert_ok(client.get("/insights")))["totals"]["requested"] >= 0

    async def test_no_one_else(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["outsider@example.com"])
        await assert_error(workspace.public.get("/insights"), 401)
        await assert_error(holder(workspace, review).get("/insights"), 403, "forbidden")

    async def test_another_account_sees_nothing(self, workspace: Workspace, service: Service) -> None:
        form = await workspace.make_form()
        await workspace.decide((await workspace.request(form))["reviewId"])
        other = await open_second_account(service)
        shown = await insights(other)
        assert shown["totals"]["requested"] == shown["totals"]["decided"] == shown["open"]["total"] == 0
        assert shown["agents"] == shown["forms"] == shown["fields"] == shown["people"] == []
        assert shown["deliveries"]["total"] == 0
        await assert_error(other.owner.get("/insights", params={"formId": form["formId"]}), 404, "not_found")
        await assert_error(other.owner.get("/insights", params={"agentId": form["agentId"]}), 404, "not_found")


class TestRefused:
    @pytest.mark.parametrize(
        ("params", "path", "code"),
        [
            ({"from": "yesterday"}, "from", "bad_date"),
            ({"from": ""}, "from", "bad_date"),
            ({"to": "2026-02-30"}, "to", "bad_date"),
            ({"from": "1970-01-01", "to": "1970-01-02"}, "from", "out_of_range"),
            ({"from": "2026-02-02", "to": "2026-02-01"}, "to", "out_of_order"),
            ({"from": "2020-01-01", "to": "2026-01-01"}, "from", "too_many_days"),
            ({"timeZone": "Mars/Olympus"}, "timeZone", "unknown_time_zone"),
            ({"timeZone": "../../etc/passwd"}, "timeZone", "unknown_time_zone"),
            ({"timeZone": "Europe"}, "timeZone", "unknown_time_zone"),
            ({"timeZone": ""}, "timeZone", "unknown_time_zone"),
            ({"from": "x" * 101}, "from", "string_too_long"),
            ({"agentId": "x" * 129}, "agentId", "string_too_long"),
        ],
    )
    async def test_malformed(self, workspace: Workspace, params: dict[str, str], path: str, code: str) -> None:
        problem = await assert_error(workspace.owner.get("/insights", params=params), 400, "invalid_query")
        assert error_at(problem, path)["code"] == code

    @pytest.mark.parametrize("name", ["agentId", "formId"])
    @pytest.mark.parametrize("value", ["", "agt_unknown", "frm_unknown", "'; drop table reviews; --"])
    async def test_unknown(self, workspace: Workspace, name: str, value: str) -> None:
        await assert_error(workspace.owner.get("/insights", params={name: value}), 404, "not_found")

    async def test_nul_character(self, workspace: Workspace) -> None:
        await assert_error(workspace.owner.get("/insights", params={"agentId": "a\0b"}), 400)


async def test_older_decisions_are_backfilled(workspace: Workspace, db: Database) -> None:
    """The migration derives from payloads what a decision stores today."""
    text = (Path(versions.__path__[0]) / "0007_insights.sql").read_text()
    backfill = text[text.index("with outcome as") :].partition(";")[0]
    form = await workspace.make_form()
    reviews = [await workspace.request(form), await workspace.request(form, data={"draft": {"headline": "News"}})]
    reviews.append(await workspace.request(form, data={"draft": {"headline": "News"}, "score": 2, "body": "x"}))
    await workspace.decide(reviews[0]["reviewId"], data={"body": "Edited.", "score": 4})
    await workspace.decide(reviews[1]["reviewId"], "rejected", data={"draft": {"headline": "Edited"}})
    await workspace.decide(reviews[2]["reviewId"])
    read = """
        select review_id, (select array_agg(name order by name) from unnest(edited_fields) as name) as edited,
               (select array_agg(name order by name) from unnest(absent_fields) as name) as absent
        from reviews where account_id = $1 and form_id = $2 order by review_id
    """
    place = workspace.account_id, form["formId"]
    written = [dict(row) for row in await db.fetch(read, *place)]
    assert [row["edited"] for row in written] == [["body", "score"], ["headline"], None]
    assert [row["absent"] for row in written] == [None, ["body", "score"], None]
    await db.execute("update reviews set edited_fields = null, absent_fields = null where form_id = $1", form["formId"])
    await db.execute(backfill)
    assert [dict(row) for row in await db.fetch(read, *place)] == written
