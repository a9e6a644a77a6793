"""The same request twice: the first answer again, and nothing done a second time."""

from dataclasses import dataclass
from typing import Any

from signoff.platform.db import Executor
from signoff.reviews.errors import KeyReused

KEPT_FOR = "24 hours"

# A key that is older than its day is free again.
TAKE_KEY = f"""
    on conflict (account_id, key) do update
        set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at
        where k.created_at <= now() - interval '{KEPT_FOR}'
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Idempotency:
    key: str
    body_hash: bytes


async def first_answer(db: Executor, account_id: str, idempotency: Idempotency) -> dict[str, Any] | None:
    """What was answered when the key was used first, within its day."""
    row = await db.fetchrow(
        f"""
        select body_hash, answer from idempotency_keys
        where account_id = $1 and key = $2 and created_at > now() - interval '{KEPT_FOR}'
        """,  # noqa: S608
        account_id,
        idempotency.key,
    )
    if row is None:
        return None
    if row["body_hash"] != idempotency.body_hash:
        raise KeyReused("This Idempotency-Key was used with another body within the last 24 hours.")
    return row["answer"]


async def take_key(
    tx: Executor, account_id: str, idempotency: Idempotency, answer: dict[str, Any]
) -> dict[str, Any] | None:
    """Take the key for this request, or say what was answered when it was taken before."""
    taken = await tx.fetchval(
        f"""
        insert into idempotency_keys as k (account_id, key, body_hash, answer) values ($1, $2, $3, $4)
        {TAKE_KEY} returning true
        """,  # noqa: S608
        account_id,
        idempotency.key,
        idempotency.body_hash,
        answer,
    )
    return None if taken else await first_answer(tx, account_id, idempotency)
