"""`GET /reviews/{reviewId}?wait=` responds as soon as anything about the review changes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok
from support.in_process import Service
from time_travel import is_waited_for

LONG = 60


async def wait_until_polling(service: Service, workspace: Workspace, review_id: str) -> asyncio.Task[httpx.Response]:
    """Waits until a call polls the review."""
    call = asyncio.create_task(workspace.agent.get(f"/reviews/{review_id}", params={"wait": LONG}))
    await is_waited_for(service, review_id)
    assert not call.done()
    return call


async def retry(workspace: Workspace, review_id: str) -> None:
    await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."}))


async def update(workspace: Workspace, review_id: str) -> None:
    review = await workspace.review(review_id)
    await workspace.request({"formId": review["formId"]}, updateForReviewId=review_id)


async def decide(workspace: Workspace, review_id: str) -> None:
    await workspace.decide(review_id)


async def take(workspace: Workspace, review_id: str) -> None:
    await assert_ok(workspace.owner.post(f"/reviews/{review_id}/take"))


Change = Callable[[Workspace, str], Awaitable[None]]


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (retry, lambda review: review["retryRequested"]["instructions"] == "Shorter."),
        (update, lambda review: review["revision"] == 2),
        (decide, lambda review: review["state"] == "responded"),
        (take, lambda review: "takenBy" in review),
    ],
    ids=["retry", "update", "decision", "taken"],
)
async def test_change_ends_the_poll(
    service: Service, workspace: Workspace, change: Change, shown: Callable[[dict[str, Any]], bool]
) -> None:
    created_review = await workspace.request(await workspace.make_form())
    call = await wait_until_polling(service, workspace, created_review["reviewId"])
    await change(workspace, created_review["reviewId"])
    review = await assert_ok(asyncio.wait_for(call, LONG / 3))
    assert shown(review)


async def test_deletion_ends_the_poll(service: Service, workspace: Workspace) -> None:
    review = await workspace.request(await workspace.make_form())
    call = await wait_until_polling(service, workspace, review["reviewId"])
    await assert_ok(workspace.agent.delete(f"/reviews/{review['reviewId']}"))
    await assert_error(asyncio.wait_for(call, LONG / 3), 404, "not_found")


async def test_no_change(workspace: Workspace) -> None:
    created_review = await workspace.request(await workspace.make_form())
    review = await assert_ok(workspace.agent.get(f"/reviews/{created_review['reviewId']}", params={"wait": 0.3}))
    assert review["state"] == "pending"
