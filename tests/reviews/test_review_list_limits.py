"""Lists with so many reviews that they are scanned in portions: however a page is found, there are no gaps."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.api import Workspace, assert_ok
from support.in_process import Service
from support.second_account import open_second_account

from signoff.platform.db import Database
from signoff.reviews import review_list
from signoff.reviews.filters import PHASES, ResolvedFilters

STORED = 13_000
FILL = """
    with made as (
        select n, 'rev_' || lpad(to_hex(n), 28, '0') as review_id from generate_series(1, $5::integer) n
    ), reviews as (
        insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, state)
        select $1, review_id, case when n % 1000 = 1 then $2 else $3 end, $4, 1, 'Many', 'ses', 'pending' from made
    )
    insert into review_search (account_id, review_id, document)
    select $1, review_id, to_tsvector('simple', concat_ws(' ', 'everywhere',
        case when n % 2000 = 7 then 'seldom' end, case when n <= 60 then 'ancient' end)) from made
"""


@pytest.fixture(scope="module")
async def crowded(service: Service) -> AsyncIterator[tuple[Workspace, dict[str, str], Database]]:
    """An account with many reviews of one review type: nearly all of one agent, a few of another.

    They came all at once, so that the database still assumes that the account has no reviews.
    """
    workspace = await open_second_account(service)
    rare, common = await workspace.make_agent(), await workspace.make_agent()
    form = await assert_ok(
        workspace.manager.post("/forms", json={"name": "Any", "fields": [{"id": "a", "type": "text"}]})
    )
    known = {"rare": rare["agentId"], "common": common["agentId"], "form": form["formId"]}
    db = await Database.connect(service.dsn(), size=2)
    small = await open_second_account(service)
    form = await small.make_form()
    await db.execute(FILL, small.account_id, form["agentId"], form["agentId"], form["formId"], 100)
    await db.execute("analyze reviews, review_search")
    await db.execute(FILL, workspace.account_id, known["rare"], known["common"], known["form"], STORED)
    yield workspace, known, db
    await db.close()


def review_ids(numbers: Any) -> list[str]:
    return [f"rev_{number:028x}" for number in numbers]


async def read_all(workspace: Workspace, most_pages: int = 400, **params: Any) -> list[str]:
    seen: list[str] = []
    cursor: str | None = ""
    for _ in range(most_pages):
        page = await assert_ok(workspace.agent.get("/reviews", params={**params, "cursor": cursor}))
        assert len(page["items"]) <= params["limit"]
        seen += [row["reviewId"] for row in page["items"]]
        cursor = page["nextCursor"]
        if cursor is None:
            return seen
    raise AssertionError("no end")


class TestPages:
    @pytest.mark.parametrize("order", ["newest", "oldest"])
    @pytest.mark.parametrize("limit", [3, 50])
    async def test_have_no_gaps(self, crowded: Any, order: str, limit: int) -> None:
        workspace, known, _ = crowded
        everyone = range(1, STORED + 1)
        expected = {
            "rare": ({"formId": known["form"], "agentId": known["rare"]}, [n for n in everyone if n % 1000 == 1]),
            "seldom": ({"q": "seldom"}, [n for n in everyone if n % 2000 == 7]),
            "begun": ({"q": "seld", "state": "pending"}, [n for n in everyone if n % 2000 == 7]),
            "ancient": ({"q": "ancient"}, range(1, 61)),
            "two words": ({"q": "ancient every"}, range(1, 61)),
            "one of two": ({"q": "ancient or seldom"}, [n for n in everyone if n % 2000 == 7 or n <= 60]),
            "no word first": ({"q": "!! anci"}, range(1, 61)),
            "not this": ({"q": "everywhere ancient -seldom"}, [n for n in range(1, 61) if n != 7]),
            "nowhere": ({"q": "nowhere"}, []),
            "words and a rare filter": ({"q": "every", "formId": known["form"], "agentId": known["rare"]}, None),
        }
        for name, (params, numbers) in expected.items():
            wanted = review_ids(numbers if numbers is not None else [n for n in everyone if n % 1000 == 1])
            seen = await read_all(workspace, order=order, limit=limit, **params)
            assert seen == (wanted if order == "oldest" else wanted[::-1]), name

    async def test_a_common_word_is_paged_through(self, crowded: Any) -> None:
        workspace, _, _ = crowded
        seen = await read_all(workspace, q="everywhere", limit=200)
        assert seen == review_ids(range(STORED, 0, -1))

    async def test_when_the_index_takes_too_long(self, crowded: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """Then a page may be short, and its cursor continues."""
        workspace, _, db = crowded

        async def too_long(*_: Any) -> None:
            return None

        monkeypatch.setattr(review_list, "_query_index", too_long)
        everything = ResolvedFilters(PHASES, None, None, None, None, None, (), None, False, "ancient", False)
        seen: list[str] = []
        lengths: list[int] = []
        cursor: str | None = None
        while True:
            page = await review_list.list_reviews(db, workspace.account_id, everything, cursor, 50)
            seen += [str(row["reviewId"]) for row in page.items]
            lengths.append(len(page.items))
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == review_ids(range(60, 0, -1))
        assert lengths == [0, 50, 10]
