"""Deadlines in review types: what is accepted, what is rejected, and how they are stored."""

from typing import Any

import pytest
from support.api import FORM, Workspace, assert_error, assert_ok, error_at, unique

OFFICE = {"timeZone": "Europe/Berlin", "days": [1, 2, 3, 4, 5], "from": "09:00", "until": "17:00"}


def remind(after: int = 60) -> dict[str, Any]:
    return {"afterMinutes": after, "action": "remind"}


async def make_group(workspace: Workspace, *emails: str) -> dict[str, Any]:
    return await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), "members": list(emails)}))


class TestAccepted:
    @pytest.mark.parametrize(
        "limits",
        [
            {"steps": [remind()]},
            {"calendar": None, "steps": [remind(1), {"afterMinutes": 2, "action": "reject"}]},
            {"calendar": OFFICE, "steps": [remind(), remind(61), {"afterMinutes": 525_600, "action": "approve"}]},
            {"calendar": {**OFFICE, "from": "00:00", "until": "24:00", "days": [7]}, "steps": [remind()]},
            {"steps": [remind(number) for number in range(1, 6)]},
        ],
    )
    async def test_read_back(self, workspace: Workspace, limits: dict[str, Any]) -> None:
        form = await workspace.make_form(timeLimits=limits)
        expected = {
            "calendar": limits.get("calendar"),
            "steps": [{**step, "to": step.get("to")} for step in limits["steps"]],
        }
        assert form["timeLimits"] == expected
        assert (await assert_ok(workspace.manager.get(f"/forms/{form['formId']}")))["timeLimits"] == expected
        again = await assert_ok(
            workspace.manager.patch(f"/forms/{form['formId']}", json={"timeLimits": form["timeLimits"]})
        )
        assert again["version"] == 1, "what was read can be written, and changes nothing"

    async def test_days_in_order(self, workspace: Workspace) -> None:
        form = await workspace.make_form(timeLimits={"calendar": {**OFFICE, "days": [5, 1, 5]}, "steps": [remind()]})
        assert form["timeLimits"]["calendar"]["days"] == [1, 5]

    async def test_none(self, workspace: Workspace) -> None:
        assert (await workspace.make_form())["timeLimits"] is None
        assert (await workspace.make_form(timeLimits=None))["timeLimits"] is None

    async def test_added_and_removed(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        path = f"/forms/{form['formId']}"
        changed = await assert_ok(workspace.manager.patch(path, json={"timeLimits": {"steps": [remind()]}}))
        assert changed["version"] == 2
        assert (await assert_ok(workspace.manager.patch(path, json={"name": "Other"})))["timeLimits"] == changed[
            "timeLimits"
        ]
        assert (await assert_ok(workspace.manager.patch(path, json={"timeLimits": None})))["timeLimits"] is None

    async def test_compared(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        limits = {"steps": [remind()]}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"timeLimits": limits}))
        for first, second in ((1, 2), (2, 1)):
            query = {"from": first, "to": second}
            compared = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/compare", params=query))
            [member] = compared["members"]
            assert member["member"] == "timeLimits"
            assert [member["before"], member["after"]].count(None) == 1

    async def test_restored(self, workspace: Workspace) -> None:
        form = await workspace.make_form(timeLimits={"steps": [remind()]})
        path = f"/forms/{form['formId']}"
        await assert_ok(workspace.manager.patch(path, json={"timeLimits": None}))
        restored = await assert_ok(workspace.manager.post(f"{path}/restore", json={"version": 1}))
        assert restored["timeLimits"] == form["timeLimits"]


