"""Unknown query parameters: rejected by name, except for the endpoints that the interface exempts."""

import pytest
from support.api import Workspace, assert_error, assert_ok, unique

from signoff.platform.errors import MAX_REPORTED_ERRORS

INTERFACE = ("/authCheck", "/fetchReviewForms")


class TestResources:
    @pytest.mark.parametrize(
        "path", ["/reviews", "/agents", "/forms", "/sessions", "/users", "/groups", "/apiKeys", "/webhooks/deliveries"]
    )
    async def test_error_names_an_unknown_one(self, workspace: Workspace, path: str) -> None:
        problem = await assert_error(
            workspace.owner.get(path, params={"pageSize": "5", "limit": "5"}), 400, "invalid_query"
        )
        assert [(error["path"], error["code"]) for error in problem["errors"]] == [("pageSize", "unknown_parameter")]
        assert "pageSize" in problem["detail"]
        await assert_ok(workspace.owner.get(path, params={"limit": "5"}))

    async def test_error_names_each_once(self, workspace: Workspace) -> None:
        problem = await assert_error(workspace.owner.get("/reviews?b=1&a=2&b=3&status=pending"), 400)
        assert [error["path"] for error in problem["errors"]] == ["b", "a", "status"]
        assert "state" in problem["errors"][2]["message"], "it says which there are"

    async def test_error_names_the_first_and_counts_the_rest(self, workspace: Workspace) -> None:
        many = "&".join(f"p{number}=1" for number in range(3000))
        problem = await assert_error(workspace.public.get(f"/auth/methods?{many}"), 400)
        assert len(problem["errors"]) == MAX_REPORTED_ERRORS
        assert problem["detail"].endswith(" (and 2,999 more).")

    async def test_also_on_routes_without_parameters(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        await assert_error(workspace.manager.patch(f"/forms/{form['formId']}?dryRun=true", json={"name": "Other"}), 400)
        assert (await assert_ok(workspace.manager.get(f"/forms/{form['formId']}")))["name"] == form["name"]

    async def test_long_names_are_truncated(self, workspace: Workspace) -> None:
        problem = await assert_error(workspace.owner.get("/reviews", params={"x" * 5000: "1"}), 400)
        assert len(problem["errors"][0]["path"]) <= 100


class TestClientRoutes:
    """Its clients send more parameters than it names."""

    @pytest.mark.parametrize("path", INTERFACE)
    async def test_helper_routes_ignore_unknown_ones(self, workspace: Workspace, path: str) -> None:
        await assert_ok(workspace.agent.get(path, params={"origin": "zapier"}))

    async def test_review_and_response_routes_ignore_unknown_ones(self, workspace: Workspace) -> None:
        form = await workspace.make_form(webhookUrl="https://example.com/hook")
        more = {"origin": "zapier", "millis": "1"}
        body = {"formId": form["formId"], "data": {"draft": {"headline": unique("title")}}}
        asked = await assert_ok(workspace.agent.post("/requestReview", params=more, json=body))
        review = await workspace.decide(asked["reviewId"])
        await assert_ok(workspace.agent.get(f"/reviews/{asked['reviewId']}", params=more))
        await assert_ok(workspace.agent.get(f"/webhooks/deliveries/{review['webhookDeliveryId']}", params=more))
        await assert_ok(workspace.agent.get("/fetchSchemaForFormFields", params={"formId": form["formId"], **more}))
        for path in ("/fetchResponses", "/queryResponses"):
            wanted = {"formId": form["formId"], "fieldIds": "headline", **more}
            await assert_ok(workspace.agent.get(path, params=wanted))
        call = workspace.agent.request("DELETE", "/deleteReview", params=more, json={"reviewId": asked["reviewId"]})
        await assert_ok(call)
