"""Everything that happened in a session, merged: messages, reviews, and trigger forms, newest first.

These are two lists with fixed orders: messages by number, reviews by ID. A page has the next items of both, merged by
time, and its cursor has the position in each. So nothing is skipped or repeated, whatever is written in the meantime.
"""

import re
from typing import Any, Final

from signoff.accounts.context import Caller
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.json_values import JsonObject
from signoff.reviews.review_list import review_rows
from signoff.sessions.message_queries import BEYOND_ALL, rows_before, to_message
from signoff.sessions.queries import ensure_session_exists

CURSOR: Final = r"^([0-9]{1,10}\.rev_([0-9a-f]{28}|g))?$"
BEYOND_ALL_REVIEWS: Final = "rev_g"
"""Sorts after every ID, because IDs don't contain this digit."""


async def read_timeline(caller: Caller, session_id: str, before: str | None, limit: int) -> dict[str, Any]:
    db, account_id = caller.db, caller.account_id
    await ensure_session_exists(db, account_id, session_id)
    number, review_id = _read(before)
    messages = await rows_before(db, account_id, session_id, number, limit + 1)
    reviews = await _reviews_before(db, account_id, session_id, review_id, limit + 1)
    items: list[dict[str, Any]] = []
    chosen: list[str] = []
    while len(items) < limit and (messages or reviews):
        if not reviews or (messages and messages[0]["created_at"] >= reviews[0]["created_at"]):
            row = messages.pop(0)
            number = row["number"]
            items.append({"kind": "message", "at": iso(row["created_at"]), "message": to_message(caller.settings, row)})
        else:
            review_id = reviews.pop(0)["review_id"]
            chosen.append(review_id)
            items.append({"review": review_id})
    more = bool(messages or reviews)
    rows = await review_rows(db, account_id, chosen) if chosen else {}
    shown = [_add_review(item, rows) for item in items if "review" not in item or item["review"] in rows]
    return {"items": shown, "nextCursor": f"{number}.{review_id}" if more else None}


def _read(cursor: str | None) -> tuple[int, str]:
    match = re.fullmatch(r"([0-9]+)\.(.+)", cursor or "")
    return (BEYOND_ALL, BEYOND_ALL_REVIEWS) if match is None else (min(int(match[1]), BEYOND_ALL), match[2])


async def _reviews_before(db: Executor, account_id: str, session_id: str, review_id: str, limit: int) -> list[Row]:
    return await db.fetch(
        """
        select review_id, created_at from reviews
        where account_id = $1 and session_id = $2 and review_id < $3 order by review_id desc limit $4
        """,
        account_id,
        session_id,
        review_id,
        limit,
    )


def _add_review(item: dict[str, Any], rows: dict[str, JsonObject]) -> dict[str, Any]:
    if "review" not in item:
        return item
    row = rows[item["review"]]
    # Only a trigger form is responded without being approved or rejected.
    kind = "trigger" if row["state"] == "responded" and "response" not in row else "review"
    return {"kind": kind, "at": row["createdAt"], "review": row}
