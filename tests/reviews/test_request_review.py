from support.api import DATA, Workspace, ok


class TestRequestReview:
    async def test_answer_names_review_session_and_link(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        answer = await ok(workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": DATA}))
        assert set(answer) == {"reviewId", "sessionId", "svcLink"}
        review = await workspace.review(answer["reviewId"])
        assert review["data"] == DATA
        assert review["state"] == "pending"
        assert "reviewResult" not in review
