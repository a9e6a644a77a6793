"""What the review-type editor needs from the service: checks, previews, versions, files."""

import asyncio
import json
from typing import Any

import pytest
from form_strategies import fits_in_a_request, forms_with_data
from hypothesis import assume, given, settings
from support.api import DATA, FORM, Workspace, assert_error, assert_ok, error_at, unique
from support.examples import examples
from support.in_process import Service
from support.receiver import Receiver
from support.second_account import open_second_account

from signoff.forms.definition import compile_definition
from signoff.forms.editor.diff import compare_definitions
from signoff.forms.editor.warnings import find_warnings

SMALL: dict[str, Any] = {"name": "Small", "titleField": "text", "fields": [{"id": "text", "type": "text"}]}
SERVICE_MADE = {"formId", "version", "createdAt", "updatedAt", "archivedAt"}


def text(name: str, **members: Any) -> dict[str, Any]:
    return {"id": name, "type": "text", **members}


def choice(*options: str, **members: Any) -> dict[str, Any]:
    extra = {"options": [{"id": option, "label": option.upper()} for option in options]} if options else {}
    return {"id": "pick", "type": "dropdown", **extra, **members}


async def check(workspace: Workspace, form: Any, **members: Any) -> dict[str, Any]:
    return await assert_ok(workspace.manager.post("/forms/check", json={"form": form, **members}))


def definition_of(form: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in form.items() if name not in SERVICE_MADE}


