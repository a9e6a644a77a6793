"""The reason of a decision: with the result, in the event, and nowhere else."""

from typing import Any

import pytest
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver


async def pending(workspace: Workspace, **members: Any) -> str:
    return (await workspace.request(await workspace.make_form(), **members))["reviewId"]


class TestReason:
    async def test_in_the_result_and_in_the_event(self, workspace: Workspace, receiver: Receiver) -> None:
        hook = "/" + unique("reason")
        review_id = await pending(workspace, webhookUrl=receiver.url + hook)
        decided = await workspace.decide(review_id, "rejected", reason="  Not our tone.\nSorry. ")
        assert decided["reviewResult"]["reason"] == "Not our tone.\nSorry."
        assert (await workspace.review(review_id))["reviewResult"]["reason"] == "Not our tone.\nSorry."
        [call] = await receiver.wait_for(hook)
        assert call.json["reviewResult"]["reason"] == "Not our tone.\nSorry."
        history = await assert_ok(workspace.owner.get(f"/reviews/{review_id}/history"))
        assert "tone" not in str(history)

    @pytest.mark.parametrize("members", [{}, {"reason": None}])
    async def test_none(self, workspace: Workspace, receiver: Receiver, members: dict[str, None]) -> None:
        hook = "/" + unique("no-reason")
        review_id = await pending(workspace, webhookUrl=receiver.url + hook)
        assert "reason" not in (await workspace.decide(review_id, **members))["reviewResult"]
        [call] = await receiver.wait_for(hook)
        assert "reason" not in call.json["reviewResult"]

    @pytest.mark.parametrize("reason", ["", "  \n ", "x" * 10_001, 7, ["x"], False])
    async def test_errors(self, workspace: Workspace, reason: Any) -> None:
        review_id = await pending(workspace)
        call = workspace.owner.post(f"/reviews/{review_id}/response", json={"response": "approved", "reason": reason})
        error_at(await assert_error(call, 422), "reason")
        assert (await workspace.review(review_id))["state"] == "pending"

    async def test_maximum_length(self, workspace: Workspace) -> None:
        review_id = await pending(workspace)
        reason = "ä" * 10_000
        assert (await workspace.decide(review_id, reason=f" {reason}\n"))["reviewResult"]["reason"] == reason
