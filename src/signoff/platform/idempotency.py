"""Safe retries: repeating a request returns the original response and does nothing a second time."""

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import Request

from signoff.platform.db import Executor
from signoff.platform.errors import Conflict, InvalidQuery
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

KEY_LIFETIME: Final = "interval '24 hours'"

# A key that is older than 24 hours is free again.
REPLACE_EXPIRED_KEY: Final = Sql(
    """
    on conflict (account_id, key) do update
        set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at
        where k.created_at <= now() - {lifetime}
    """,
    lifetime=KEY_LIFETIME,
)

# For routes that read the header themselves.
IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A unique key for safe retries. If you send the same key and body again within 24 hours, you get "
    "the original response and nothing is created twice. Each API key has its own idempotency keys.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    "example": "newsletter-2026-11",
}


class KeyReused(Conflict):
    code, title = "idempotency_key_reused", msg("Idempotency key already used")


def key_reused() -> KeyReused:
    return KeyReused(
        msg(
            "This Idempotency-Key was already used with a different request body in the last 24 hours. "
            "Use a new key for a new request."
        )
    )


@dataclass(frozen=True, slots=True)
class Idempotency:
    key: str
    """Prefixed with its scope, so that two callers can use the same key."""
    body_hash: bytes
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    """New for each request. Secrets in the response are derived from it, so they don't need to be stored."""


async def read_idempotency(request: Request, scope: str) -> Idempotency | None:
    """Read the idempotency key from the request. `scope` must not contain spaces."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not 1 <= len(key) <= 255:
        raise InvalidQuery(msg("Idempotency-Key must be 1 to 255 characters long."))
    return Idempotency(f"{scope} {key}", hashlib.sha256(await request.body()).digest())


FIND_RESPONSE = Sql(
    """
    select body_hash, answer from idempotency_keys
    where account_id = :account_id and key = :key and created_at > now() - {lifetime}
    """,
    lifetime=KEY_LIFETIME,
)


async def find_stored_response(db: Executor, account_id: str, idempotency: Idempotency) -> dict[str, Any] | None:
    """Return the response to the first request with this key, if that was less than 24 hours ago."""
    row = await FIND_RESPONSE.fetch_one(db, account_id=account_id, key=idempotency.key)
    if row is None:
        return None
    if row["body_hash"] != idempotency.body_hash:
        raise key_reused()
    return row["answer"]


CLAIM_KEY = Sql(
    """
    insert into idempotency_keys as k (account_id, key, body_hash, answer)
    values (:account_id, :key, :body_hash, :answer)
    {take_key} returning true
    """,
    take_key=REPLACE_EXPIRED_KEY,
)


async def claim_key(
    tx: Executor, account_id: str, idempotency: Idempotency, answer: dict[str, Any]
) -> dict[str, Any] | None:
    """Claim the key for this request. If it's already in use, return the original response."""
    claimed = await CLAIM_KEY.fetch_value(
        tx, account_id=account_id, key=idempotency.key, body_hash=idempotency.body_hash, answer=answer
    )
    return None if claimed else await find_stored_response(tx, account_id, idempotency)
