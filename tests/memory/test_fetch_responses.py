"""Past decisions as memory, over HTTP: every parameter, every shape, every error."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from support.api import Workspace, assert_error, assert_ok, error_at, sign_in_workspace
from support.in_process import Service, StartService
from support.second_account import open_second_account

FORM = {
    "fields": [
        {"id": "headline", "type": "text", "path": "draft.headline"},
        {"id": "score", "type": "number"},
        {"id": "urgent", "type": "boolean"},
        {
            "id": "channel",
            "type": "dropdown",
            "options": [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}],
        },
        {
            "id": "tags",
            "type": "checkboxes",
            "options": [{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta"}, {"id": "c", "label": "Gamma"}],
        },
        {"id": "secret", "type": "text"},
    ],
    "layout": None,
    "titleField": None,
    "rules": [
        {
            "target": "secret",
            "effect": "hide",
            "when": {"all": [{"field": "score.value", "operation": "<", "value": 5}]},
        }
    ],
}
BOTH = ("/fetchResponses", "/queryResponses")


@dataclass
class PastResponses:
    """A review type with four decided reviews and a pending one, oldest first."""

    workspace: Workspace
    form_id: str
    reviews: list[str]

    async def fetch(self, *filters: dict[str, Any], path: str = "/fetchResponses", **params: Any) -> Any:
        return (await self.answer(*filters, path=path, **params)).json()

    async def answer(self, *filters: dict[str, Any], path: str = "/fetchResponses", **params: Any) -> Any:
        response = await self.call(*filters, path=path, **params)
        assert response.status_code == 200, response.text
        return response

    async def call(self, *filters: dict[str, Any], path: str = "/fetchResponses", **params: Any) -> Any:
        query = {"formId": self.form_id, "fieldIds": "headline,score", **params}
        if filters:
            query["filterResponseValues"] = json.dumps(filters)
        wanted = {name: value for name, value in query.items() if value is not None}
        return await self.workspace.agent.get(path, params=wanted)

    async def found(self, *filters: dict[str, Any], **params: Any) -> list[int]:
        """The found reviews, by their index in `reviews`, in the order they came."""
        return [self.reviews.index(row["reviewId"]) for row in await self.fetch(*filters, **params)]


@pytest.fixture(scope="module")
async def past(workspace: Workspace) -> PastResponses:
    form = await workspace.make_form(**FORM)
    reviews: list[str] = []
    for headline, score, response, change, meta in (
        (
            "Autumn news",
            7,
            "approved",
            {"draft": {"headline": "Autumn News!"}, "channel": "blog"},
            {"campaign": "fall"},
        ),
        ("Winter news", 3, "approved", {"tags": ["a", "b"]}, None),
        ("Spam", 1, "rejected", {"draft": {"headline": "Spam?"}, "channel": "mail"}, {"campaign": "fall"}),
        ("Spring news", 9.5, "approved", {"urgent": True, "tags": ["b", "c"], "channel": "blog"}, {"campaign": 7}),
        ("Waiting", 5, None, {}, None),
    ):
        data = {"draft": {"headline": headline}, "score": score, "urgent": False, "secret": "x"}
        review = await workspace.request(form, data=data, **({} if meta is None else {"meta": meta}))
        if response is not None:
            await workspace.decide(review["reviewId"], response, data=change)
        reviews.append(review["reviewId"])
    return PastResponses(workspace, form["formId"], reviews)


class TestShapes:
    @pytest.mark.parametrize("path", BOTH)
    async def test_by_review_newest_first(self, past: PastResponses, path: str) -> None:
        rows = await past.fetch(path=path, fieldIds="headline,score")
        assert [past.reviews.index(row["reviewId"]) for row in rows] == [3, 2, 1, 0]
        oldest = rows[3]
        review = await past.workspace.review(past.reviews[0])
        assert oldest == {
            "reviewId": past.reviews[0],
            "createdAt": review["createdAt"],
            "respondedAt": review["reviewResult"]["respondedAt"],
            "response": "approved",
            "fields": {
                "headline": {"suggestedValue": "Autumn news", "approvedValue": "Autumn News!"},
                "score": {"suggestedValue": 7, "approvedValue": 7},
            },
        }

    @pytest.mark.parametrize("path", BOTH)
    async def test_by_field(self, past: PastResponses, path: str) -> None:
        fields = await past.fetch(path=path, fieldIds="score,headline", groupByField="true")
        assert list(fields) == ["score", "headline"]
        assert [entry["suggestedValue"] for entry in fields["headline"]] == [
            "Spring news",
            "Spam",
            "Winter news",
            "Autumn news",
        ]
        assert set(fields["score"][0]) == {
            "reviewId",
            "createdAt",
            "respondedAt",
            "response",
            "suggestedValue",
            "approvedValue",
        }

    @pytest.mark.parametrize("path", BOTH)
    async def test_approved_values_only(self, past: PastResponses, path: str) -> None:
        rows = await past.fetch(path=path, approvedValuesOnly="true")
        assert rows == [
            {"headline": "Spring news", "score": 9.5},
            {"headline": "Winter news", "score": 3},
            {"headline": "Autumn News!", "score": 7},
        ]
        by_field = await past.fetch(path=path, approvedValuesOnly="true", groupByField="true")
        assert by_field == {"headline": ["Spring news", "Winter news", "Autumn News!"], "score": [9.5, 3, 7]}

    @pytest.mark.parametrize("response", ["approved", "rejected"])
    async def test_grouped_values_only_of_reviews_with_the_field(self, workspace: Workspace, response: str) -> None:
        form = await workspace.make_form(**FORM)
        for score in (1, None, 3):
            review = await workspace.request(form, data={"draft": {"headline": "H"}, "score": score})
            await workspace.decide(review["reviewId"], response)
        past = PastResponses(workspace, form["formId"], [])
        only = {f"{response}ValuesOnly": "true"}
        assert await past.fetch(groupByField="true", **only) == {"headline": ["H"] * 3, "score": [3, 1]}
        assert [row["score"] for row in await past.fetch(**only)] == [3, None, 1]

    @pytest.mark.parametrize("path", BOTH)
    async def test_rejected_values_are_the_suggested_values(self, past: PastResponses, path: str) -> None:
        assert await past.fetch(path=path, rejectedValuesOnly="true") == [{"headline": "Spam", "score": 1}]
        by_field = await past.fetch(path=path, rejectedValuesOnly="true", groupByField="true")
        assert by_field == {"headline": ["Spam"], "score": [1]}

    async def test_rejected_reviews_have_no_approved_values(self, past: PastResponses) -> None:
        [row] = await past.fetch(filterResponse="rejected", fieldIds="headline,channel,meta.campaign")
        assert row["fields"] == {
            "headline": {"suggestedValue": "Spam", "approvedValue": None},
            "channel": {"suggestedValue": None, "approvedValue": None},
            "meta.campaign": {"suggestedValue": "fall", "approvedValue": None},
        }

    async def test_choices_and_hidden_fields(self, past: PastResponses) -> None:
        spring, winter, _ = await past.fetch(filterResponse="approved", fieldIds="channel,tags,secret")
        both = [{"id": "b", "label": "Beta"}, {"id": "c", "label": "Gamma"}]
        assert spring["fields"]["channel"] == {"suggestedValue": None, "approvedValue": "blog"}
        assert spring["fields"]["tags"]["approvedValue"] == both
        assert spring["fields"]["secret"] == {"suggestedValue": "x", "approvedValue": "x"}
        assert winter["fields"]["secret"] == {"suggestedValue": "x", "approvedValue": None}  # hidden by the rule

    async def test_meta_with_fields(self, past: PastResponses) -> None:
        rows = await past.fetch(fieldIds="meta.campaign, score ,meta.nothing", approvedValuesOnly="true")
        assert rows == [
            {"meta.campaign": 7, "score": 9.5, "meta.nothing": None},
            {"meta.campaign": None, "score": 3, "meta.nothing": None},
            {"meta.campaign": "fall", "score": 7, "meta.nothing": None},
        ]

    async def test_no_responses_yet(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        nothing = PastResponses(workspace, form["formId"], [])
        assert await nothing.fetch() == []
        assert await nothing.fetch(groupByField="true") == {"headline": [], "score": []}
        assert await nothing.fetch(groupByField="true", approvedValuesOnly="true") == {"headline": [], "score": []}


class TestFilters:
    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            ([("headline.value", "==", "Autumn News!")], [0]),
            ([("headline.value", "equal", "Autumn news")], []),  # the approved value counts, not the suggested one
            ([("headline.wasEdited", "isTrue", None)], [2, 0]),
            ([("headline.wasEdited", "isFalse", None)], [3, 1]),
            ([("score.value", ">=", 7)], [3, 0]),
            ([("score.value", "greaterThan", 7)], [3]),
            ([("score.value", "==", 9.5)], [3]),
            ([("score.value", "!=", 7)], [3, 2, 1]),
            ([("headline.value", "contains", "news")], [3, 1]),
            ([("headline.value", "startsWith", "Sp")], [3, 2]),
            ([("headline.value", "endsWith", "!")], [0]),
            ([("urgent.value", "isTrue", None)], [3]),
            ([("urgent.value", "==", False)], [2, 1, 0]),
            ([("channel.value", "==", "blog")], [3, 0]),
            ([("tags.value[].id", "arrayIncludes", "b")], [3, 1]),
            ([("tags.value[].label", "==", "Gamma")], [3]),
            ([("tags.value[].label", "startsWith", "Alp")], [1]),
            ([("tags.value[].id", "arrayNotIncludes", "b")], [2, 0]),
            ([("tags.value[].id", "arrayExcludes", "b")], [2, 0]),
            ([("tags.value", "arrayIsEmpty", None)], [2, 0]),
            ([("tags.value", "arrayIsNotEmpty", None)], [3, 1]),
            ([("secret.value", "!=", "y")], [3, 2, 1, 0]),  # a missing path isn't equal to anything
            ([("secret.value", "==", "x")], [3, 0]),
            ([("nowhere.value", "==", "x")], []),
            ([("nowhere.value", "!=", "x")], [3, 2, 1, 0]),
            ([("channel.value", "==", "blog"), ("tags.value[].id", "==", "b")], [3]),
            ([("channel.value", "==", "blog"), ("score.value", "<", 9)], [0]),
            ([("channel.value", "==", "blog"), ("channel.value", "==", "mail")], []),
            ([], [3, 2, 1, 0]),
        ],
    )
    async def test_filters_are_combined_with_and(
        self, past: PastResponses, filters: list[tuple[str, str, Any]], expected: list[int]
    ) -> None:
        written = [
            {"field": field, "operation": operation, **({} if value is None else {"value": value})}
            for field, operation, value in filters
        ]
        rows = await past.fetch(filterResponseValues=json.dumps(written))
        assert [past.reviews.index(row["reviewId"]) for row in rows] == expected

    async def test_with_the_response(self, past: PastResponses) -> None:
        edited = {"field": "headline.wasEdited", "operation": "isTrue"}
        assert await past.found(edited, filterResponse="approved") == [0]
        assert await past.found(edited, filterResponse="rejected") == [2]
        assert await past.fetch(edited, rejectedValuesOnly="true", fieldIds="score") == [{"score": 1}]

    async def test_limit_counts_matches(self, past: PastResponses) -> None:
        assert await past.found({"field": "channel.value", "operation": "==", "value": "blog"}, limit=1) == [3]
        assert await past.found({"field": "score.value", "operation": "<", "value": 9}, limit=2) == [2, 1]

    async def test_values_are_never_sql(self, past: PastResponses) -> None:
        for hostile in ("' or true --", "\\', '1", "$1", "%s", "{}", '"', "x'::jsonb"):
            for operation in ("==", "contains", ">", "arrayIncludes"):
                filters = {"field": "headline.value", "operation": operation, "value": hostile}
                assert await past.found(filters) in ([], [3, 2, 1, 0])
            strange = {"field": "tags.value[].id", "operation": "==", "value": hostile}
            assert await past.found(strange) == []

    async def test_deleted_reviews_are_not_returned(self, workspace: Workspace) -> None:
        form = await workspace.make_form(**FORM)
        review = await workspace.request(form, data={"draft": {"headline": "Gone"}, "score": 1})
        await workspace.decide(review["reviewId"])
        there = PastResponses(workspace, form["formId"], [review["reviewId"]])
        gone = {"field": "headline.value", "operation": "==", "value": "Gone"}
        assert await there.found(gone) == [0]
        await assert_ok(workspace.agent.delete(f"/reviews/{review['reviewId']}"))
        assert await there.found(gone) == []
        assert await there.found() == []


class TestLimit:
    @pytest.mark.parametrize("path", BOTH)
    async def test_newest_first_up_to_the_limit(self, past: PastResponses, path: str) -> None:
        rows = await past.fetch(path=path, limit=2)
        assert [row["reviewId"] for row in rows] == [past.reviews[3], past.reviews[2]]

    @pytest.mark.parametrize("path", BOTH)
    @pytest.mark.parametrize("limit", ["0", "-1", "501", "many", "", "1.5", "1e2", "null", "9" * 40])
    async def test_invalid_limit(self, past: PastResponses, path: str, limit: str) -> None:
        problem = await assert_error(past.call(path=path, limit=limit), 400, "invalid_query")
        assert error_at(problem, "limit")

    @pytest.mark.parametrize("path", BOTH)
    async def test_default_is_twenty(self, workspace: Workspace, path: str) -> None:
        form = await workspace.make_form(autoApprove=True)
        await asyncio.gather(*(workspace.request(form) for _ in range(21)))
        auto = PastResponses(workspace, form["formId"], [])
        assert len(await auto.fetch(path=path)) == 20
        whole = await auto.answer(path=path, limit=500)
        assert len(whole.json()) == 21
        assert "x-limit-applied" not in whole.headers

    async def test_limit_of_the_plan(self, service: Service) -> None:
        other = await open_second_account(service)
        form = await other.make_form(autoApprove=True)
        for _ in range(3):
            await other.request(form)
        for plan, ceiling in (("free", 20), ("starter", 50), ("team", 100), ("business", 500), ("self-hosted", 500)):
            await assert_ok(other.owner.patch("/account", json={"plan": plan}))
            for path in BOTH:
                params = {"formId": form["formId"], "fieldIds": "score"}
                # By a user: the plans' rate limits are for keys.
                within = await other.owner.get(path, params={**params, "limit": ceiling})
                beyond = await other.owner.get(path, params={**params, "limit": min(ceiling + 1, 500)})
                assert len(within.json()) == len(beyond.json()) == 3
                assert "x-limit-applied" not in within.headers
                assert beyond.headers.get("x-limit-applied") == (None if ceiling == 500 else str(ceiling))


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "not_json"),
            ("[", "not_json"),
            ("field==1", "not_json"),
            ("[NaN]", "not_json"),
            ("{}", "not_an_array"),
            ("null", "not_an_array"),
            ('"[]"', "not_an_array"),
        ],
    )
    async def test_invalid_filters(self, past: PastResponses, text: str, code: str) -> None:
        problem = await assert_error(past.call(filterResponseValues=text), 400, "invalid_query")
        assert error_at(problem, "filterResponseValues")["code"] == code
        assert problem["detail"].startswith("filterResponseValues")

    @pytest.mark.parametrize(
        ("raw", "member", "code"),
        [
            (1, "", "wrong_type"),
            (None, "", "wrong_type"),
            ([], "", "wrong_type"),
            ({}, ".field", "bad_path"),
            ({"field": "a.value"}, ".operation", "unknown_operation"),
            ({"field": "a.value", "operation": "like", "value": 1}, ".operation", "unknown_operation"),
            ({"field": "a.value", "operation": "EQUAL", "value": 1}, ".operation", "unknown_operation"),
            ({"field": "a.value", "operation": 1, "value": 1}, ".operation", "unknown_operation"),
            ({"field": "a.value", "operation": "=="}, ".value", "value_required"),
            ({"field": "a.value", "operation": "==", "value": None}, ".value", "value_required"),
            ({"field": "a.value", "operation": "==", "value": [1]}, ".value", "wrong_type"),
            ({"field": "a.value", "operation": "==", "value": {}}, ".value", "wrong_type"),
            ({"field": "a.value", "operation": "contains", "value": 1}, ".value", "wrong_type"),
            ({"field": "a.value", "operation": ">", "value": True}, ".value", "wrong_type"),
            ({"field": "a", "operation": "isTrue"}, ".field", "bad_path"),
            ({"field": "a.values", "operation": "isTrue"}, ".field", "bad_path"),
            ({"field": "a.value.id", "operation": "isTrue"}, ".field", "bad_path"),
            ({"field": "a.value[0].id", "operation": "isTrue"}, ".field", "bad_path"),
            ({"field": "a.value[].", "operation": "isTrue"}, ".field", "bad_path"),
            ({"field": "", "operation": "isTrue"}, ".field", "bad_path"),
            ({"field": 1, "operation": "isTrue"}, ".field", "bad_path"),
            ({"field": "a.value", "operation": "isTrue", "negate": True}, ".negate", "unknown_member"),
        ],
    )
    async def test_invalid_filter(self, past: PastResponses, raw: Any, member: str, code: str) -> None:
        good = {"field": "score.value", "operation": ">", "value": 1}
        for place, filters in enumerate([[raw], [good, raw]]):
            path = f"filterResponseValues[{place}]{member}"
            problem = await assert_error(past.call(filterResponseValues=json.dumps(filters)), 400, "invalid_query")
            assert error_at(problem, path)["code"] == code
            assert problem["detail"].startswith(path)

    async def test_reports_all_errors(self, past: PastResponses) -> None:
        text = '[{"field": "a", "operation": "like"}, {"field": "b.value", "operation": ">"}]'
        problem = await assert_error(past.call(filterResponseValues=text), 400)
        assert [error["path"] for error in problem["errors"]] == [
            "filterResponseValues[0].field",
            "filterResponseValues[0].operation",
            "filterResponseValues[1].value",
        ]

    async def test_too_many_filters(self, past: PastResponses) -> None:
        one = {"field": "score.value", "operation": ">", "value": 1}
        assert await past.found(*[one] * 50) == [3, 1, 0]
        problem = await assert_error(past.call(*[one] * 51), 400)
        assert error_at(problem, "filterResponseValues")["code"] == "too_many"

    async def test_nul_in_a_value(self, past: PastResponses) -> None:
        await assert_error(past.call({"field": "score.value", "operation": "==", "value": "\x00"}), 400)
        await assert_error(past.call({"field": "score.value", "operation": "contains", "value": "\x00"}), 400)

    @pytest.mark.parametrize("path", BOTH)
    @pytest.mark.parametrize(
        ("params", "where"),
        [
            ({"formId": None}, "formId"),
            ({"formId": ""}, "formId"),
            ({"fieldIds": None}, "fieldIds"),
            ({"fieldIds": ""}, "fieldIds"),
            ({"fieldIds": " , ,"}, "fieldIds"),
            ({"fieldIds": "headline,nowhere"}, "fieldIds"),
            ({"fieldIds": "meta."}, "fieldIds"),
            ({"fieldIds": "meta"}, "fieldIds"),
            ({"filterResponse": "pending"}, "filterResponse"),
            ({"filterResponse": "Approved"}, "filterResponse"),
            ({"filterResponse": ""}, "filterResponse"),
            ({"groupByField": "maybe"}, "groupByField"),
            ({"approvedValuesOnly": "2"}, "approvedValuesOnly"),
            ({"approvedValuesOnly": "true", "rejectedValuesOnly": "true"}, "rejectedValuesOnly"),
            ({"approvedValuesOnly": "true", "filterResponse": "rejected"}, "filterResponse"),
        ],
    )
    async def test_invalid_parameter(self, past: PastResponses, path: str, params: dict[str, Any], where: str) -> None:
        assert error_at(await assert_error(past.call(path=path, **params), 400, "invalid_query"), where)

    @pytest.mark.parametrize("path", BOTH)
    async def test_unknown_and_other_accounts_review_type(
        self, past: PastResponses, service: Service, path: str
    ) -> None:
        unknown = await assert_error(past.call(path=path, formId="frm_none"), 404)
        other = PastResponses(await open_second_account(service), past.form_id, [])
        theirs = await assert_error(other.call(path=path), 404)
        assert theirs["detail"] == unknown["detail"].replace("frm_none", past.form_id)

    @pytest.mark.parametrize("path", BOTH)
    async def test_permissions(self, past: PastResponses, path: str) -> None:
        workspace = past.workspace
        params = {"formId": past.form_id, "fieldIds": "score"}
        await assert_error(workspace.public.get(path, params=params), 401)
        _, viewer = await workspace.make_person("viewer")
        assert len(await assert_ok(viewer.get(path, params=params))) == 4
        key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "writer", "scopes": ["reviews:write"]}))
        writer = workspace.client(**{"x-api-key": key["apiKey"]})
        await assert_error(writer.get(path, params=params), 403)


class TestEarlierVariant:
    async def test_it_is_deprecated(self, past: PastResponses) -> None:
        response = await past.answer(path="/queryResponses")
        assert response.headers["deprecation"].startswith("@")
        assert "successor-version" in response.headers["link"]
        assert "deprecation" not in (await past.answer()).headers
        document = await assert_ok(past.workspace.public.get("/openapi.json"))
        assert document["paths"]["/queryResponses"]["get"]["deprecated"] is True

    async def test_it_has_no_filters_by_value(self, past: PastResponses) -> None:
        problem = await assert_error(past.call(path="/queryResponses", filterResponseValues="[]"), 400)
        assert error_at(problem, "filterResponseValues")


class TestVersions:
    async def test_fields_of_earlier_versions_and_other_types(self, workspace: Workspace) -> None:
        form = await workspace.make_form(
            fields=[{"id": "note", "type": "text"}], rules=[], layout=None, titleField=None, autoApprove=True
        )
        await workspace.request(form, data={"note": "first"})
        fields = [{"id": "mark", "type": "number"}]
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": fields}))
        await workspace.request(form, data={"mark": 2})
        past = PastResponses(workspace, form["formId"], [])
        rows = await past.fetch(fieldIds="note,mark", approvedValuesOnly="true")
        assert rows == [{"note": None, "mark": 2}, {"note": "first", "mark": None}]

    async def test_archived_review_type(self, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        await workspace.request(form)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        assert len(await PastResponses(workspace, form["formId"], []).fetch()) == 1


@pytest.fixture(scope="module")
async def limited(start_service: StartService) -> AsyncIterator[PastResponses]:
    async with start_service(memory_scan_rows=200) as service:
        workspace = await sign_in_workspace(service)
        form = await workspace.make_form(autoApprove=True)
        first = await workspace.request(form, data={"draft": {"headline": "needle"}, "score": 9})
        await asyncio.gather(*(workspace.request(form) for _ in range(250)))
        yield PastResponses(workspace, form["formId"], [first["reviewId"]])


class TestScanLimit:
    async def test_unindexed_search_stops_at_the_limit_and_says_so(self, limited: PastResponses) -> None:
        response = await limited.answer({"field": "headline.value", "operation": "contains", "value": "needle"})
        assert response.json() == []
        assert response.headers["x-scan-limited"] == "200"

    async def test_no_notice_if_enough_was_found(self, limited: PastResponses) -> None:
        response = await limited.answer({"field": "headline.value", "operation": "contains", "value": "Autumn"})
        assert len(response.json()) == 20
        assert "x-scan-limited" not in response.headers

    async def test_indexed_search_has_no_limit(self, limited: PastResponses) -> None:
        for value in ({"field": "headline.value", "value": "needle"}, {"field": "score.value", "value": 9}):
            response = await limited.answer({**value, "operation": "=="})
            assert [row["reviewId"] for row in response.json()] == limited.reviews
            assert "x-scan-limited" not in response.headers
        together = await limited.answer(
            {"field": "headline.value", "operation": "==", "value": "needle"},
            {"field": "score.value", "operation": ">", "value": 8},
            filterResponse="approved",
        )
        assert [row["reviewId"] for row in together.json()] == limited.reviews
        assert "x-scan-limited" not in together.headers
