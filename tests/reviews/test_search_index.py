"""The search index is written for many reviews at once, and none gets another's words."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.api import Workspace, assert_ok, unique
from support.in_process import Service

from signoff.platform.db import Database
from signoff.reviews.jobs import MAX_INDEXED_AT_ONCE, index_reviews


@pytest.fixture
async def db(service: Service) -> AsyncIterator[Database]:
    db = await Database.connect(service.dsn(), size=4)
    yield db
    await db.close()


async def request(workspace: Workspace, form: dict[str, Any], body: str, **more: Any) -> str:
    data = {"draft": {"headline": "News"}, "body": body, **more}
    answer = await assert_ok(workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": data}))
    return answer["reviewId"]


async def found(workspace: Workspace, word: str) -> set[str]:
    page = await assert_ok(workspace.agent.get("/reviews", params={"q": word}))
    return {row["reviewId"] for row in page["items"]}


async def forget(db: Database, review_ids: list[str]) -> None:
    await db.execute("delete from review_search where review_id = any($1)", review_ids)


def subject(workspace: Workspace, review_id: str) -> str:
    return f"{workspace.account_id}/{review_id}"


async def test_each_review_keeps_its_own_words(workspace: Workspace, db: Database) -> None:
    form = await workspace.make_form()
    # The ending keeps them apart: a search finds words that start with its last word.
    words = [unique("word").replace("-", "") + "x" for _ in range(MAX_INDEXED_AT_ONCE + 2)]
    ids = [await request(workspace, form, word) for word in words]
    await forget(db, ids)
    gone, stranger = f"{workspace.account_id}/rev_gone", f"acc_other/{ids[0]}"
    subjects = [*(subject(workspace, each) for each in ids), gone, stranger, subject(workspace, ids[0])]
    assert await index_reviews(db, subjects) == [None] * len(subjects)
    for word, review_id in zip(words, ids, strict=True):
        assert await found(workspace, word) == {review_id}
    assert await db.fetchval("select count(*) from review_search where account_id = 'acc_other'") == 0


async def test_same_reviews_in_many_batches_at_once(workspace: Workspace, db: Database) -> None:
    form = await workspace.make_form()
    word = unique("word").replace("-", "")
    ids = [await request(workspace, form, word) for _ in range(6)]
    await forget(db, ids)
    subjects = [subject(workspace, each) for each in ids]
    await asyncio.gather(*(index_reviews(db, subjects[::step]) for step in (1, -1, 1, -1)))
    assert await found(workspace, word) == set(ids)


async def test_empty_batch(db: Database) -> None:
    assert await index_reviews(db, []) == []
