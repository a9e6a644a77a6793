"""What a review is found by, as soon as the request is answered."""

import asyncio
from typing import Any

import pytest
from support.api import Workspace, assert_ok, unique

from signoff.reviews.search_words import MAX_LENGTH, search_words


async def found(workspace: Workspace, word: str) -> set[str]:
    page = await assert_ok(workspace.agent.get("/reviews", params={"q": word}))
    return {row["reviewId"] for row in page["items"]}


async def test_each_review_keeps_its_own_words(workspace: Workspace) -> None:
    """Simultaneous requests share a statement."""
    form = await workspace.make_form()
    # The ending keeps them apart: a search finds words that start with its last word.
    words = [unique("word").replace("-", "") + "x" for _ in range(20)]
    reviews = await asyncio.gather(*(workspace.request(form, title=word) for word in words))
    for word, review in zip(words, reviews, strict=True):
        assert await found(workspace, word) == {review["reviewId"]}


async def test_huge_text(workspace: Workspace) -> None:
    form = await workspace.make_form()
    first, last = unique("first").replace("-", "") + "x", unique("last").replace("-", "") + "x"
    text = " ".join([first, *(f"word{number}" for number in range(30_000)), last])
    assert len(text) > 2 * MAX_LENGTH
    review = await workspace.request(form, data={"draft": {"headline": "News"}, "body": text})
    assert await found(workspace, first) == {review["reviewId"]}
    assert await found(workspace, last) == set()


LONG = "word " * 500


@pytest.mark.parametrize(
    ("title", "data", "words"),
    [
        (None, {}, ""),
        ("News", {"b": ["one", {"c": "two"}], "a": "three"}, "News one two three"),
        (None, {"number": 1, "flag": True, "nothing": None, "empty": [], "text": "yes"}, " yes"),
        (None, {"url": "https://example.com/a", "file": "data:image/png;base64,AA", "note": "http"}, " http"),
        (None, {"encoded": "x" * 2000, "long": LONG}, f" {LONG}"),
    ],
)
def test_words(title: str | None, data: Any, words: str) -> None:
    assert search_words(title, data) == words