class TestCheck:
    @pytest.mark.parametrize(
        "form",
        [
            {},
            {"name": ""},
            {**SMALL, "fields": []},
            {**SMALL, "fields": [{"id": "1", "type": "txt"}, {"id": "text"}]},
            {**SMALL, "agentId": "agt_none"},
            {**SMALL, "defaultReviewers": {"users": ["no@example.com", "x"], "groups": ["grp_none"]}},
            {**SMALL, "rules": [{"target": "no", "effect": "show", "when": {"field": "text.value"}}]},
            {**SMALL, "layout": [{"kind": "field", "field": "no"}], "width": "huge", "webhookUrl": "x"},
            {**SMALL, "nmae": 1, "trigger": "yes"},
        ],
        ids=str,
    )
    async def test_reports_the_same_errors_as_saving(self, workspace: Workspace, form: dict[str, Any]) -> None:
        report = await check(workspace, form)
        problem = await assert_error(workspace.manager.post("/forms", json=form), 422, "invalid")
        assert report["errors"] == problem["errors"]
        assert report["valid"] is False
        assert report["changes"] is None

    async def test_writes_nothing(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        report = await check(workspace, {**definition_of(form), "name": "Other"}, formId=form["formId"])
        assert report["valid"] is True
        assert await assert_ok(workspace.manager.get(f"/forms/{form['formId']}")) == form

    async def test_nothing_changed(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        report = await check(workspace, definition_of(form), formId=form["formId"])
        assert report["changes"] == {"fromVersion": 1, "openReviews": 0, "breaking": [], "compatible": []}

    async def test_breaking_changes_and_pending_reviews(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        for _ in range(3):
            review = await workspace.request(form)
        await workspace.decide(review["reviewId"])
        changed = definition_of(form)
        changed["fields"] = [field for field in changed["fields"] if field["id"] != "body"]
        changed["layout"] = None
        changed["rules"] = []
        changed["trigger"] = True
        changes = (await check(workspace, changed, formId=form["formId"]))["changes"]
        assert changes["openReviews"] == 2
        assert [(change["kind"], change["fieldId"]) for change in changes["breaking"]] == [
            ("fieldRemoved", "body"),
            ("triggerChanged", None),
        ]
        assert {"layoutChanged", "rulesChanged"} <= {change["kind"] for change in changes["compatible"]}

    async def test_viewers_may_check(self, workspace: Workspace) -> None:
        _, viewer = await workspace.make_person("viewer")
        assert (await assert_ok(viewer.post("/forms/check", json={"form": SMALL})))["valid"]
        await assert_error(workspace.public.post("/forms/check", json={"form": SMALL}), 401)
        await viewer.aclose()

    @pytest.mark.parametrize("body", [{}, {"form": []}, {"form": None}, {"form": "x"}, {"form": {}, "formId": 3}])
    async def test_invalid_bodies(self, workspace: Workspace, body: Any) -> None:
        await assert_error(workspace.manager.post("/forms/check", json=body), 422, "invalid")

    async def test_unknown_review_type(self, workspace: Workspace, service: Service) -> None:
        other = await open_second_account(service)
        theirs = await other.make_form()
        for form_id in ("frm_none", theirs["formId"]):
            body = {"form": SMALL, "formId": form_id}
            await assert_error(workspace.manager.post("/forms/check", json=body), 404, "not_found")


def warnings_of(**members: Any) -> list[tuple[str, str]]:
    trigger = members.pop("trigger", False)
    warnings = find_warnings(compile_definition({**SMALL, **members}), trigger=trigger)
    return [(warning.path, warning.code) for warning in warnings]


def rule(target: str, effect: str, *conditions: dict[str, Any]) -> dict[str, Any]:
    return {"target": target, "effect": effect, "when": {"all": list(conditions)}}


def condition(field: str, operation: str, value: Any = None) -> dict[str, Any]:
    return {"field": field, "operation": operation, **({} if value is None else {"value": value})}


BIG, LITTLE = condition("score.value", ">=", 5), condition("score.value", "<", 3)
SCORED = [text("text"), {"id": "score", "type": "number"}, text("more")]
GROUPED = [
    {"kind": "group", "id": "g", "children": [{"kind": "field", "field": "text"}]},
    {"kind": "columns", "columns": [[{"kind": "field", "field": "score"}]]},
]


class TestWarnings:
    def test_no_warnings(self) -> None:
        assert warnings_of() == []
        assert warnings_of(fields=SCORED, rules=[rule("more", "show", BIG)]) == []

    def test_no_title(self) -> None:
        assert warnings_of(titleField=None) == [("titleField", "no_title_field")]
        assert warnings_of(titleField=None, fields=[{"id": "n", "type": "number"}]) == []

    def test_no_editable_field(self) -> None:
        fields = [text("text", editable=False)]
        assert warnings_of(fields=fields) == [("fields", "no_editable_field")]
        assert warnings_of(fields=fields, trigger=True) == []

    def test_required_without_effect(self) -> None:
        fields = [text("text"), {"id": "photo", "type": "image", "required": True}]
        assert warnings_of(fields=fields) == [("fields[1].required", "required_not_editable")]

    def test_contradiction(self) -> None:
        assert warnings_of(fields=SCORED, rules=[rule("more", "show", BIG, LITTLE)]) == [
            ("rules[0].when", "rule_never_holds"),
            ("rules[0].target", "always_hidden"),
        ]
        assert warnings_of(fields=SCORED, rules=[rule("more", "hide", BIG, LITTLE)]) == [
            ("rules[0].when", "rule_never_holds")
        ]

    def test_rules_that_contradict_each_other(self) -> None:
        rules = [rule("more", "show", BIG), rule("more", "hide", condition("score.value", ">", 4))]
        assert warnings_of(fields=SCORED, rules=rules) == [("rules[0].target", "always_hidden")]

    def test_one_impossible_alternative(self) -> None:
        when = {"any": [BIG, condition("score.value", "contains", "x")]}
        assert warnings_of(fields=SCORED, rules=[{"target": "more", "effect": "show", "when": when}]) == [
            ("rules[0].when.any[1]", "condition_never_holds")
        ]

    def test_in_a_hidden_group(self) -> None:
        assert warnings_of(fields=SCORED, layout=GROUPED, rules=[rule("g", "show", BIG, LITTLE)]) == [
            ("layout[0].children[0]", "in_hidden_group"),
            ("rules[0].when", "rule_never_holds"),
            ("rules[0].target", "always_hidden"),
        ]

    def test_condition_on_a_hidden_field(self) -> None:
        rules = [rule("score", "show", condition("text.value", "isTrue")), rule("more", "show", BIG)]
        codes = warnings_of(fields=SCORED, rules=rules)
        assert ("rules[1].when", "rule_never_holds") in codes
        assert ("rules[1].target", "always_hidden") in codes

    @pytest.mark.parametrize(
        ("field", "condition", "expected"),
        [
            (choice("a", "b"), condition("pick.value", "==", "z"), True),
            (choice("a", "b"), condition("pick.value", "==", "a"), False),
            (choice(), condition("pick.value", "==", "z"), False),
            (choice("a", multiple=True), condition("pick.value[].id", "arrayIncludes", "z"), True),
            (choice("a", multiple=True), condition("pick.value[].label", "arrayIncludes", "z"), False),
        ],
        ids=str,
    )
    def test_unknown_options(self, field: Any, condition: Any, expected: bool) -> None:
        warnings = warnings_of(fields=[text("text"), field], rules=[rule("text", "show", condition)])
        assert (("rules[0].when.all[0].value", "unknown_option_in_rule") in warnings) is expected


def compared(before: list[Any], after: list[Any]) -> tuple[set[str], set[str]]:
    comparison = compare_definitions(compile_definition({"fields": before}), compile_definition({"fields": after}))
    return {change.kind for change in comparison.breaking}, {change.kind for change in comparison.compatible}


LISTED = {"id": "l", "type": "list"}


class TestDifferences:
    @pytest.mark.parametrize(
        ("before", "after", "breaking", "compatible"),
        [
            ([text("a"), text("b")], [text("a")], {"fieldRemoved"}, set()),
            ([text("a")], [text("a"), text("b", required=True)], set(), {"fieldAdded"}),
            ([text("a", path="x")], [text("b", path="x")], {"fieldRenamed"}, {"labelChanged"}),
            ([text("a", label="T")], [text("b", label="T")], {"fieldRenamed", "pathChanged"}, set()),
            ([text("a")], [text("b")], {"fieldRemoved"}, {"fieldAdded"}),
            ([text("a")], [text("a", path="x.y")], {"pathChanged"}, set()),
            ([text("a")], [{"id": "a", "type": "number"}], {"typeChanged"}, set()),
            ([text("a")], [{"id": "a", "type": "date"}], {"typeChanged"}, set()),
            ([text("a")], [{"id": "a", "type": "longText"}], set(), {"typeChanged"}),
            ([text("a")], [text("a", required=True)], {"becameRequired"}, set()),
            ([text("a", required=True)], [text("a")], set(), {"becameOptional"}),
            ([text("a")], [text("a", maxLength=3)], set(), {"settingsChanged"}),
            ([text("a")], [text("a", editable=False)], set(), {"editableChanged"}),
            ([text("a")], [text("a", default="x")], set(), {"defaultChanged"}),
            ([choice("a", "b")], [choice("a")], {"optionRemoved"}, set()),
            ([choice("a")], [choice("a", "b")], set(), {"optionAdded"}),
            ([choice("a")], [choice()], {"optionRemoved"}, set()),
            ([choice()], [choice("a")], set(), {"optionsAdded"}),
            ([choice()], [choice(required=True)], {"becameRequired"}, set()),
            ([choice("a")], [choice("a", multiple=True)], {"typeChanged"}, set()),
            ([choice("a")], [choice("a", type="buttons")], set(), {"typeChanged"}),
            ([{**LISTED, "item": [text("p"), text("q")]}], [{**LISTED, "item": [text("p")]}], {"fieldRemoved"}, set()),
            (
                [{**LISTED, "item": [text("p")]}],
                [{**LISTED, "item": [text("p"), text("q")]}],
                {"typeChanged"},
                {"fieldAdded"},
            ),
        ],
    )
    def test_kinds(self, before: Any, after: Any, breaking: set[str], compatible: set[str]) -> None:
        assert compared(before, after) == (breaking, compatible)

    @settings(max_examples=examples(100))
    @given(drawn=forms_with_data())
    def test_none_between_equal_versions(self, drawn: Any) -> None:
        definition = compile_definition(drawn[0])
        comparison = compare_definitions(definition, compile_definition(definition.to_json()))
        assert (comparison.breaking, comparison.compatible) == ([], [])


class TestPreview:
    async def test_event_equals_the_webhook(self, workspace: Workspace, receiver: Receiver) -> None:
        path = f"/{unique('previewed')}"
        form = await workspace.make_form()
        config = {"fields": {"channel": {"options": [{"id": "own", "label": "Own"}]}}}
        edits = {"draft": {"headline": "Edited"}, "channel": "own", "tags": ["b", "a"], "score": 9}
        review = await workspace.request(form, config=config, webhookUrl=receiver.url + path)
        await workspace.decide(review["reviewId"], data=edits)
        [call] = await receiver.wait_for(path)
        body = {
            "form": definition_of(form),
            "formId": form["formId"],
            "data": DATA,
            "config": config,
            "submitted": {"response": "approved", "data": edits},
        }
        preview = await assert_ok(workspace.owner.post("/forms/preview", json=body))
        assert preview["errors"] == []
        assert preview["title"] == "Autumn news"
        assert preview["configs"] == {"channel": {"options": [{"id": "own", "label": "Own"}]}}
        assert preview["values"]["score"] == 7
        real, shown = call.json, preview["event"]
        assert list(shown) == list(real)
        assert list(shown["reviewResult"]) == list(real["reviewResult"])
        for place in preview["standIns"]:
            for event in (real, shown):
                *way, last = place.split(".")
                for name in way:
                    event = event[name]
                del event[last]
        assert shown == real
        assert preview["responseValues"] == real["reviewResult"]["responseValues"]

    async def test_pending_review(self, workspace: Workspace) -> None:
        form = await assert_ok(
            workspace.manager.post("/forms/preview", json={"form": FORM, "data": {**DATA, "score": 2}})
        )
        assert form["errors"] == []
        assert form["hidden"] == ["channel", "publishing", "tags"]
        assert form["event"]["reviewResult"]["response"] == "approved"
        assert {"formId", "agentId", "reviewResult.respondingUser"} <= set(form["standIns"])
        assert form["event"]["formId"] == "frm_preview"

    async def test_automatic_and_triggers(self, workspace: Workspace) -> None:
        body = {"form": {**FORM, "autoApprove": True}, "data": DATA}
        event = (await assert_ok(workspace.manager.post("/forms/preview", json=body)))["event"]
        assert event["autoApproved"] is True
        assert event["reviewResult"]["respondingUser"] == "auto-approve"
        body = {"form": {**FORM, "trigger": True}, "data": DATA, "submitted": {"data": {"score": 8}}}
        event = (await assert_ok(workspace.manager.post("/forms/preview", json=body)))["event"]
        assert event["event"] == "trigger.submitted"
        assert "response" not in event["reviewResult"]

    @pytest.mark.parametrize(
        ("body", "path", "code"),
        [
            ({"form": {**FORM, "width": "x"}}, "form.width", "unknown_width"),
            ({"form": {}}, "form.name", "missing"),
            ({"form": FORM, "data": {"score": "x"}}, "data.score", "wrong_type"),
            ({"form": FORM, "data": DATA, "config": {"x": 1}}, "config.x", "unknown_member"),
            (
                {"form": FORM, "data": DATA, "submitted": {"response": "approved", "data": {"score": 99}}},
                "submitted.data.score",
                "too_large",
            ),
            ({"form": FORM, "data": DATA, "submitted": {}}, "submitted.response", "missing"),
            (
                {"form": {**FORM, "trigger": True}, "data": DATA, "submitted": {"response": "approved"}},
                "submitted.response",
                "not_allowed",
            ),
        ],
        ids=str,
    )
    async def test_errors_are_in_the_response(
        self, workspace: Workspace, body: dict[str, Any], path: str, code: str
    ) -> None:
        form = await assert_ok(workspace.manager.post("/forms/preview", json=body))
        assert error_at(form, path)["code"] == code
        assert form["event"] is None

    async def test_hostile_depth(self, workspace: Workspace) -> None:
        deep: Any = 1
        for _ in range(230):
            deep = [deep]
        for body in ({"form": FORM, "data": {"x": deep}}, {"form": {**FORM, "x": deep}, "data": {}}):
            problem = await assert_error(workspace.manager.post("/forms/preview", json=body), 422)
            assert problem["errors"][0]["code"] == "too_deep"


class TestVersions:
    async def test_get_one(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}"
        await assert_ok(workspace.manager.patch(place, json={"name": "Second"}))
        first, second = [await assert_ok(workspace.agent.get(f"{place}/versions/{number}")) for number in (1, 2)]
        assert (first["definition"]["name"], first["current"]) == (FORM["name"], False)
        assert (second["definition"]["name"], second["current"]) == ("Second", True)
        for number in ("0", "x", "99999999999", "-1"):
            await assert_error(workspace.agent.get(f"{place}/versions/{number}"), 400, "invalid_query")
        await assert_error(workspace.agent.get(f"{place}/versions/3"), 404, "not_found")
        await assert_error(workspace.agent.get("/forms/frm_x/versions/1"), 404, "not_found")

    async def test_compare(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}"
        fields = [{**form["fields"][0], "label": "Title"}, *form["fields"][2:], text("more")]
        change = {"fields": fields, "layout": None, "rules": [], "name": "Second"}
        change["webhookUrl"] = "https://hooks.example.com/a"
        await assert_ok(workspace.manager.patch(place, json=change))
        comparison = await assert_ok(workspace.agent.get(f"{place}/compare"))
        assert (comparison["fromVersion"], comparison["toVersion"]) == (1, 2)
        assert [(field["fieldId"], field["change"]) for field in comparison["fields"]] == [
            ("body", "removed"),
            ("headline", "changed"),
            ("more", "added"),
        ]
        assert comparison["fields"][1]["before"]["label"] == "Headline"
        assert comparison["fields"][1]["after"]["label"] == "Title"
        assert (comparison["layoutChanged"], comparison["rulesChanged"]) == (True, True)
        assert [member["member"] for member in comparison["members"]] == ["name", "webhookUrl"]
        assert [each["kind"] for each in comparison["breaking"]] == ["fieldRemoved"]
        back = await assert_ok(workspace.agent.get(f"{place}/compare", params={"from": 2, "to": 1}))
        assert [each["change"] for each in back["fields"]] == ["removed", "changed", "added"]
        same = await assert_ok(workspace.agent.get(f"{place}/compare", params={"from": 2, "to": 2}))
        assert (same["fields"], same["members"], same["breaking"], same["compatible"]) == ([], [], [], [])
        await assert_error(workspace.agent.get(f"{place}/compare", params={"to": 9}), 404)
        await assert_error(workspace.agent.get(f"{place}/compare", params={"to": "x"}), 400, "invalid_query")

    async def test_restore(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}"
        await assert_ok(workspace.manager.patch(place, json={**SMALL, "layout": None, "rules": []}))
        restored = await assert_ok(workspace.manager.post(f"{place}/restore", json={"version": 1}))
        assert restored["version"] == 3
        assert definition_of(restored) == definition_of(form)
        again = await assert_ok(workspace.manager.post(f"{place}/restore", json={"version": 1}))
        assert again["version"] == 3, "it is that already"
        [entry, *_] = (await assert_ok(workspace.manager.get("/auditLog", params={"objectId": form["formId"]})))[
            "items"
        ]
        assert entry["action"] == "form.changed"
        assert entry["details"]["restored"] == 1
        for body in ({}, {"version": 0}, {"version": "1"}, {"version": None}):
            await assert_error(workspace.manager.post(f"{place}/restore", json=body), 422, "invalid")
        await assert_error(workspace.manager.post(f"{place}/restore", json={"version": 9}), 404)
        await assert_error(workspace.agent.post(f"{place}/restore", json={"version": 1}), 403)

    async def test_restore_after_agent_and_reviewer_are_gone(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person()
        await client.aclose()
        agent, heir = await workspace.make_agent(), await workspace.make_agent()
        form = await workspace.make_form(agent, defaultReviewers={"users": [person["email"]]})
        place = f"/forms/{form['formId']}"
        change = {"agentId": heir["agentId"], "name": "Second", "defaultReviewers": {}}
        await assert_ok(workspace.manager.patch(place, json=change))
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))
        await assert_ok(workspace.owner.patch(f"/users/{person['userId']}", json={"disabled": True}))
        restored = await assert_ok(workspace.manager.post(f"{place}/restore", json={"version": 1}))
        assert (restored["name"], restored["agentId"]) == (FORM["name"], heir["agentId"])
        await workspace.request(restored)

    async def test_second_of_two_editors(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}"
        person, editor = await workspace.make_person("editor")
        saved = await assert_ok(editor.patch(place, json={"name": "First", "version": 1}))
        problem = await assert_error(
            workspace.owner.patch(place, json={"name": "x", "version": 1}), 409, "version_conflict"
        )
        assert (problem["currentVersion"], problem["version"]) == (2, 2)
        assert problem["savedBy"] == person["email"]
        assert problem["savedAt"] == saved["updatedAt"]
        await editor.aclose()

    async def test_concurrent_editors(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        calls = [
            workspace.manager.patch(f"/forms/{form['formId']}", json={"name": f"n{number}", "version": 1})
            for number in range(6)
        ]
        responses = await asyncio.gather(*calls)
        assert sorted(response.status_code for response in responses) == [200, *[409] * 5]


class TestArchive:
    async def test_archive_and_restore(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        place = f"/forms/{form['formId']}"
        await workspace.manager.delete(place)
        await assert_error(workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": DATA}), 404)
        back = await assert_ok(workspace.manager.post(f"{place}/unarchive"))
        assert back == form
        await workspace.request(form)
        assert await assert_ok(workspace.manager.post(f"{place}/unarchive")) == form
        log = (await assert_ok(workspace.manager.get("/auditLog", params={"objectId": form["formId"]})))["items"]
        assert [entry["action"] for entry in log] == ["form.unarchived", "form.archived", "form.created"]
        await assert_error(workspace.agent.post(f"{place}/unarchive"), 403)
        await assert_error(workspace.manager.post("/forms/frm_x/unarchive"), 404)

    async def test_not_without_its_agent(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        place = f"/forms/{form['formId']}"
        await workspace.manager.delete(place)
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))
        problem = await assert_error(workspace.manager.post(f"{place}/unarchive"), 409, "agent_gone")
        assert problem["agentId"] == agent["agentId"]
        await assert_ok(workspace.manager.patch(place, json={"agentId": (await workspace.make_agent())["agentId"]}))
        await assert_ok(workspace.manager.post(f"{place}/unarchive"))


class TestDuplicate:
    async def test_is_independent(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        response = await workspace.manager.post(f"/forms/{form['formId']}/duplicate", json={})
        assert response.status_code == 201
        copy = response.json()
        assert copy["formId"] != form["formId"]
        assert copy["version"] == 1
        assert definition_of(copy) == {**definition_of(form), "name": f"Copy of {FORM['name']}"}
        named = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/duplicate", json={"name": "Mine"}))
        assert named["name"] == "Mine"

    async def test_long_names(self, workspace: Workspace) -> None:
        form = await workspace.make_form(name="x" * 200)
        copy = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/duplicate", json={}))
        assert len(copy["name"]) == 200

    async def test_without_agent_and_reviewers(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person()
        await client.aclose()
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent, defaultReviewers={"users": [person["email"]]})
        await workspace.manager.delete(f"/forms/{form['formId']}")
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))
        await assert_ok(workspace.owner.patch(f"/users/{person['userId']}", json={"disabled": True}))
        copy = await assert_ok(workspace.manager.post(f"/forms/{form['formId']}/duplicate", json={}))
        assert copy["agentId"] is None
        assert copy["defaultReviewers"]["users"] == []
        await assert_error(workspace.agent.post(f"/forms/{form['formId']}/duplicate", json={}), 403)


class TestFiles:
    async def test_export_and_import(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        person, client = await workspace.make_person()
        await client.aclose()
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("editors")}))
        reviewers = {"users": [person["email"]], "groups": [group["groupId"]], "external": ["out@example.org"]}
        form = await workspace.make_form(agent, defaultReviewers=reviewers, webhookUrl="https://hooks.example.com/x")
        response = await workspace.agent.get(f"/forms/{form['formId']}/export")
        assert response.headers["content-disposition"] == 'attachment; filename="review-ai-draft.signoff.json"'
        document = response.json()
        assert document["signoff"] == "form/1"
        ids = (form["formId"], agent["agentId"], group["groupId"], workspace.account_id)
        assert not [object_id for object_id in ids if object_id in response.text]
        imported = await workspace.manager.post("/forms/import", json={**document, "agentId": agent["agentId"]})
        assert imported.status_code == 201
        assert imported.json()["notes"] == []
        assert definition_of(imported.json()["form"]) == definition_of(form)

    async def test_into_another_account(self, workspace: Workspace, service: Service) -> None:
        other = await open_second_account(service)
        person, client = await workspace.make_person()
        await client.aclose()
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("editors")}))
        reviewers = {"users": [person["email"]], "groups": [group["groupId"]], "external": []}
        form = await workspace.make_form(defaultReviewers=reviewers)
        document = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
        imported = await assert_ok(other.manager.post("/forms/import", json=document))
        assert imported["form"]["agentId"] is None
        assert imported["form"]["defaultReviewers"] == {"users": [], "groups": [], "external": []}
        assert len(imported["notes"]) == 2
        assert person["email"] in imported["notes"][0]
        assert group["name"] in imported["notes"][1]
        await assert_error(other.manager.get(f"/forms/{form['formId']}/export"), 404)
        body = {**document, "agentId": form["agentId"]}
        problem = await assert_error(other.manager.post("/forms/import", json=body), 422)
        assert error_at(problem, "agentId")["code"] == "unknown_agent"

    async def test_hostile_file_names(self, workspace: Workspace) -> None:
        for name, file in (('a"; filename=x\\', "a-filename-x"), ("日本", None), ("../../etc", "etc")):
            form = await workspace.make_form(name=name)
            response = await workspace.manager.get(f"/forms/{form['formId']}/export")
            expected = f'attachment; filename="{file or form["formId"]}.signoff.json"'
            assert response.headers["content-disposition"] == expected

    @pytest.mark.parametrize(
        ("stated", "code"),
        [
            ("form/2", "unsupported_format"),
            ("form/x", "unknown_format"),
            (None, "unknown_format"),
            (1, "unknown_format"),
        ],
    )
    async def test_other_formats(self, workspace: Workspace, stated: Any, code: str) -> None:
        for body in ({**SMALL, "signoff": stated}, {"signoff": stated}, {"signoff": stated, "fields": [{}]}):
            problem = await assert_error(workspace.manager.post("/forms/import", json=body), 422, "invalid")
            assert error_at(problem, "signoff")["code"] == code

    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"fields": [{"id": "a", "type": "x"}]}, "fields[0].type"),
            ({"defaultReviewers": {"users": "x"}}, "defaultReviewers.users"),
            ({"defaultReviewers": {"users": [1]}}, "defaultReviewers.users[0]"),
            ({"defaultReviewers": 3}, "defaultReviewers"),
            ({"formId": "frm_x"}, "formId"),
        ],
        ids=str,
    )
    async def test_errors_in_a_file(self, workspace: Workspace, members: dict[str, Any], path: str) -> None:
        body = {"signoff": "form/1", **SMALL, **members}
        error_at(await assert_error(workspace.manager.post("/forms/import", json=body), 422, "invalid"), path)

    async def test_import_needs_the_edit_permission(self, workspace: Workspace) -> None:
        await assert_error(workspace.agent.post("/forms/import", json={"signoff": "form/1", **SMALL}), 403)

    async def test_round_trip_of_any_definition(self, workspace: Workspace) -> None:
        """Export and import of drawn definitions, in one call each, through the real service."""
        drawn: list[dict[str, Any]] = []

        @settings(max_examples=examples(40), database=None)
        @given(form=forms_with_data())
        def collect(form: Any) -> None:
            assume(fits_in_a_request(form[0]))
            drawn.append(form[0])

        collect()
        for definition in drawn:
            form = await assert_ok(workspace.manager.post("/forms", json={"name": unique("drawn"), **definition}))
            document = await assert_ok(workspace.manager.get(f"/forms/{form['formId']}/export"))
            written = json.loads(json.dumps(document))
            imported = (await assert_ok(workspace.manager.post("/forms/import", json=written)))["form"]
            assert definition_of(imported) == definition_of(form)