class TestRefused:
    @pytest.mark.parametrize(
        ("limits", "path"),
        [
            ([], "timeLimits"),
            ("soon", "timeLimits"),
            ({}, "timeLimits.steps"),
            ({"steps": None}, "timeLimits.steps"),
            ({"steps": []}, "timeLimits.steps"),
            ({"steps": [remind(number) for number in range(1, 7)]}, "timeLimits.steps"),
            ({"steps": [{"action": "remind"}]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": [remind(0)]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": [remind(-5)]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": [{"afterMinutes": 0.5, "action": "remind"}]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": [{"afterMinutes": "60", "action": "remind"}]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": [{"afterMinutes": True, "action": "remind"}]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": [remind(10**12)]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": [{"afterMinutes": 5}]}, "timeLimits.steps[0].action"),
            ({"steps": [{"afterMinutes": 5, "action": "delete"}]}, "timeLimits.steps[0].action"),
            ({"steps": [remind(60), remind(60)]}, "timeLimits.steps[1].afterMinutes"),
            ({"steps": [remind(60), remind(30)]}, "timeLimits.steps[1].afterMinutes"),
            ({"steps": [{"afterMinutes": 5, "action": "reject"}, remind(9)]}, "timeLimits.steps[1].action"),
            ({"steps": [{"afterMinutes": 5, "action": "approve"}, remind(9)]}, "timeLimits.steps[1].action"),
            ({"steps": [{"afterMinutes": 5, "action": "handOver"}]}, "timeLimits.steps[0].to"),
            ({"steps": [{"afterMinutes": 5, "action": "handOver", "to": None}]}, "timeLimits.steps[0].to"),
            ({"steps": [{"afterMinutes": 5, "action": "handOver", "to": {}}]}, "timeLimits.steps[0].to"),
            ({"steps": [{**remind(), "to": {"users": ["owner@example.com"]}}]}, "timeLimits.steps[0].to"),
            (
                {"steps": [{"afterMinutes": 5, "action": "handOver", "to": {"users": ["nobody@example.org"]}}]},
                "timeLimits.steps[0].to.users[0]",
            ),
            (
                {"steps": [{"afterMinutes": 5, "action": "handOver", "to": {"groups": ["grp_none"]}}]},
                "timeLimits.steps[0].to.groups[0]",
            ),
            ({"calendar": {}, "steps": [remind()]}, "timeLimits.calendar.timeZone"),
            (
                {"calendar": {**OFFICE, "timeZone": "Europe/Atlantis"}, "steps": [remind()]},
                "timeLimits.calendar.timeZone",
            ),
            (
                {"calendar": {**OFFICE, "timeZone": "../etc/passwd"}, "steps": [remind()]},
                "timeLimits.calendar.timeZone",
            ),
            ({"calendar": {**OFFICE, "days": []}, "steps": [remind()]}, "timeLimits.calendar.days"),
            ({"calendar": {**OFFICE, "days": [0]}, "steps": [remind()]}, "timeLimits.calendar.days[0]"),
            ({"calendar": {**OFFICE, "days": ["1"]}, "steps": [remind()]}, "timeLimits.calendar.days[0]"),
            ({"calendar": {**OFFICE, "from": "9:00"}, "steps": [remind()]}, "timeLimits.calendar.from"),
            ({"calendar": {**OFFICE, "from": "24:00"}, "steps": [remind()]}, "timeLimits.calendar.from"),
            ({"calendar": {**OFFICE, "until": "24:01"}, "steps": [remind()]}, "timeLimits.calendar.until"),
            ({"calendar": {**OFFICE, "until": "09:00"}, "steps": [remind()]}, "timeLimits.calendar.until"),
            ({"calendar": {**OFFICE, "until": "08:00"}, "steps": [remind()]}, "timeLimits.calendar.until"),
            (
                {"calendar": {**OFFICE, "days": [1], "until": "09:01"}, "steps": [remind(10_000)]},
                "timeLimits.steps[0].afterMinutes",
            ),
            ({"steps": [remind()], "more": 1}, "timeLimits.more"),
        ],
    )
    async def test_error(self, workspace: Workspace, limits: Any, path: str) -> None:
        body = {**FORM, "timeLimits": limits}
        problem = await assert_error(workspace.manager.post("/forms", json=body), 422, "invalid")
        assert error_at(problem, path)
        checked = await assert_ok(workspace.manager.post("/forms/check", json={"form": body}))
        assert [error for error in checked["errors"] if error["path"] == path]

    async def test_reports_all_errors(self, workspace: Workspace) -> None:
        steps = [
            {"afterMinutes": 60, "action": "handOver"},
            {**remind(30), "to": {"users": ["a@example.org"]}},
            {"afterMinutes": 90, "action": "reject"},
            {"afterMinutes": 95, "action": "handOver", "to": {"users": ["nobody@example.org"], "groups": ["grp_x"]}},
        ]
        body = {**FORM, "name": "", "timeLimits": {"calendar": {**OFFICE, "until": "01:00"}, "steps": steps}}
        problem = await assert_error(workspace.manager.post("/forms", json=body), 422)
        assert {error["path"] for error in problem["errors"]} == {
            "name",
            "timeLimits.calendar.until",
            "timeLimits.steps[0].to",
            "timeLimits.steps[1].afterMinutes",
            "timeLimits.steps[1].to",
            "timeLimits.steps[3].action",
            "timeLimits.steps[3].to.users[0]",
            "timeLimits.steps[3].to.groups[0]",
        }

    async def test_users_of_another_account(self, workspace: Workspace, other_workspace: Workspace) -> None:
        stranger, _ = await other_workspace.make_person()
        group = await make_group(other_workspace)
        to = {"users": [stranger["email"]], "groups": [group["groupId"]]}
        body = {**FORM, "timeLimits": {"steps": [{"afterMinutes": 5, "action": "handOver", "to": to}]}}
        problem = await assert_error(workspace.manager.post("/forms", json=body), 422)
        assert error_at(problem, "timeLimits.steps[0].to.users[0]")
        assert error_at(problem, "timeLimits.steps[0].to.groups[0]")


class TestTransfer:
    async def test_export_and_import(self, workspace: Workspace) -> None:
        person, _ = await workspace.make_person()
        group = await make_group(workspace, person["email"])
        to = {"users": [person["email"]], "groups": [group["groupId"]]}
        limits = {"calendar": OFFICE, "steps": [remind(), {"afterMinutes": 90, "action": "handOver", "to": to}]}
        form = await workspace.make_form(timeLimits=limits)
        exported = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
        assert exported["timeLimits"]["steps"][1]["to"] == {"users": [person["email"]], "groups": [group["name"]]}
        imported = await assert_ok(workspace.manager.post("/forms/import", json=exported))
        assert imported["notes"] == []
        assert imported["form"]["timeLimits"] == form["timeLimits"]

    async def test_import_without_known_users(self, workspace: Workspace, other_workspace: Workspace) -> None:
        person, _ = await workspace.make_person()
        group = await make_group(workspace, person["email"])
        to = {"users": [person["email"]], "groups": [group["groupId"]]}
        form = await workspace.make_form(timeLimits={"steps": [{"afterMinutes": 90, "action": "handOver", "to": to}]})
        exported = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
        imported = await assert_ok(other_workspace.manager.post("/forms/import", json=exported))
        assert imported["form"]["timeLimits"]["steps"] == [{**remind(90), "to": None}]
        assert len(imported["notes"]) == 3

    async def test_import_reports_errors(self, workspace: Workspace) -> None:
        form = await workspace.make_form(timeLimits={"steps": [remind()]})
        exported = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
        for limits, path in (
            ({"steps": [remind(0)]}, "timeLimits.steps[0].afterMinutes"),
            ({"steps": "x"}, "timeLimits.steps"),
            (
                {"steps": [{"afterMinutes": 1, "action": "handOver", "to": {"users": [1]}}]},
                "timeLimits.steps[0].to.users[0]",
            ),
            ({"steps": [1]}, "timeLimits.steps[0]"),
        ):
            call = workspace.manager.post("/forms/import", json={**exported, "timeLimits": limits})
            assert error_at(await assert_error(call, 422), path)

    async def test_import_of_an_older_file(self, workspace: Workspace) -> None:
        exported = await assert_ok(workspace.manager.get(f"/forms/{(await workspace.make_form())['formId']}/export"))
        del exported["timeLimits"]
        assert (await assert_ok(workspace.manager.post("/forms/import", json=exported)))["form"]["timeLimits"] is None

    async def test_duplicate(self, workspace: Workspace) -> None:
        stays, _ = await workspace.make_person()
        leaves, _ = await workspace.make_person()
        steps = [
            {"afterMinutes": 1, "action": "handOver", "to": {"users": [stays["email"], leaves["email"]]}},
            {"afterMinutes": 2, "action": "handOver", "to": {"users": [leaves["email"]]}},
        ]
        form = await workspace.make_form(timeLimits={"calendar": OFFICE, "steps": steps})
        await assert_ok(workspace.owner.patch(f"/users/{leaves['userId']}", json={"disabled": True}))
        copy = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/duplicate", json={}))
        assert copy["timeLimits"]["calendar"] == form["timeLimits"]["calendar"]
        assert copy["timeLimits"]["steps"] == [
            {"afterMinutes": 1, "action": "handOver", "to": {"users": [stays["email"]], "groups": []}},
            {**remind(2), "to": None},
        ]
        # The review type itself stays unchanged, and other members can be changed.
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"name": "Other"}))

    @pytest.mark.parametrize("language", ["typescript", "python", "jsonschema"])
    async def test_generated_code_includes_timeouts(self, workspace: Workspace, language: str) -> None:
        form = await workspace.make_form(timeLimits={"steps": [remind()]})
        response = await workspace.manager.get(f"/forms/{form['formId']}/code", params={"language": language})
        assert response.status_code == 200, response.text
        assert "timedOut" in response.text
