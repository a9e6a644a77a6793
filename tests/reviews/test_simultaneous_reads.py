"""Simultaneous decisions read their reviews together, and none gets another's."""

import asyncio

from support.api import Workspace, unique


async def test_each_decision_is_about_its_own_review(workspace: Workspace, other_workspace: Workspace) -> None:
    form, other_form = await workspace.make_form(), await other_workspace.make_form()
    titles = [unique("title") for _ in range(12)]
    reviews = [await workspace.request(form, data={"draft": {"headline": title}, "body": title}) for title in titles]
    theirs = await other_workspace.request(other_form)
    answers = await asyncio.gather(
        *(
            workspace.owner.post(f"/reviews/{review_id}/response", json={"response": response})
            for review_id, response in [
                *((review["reviewId"], "approved") for review in reviews),
                (reviews[0]["reviewId"], "rejected"),
                (theirs["reviewId"], "approved"),
                ("rev_unknown", "approved"),
            ]
        )
    )
    first, *others = answers[: len(titles)]
    second, stranger, unknown = answers[len(titles) :]
    assert sorted([first.status_code, second.status_code]) == [200, 409]
    assert [answer.json()["reviewResult"]["data"]["body"] for answer in others] == titles[1:]
    assert [answer.status_code for answer in (stranger, unknown)] == [404, 404]
    assert (await other_workspace.review(theirs["reviewId"]))["state"] == "pending"
