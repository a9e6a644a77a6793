"""Random histories: the service's numbers equal those of plain Python."""

import random
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from support.api import Workspace, assert_ok
from support.in_process import Service
from support.second_account import open_second_account

from insights.fake_history import (
    FIELDS,
    ExpectedCounts,
    PastReview,
    id_at,
    make_deliveries,
    make_past_reviews,
    percentile,
    write_deliveries,
    write_past_reviews,
)
from signoff.platform.clock import iso, now
from signoff.platform.db import Database

PERIODS = [
    (date(2026, 3, 28), 3, "Europe/Berlin"),  # the clocks go forward in between
    (date(2025, 10, 24), 3, "Europe/Berlin"),  # and back
    (date(2025, 10, 31), 3, "America/Havana"),  # midnight comes twice
    (date(2025, 3, 1), 1, "Asia/Kathmandu"),
    (date(2025, 9, 20), 40, "America/New_York"),
    (date(2025, 1, 1), 92, "Australia/Lord_Howe"),
    (date(2025, 2, 5), 366, "Europe/Berlin"),
]


def approximately(expected: dict[str, Any]) -> dict[str, Any]:
    return {name: pytest.approx(value, abs=0.002) if value else value for name, value in expected.items()}


def picked(shown: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    return {name: shown[name] for name in expected}


@pytest.mark.parametrize(("first", "days", "zone"), PERIODS, ids=[f"{zone} {days}" for _, days, zone in PERIODS])
async def test_matches_python(service: Service, db: Database, first: date, days: int, zone: str) -> None:
    other = await open_second_account(service)
    chance = random.Random(f"{first} {days} {zone}")  # noqa: S311
    agents = [await other.make_agent() for _ in range(3)]
    forms = [await other.make_form(chance.choice(agents), name=f"form {number}") for number in range(4)]
    me = (await assert_ok(other.owner.get("/auth/me")))["user"]["userId"]
    places = [(form["agentId"], form["formId"]) for form in forms]
    past = make_past_reviews(chance, 400, first, days, places, [me, "ext:a@example.com", "ext:b@example.com"])
    deliveries = make_deliveries(chance, 150, first, days, places)
    await write_past_reviews(db, other.account_id, past)
    await write_deliveries(db, other.account_id, deliveries)
    params = {"from": str(first), "to": str(first + timedelta(days=days - 1)), "timeZone": zone}

    for filters in ({}, {"agentId": places[0][0]}, {"formId": places[1][1]}):
        shown = await assert_ok(other.owner.get("/insights", params=params | filters))
        filtered = [
            past_review
            for past_review in past
            if past_review.agent_id == filters.get("agentId", past_review.agent_id)
            and past_review.form_id == filters.get("formId", past_review.form_id)
        ]
        sent = [
            each
            for each in deliveries
            if each.agent_id == filters.get("agentId", each.agent_id)
            and each.form_id == filters.get("formId", each.form_id)
        ]
        counting = ExpectedCounts(filtered, first, days, zone)
        check_counts(shown, counting, me)
        check_deliveries(shown["deliveries"], [each for each in sent if counting.within(each.triggered_at, first)])
        pending = [each for each in filtered if each.responded_at is None]
        assert shown["open"]["total"] == len(pending) == sum(age["count"] for age in shown["open"]["ages"])
        assert shown["open"]["waiting"] == sum(each.waiting for each in pending)


def check_counts(shown: dict[str, Any], counting: ExpectedCounts, me: str) -> None:
    assert counting.totals["decided"] > 0
    assert picked(shown["totals"], counting.totals) == approximately(counting.totals)
    previous = {name: value for name, value in counting.previous.items() if name != "autoApproved"}
    assert shown["totals"]["previous"] == approximately(previous)

    starts = [datetime.fromisoformat(point["start"]) for point in shown["series"]]
    expected = counting.by_bucket(starts)
    for point, counted in zip(shown["series"], expected, strict=True):
        counted.pop("decided")
        assert picked(point, counted) == approximately(counted)
    for name in ("requested", "approved", "rejected", "autoApproved", "edited"):
        assert sum(point[name] for point in shown["series"]) == counting.totals[name]

    for counts, member, key in (("agents", "agent_id", "agentId"), ("forms", "form_id", "formId")):
        groups = counting.by(member)
        assert {group[key] for group in shown[counts]} == set(groups)
        for group in shown[counts]:
            assert picked(group, groups[group[key]]) == approximately(groups[group[key]])
            assert len(group["series"]) == len(starts)
            assert sum(group["series"]) == group["decided"]
        assert [group["decided"] for group in shown[counts]] == sorted(
            (group["decided"] for group in shown[counts]), reverse=True
        )

    people = {each.person for each in counting.human}
    assert {person["userId"] or f"ext:{person['name']}" for person in shown["people"]} == people
    for person in shown["people"]:
        own = [each for each in counting.human if each.person == (person["userId"] or f"ext:{person['name']}")]
        assert person["decided"] == len(own)
        assert person["approved"] == sum(each.response == "approved" for each in own)
        assert person["rejected"] == sum(each.response == "rejected" for each in own)
        assert person["medianSeconds"] == pytest.approx(percentile([each.seconds for each in own], 0.5), abs=0.002)
        assert person["userId"] in (me, None)

    assert shown["hours"] == counting.hours([each.responded_at for each in counting.human if each.responded_at])
    assert shown["requestedHours"] == counting.hours([each.created_at for each in counting.requested])
    fields = {(field["formId"], field["fieldId"]): (field["shown"], field["edited"]) for field in shown["fields"]}
    assert fields == counting.fields()
    assert {field["fieldId"] for field in shown["fields"]} <= set(FIELDS)


def check_deliveries(shown: dict[str, Any], sent: list[Any]) -> None:
    by_status = {
        status: sum(past_delivery.status == status for past_delivery in sent)
        for status in ("succeeded", "retrying", "dead")
    }
    assert picked(shown, by_status) == by_status
    assert shown["total"] == len(sent) == sum(by_status.values()) + shown["pending"]
    assert shown["firstTry"] == sum(each.status == "succeeded" and len(each.attempts) == 1 for each in sent)
    assert shown["medianMs"] == percentile([float(each.attempts[-1]) for each in sent if each.attempts], 0.5)
    assert sum(point["succeeded"] for point in shown["series"]) == by_status["succeeded"]
    assert sum(point["failed"] for point in shown["series"]) == by_status["retrying"] + by_status["dead"]


async def test_ages_of_open_reviews(workspace: Workspace, db: Database) -> None:
    form = await workspace.make_form()
    chance = random.Random(6)  # noqa: S311
    moments = [now() - timedelta(hours=hours) for hours in (0.5, 2, 12, 48, 100, 1000)]
    past = [PastReview(id_at(chance, "rev", moment), form["agentId"], form["formId"], moment) for moment in moments]
    await write_past_reviews(db, workspace.account_id, past)
    shown = (await assert_ok(workspace.agent.get("/insights", params={"formId": form["formId"]})))["open"]
    assert [age["count"] for age in shown["ages"]] == [1] * 6
    assert [age["upToSeconds"] for age in shown["ages"]] == [3600, 14400, 86400, 259200, 604800, None]
    assert (shown["total"], shown["waiting"]) == (6, 0)
    assert shown["oldestAt"] == iso(moments[-1])
