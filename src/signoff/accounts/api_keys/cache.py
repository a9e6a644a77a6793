"""API keys, cached for a few seconds."""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from signoff.accounts.actors import SCOPES, Permission, Scope
from signoff.accounts.plans import PLANS, Plan
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.errors import InvalidKey
from signoff.platform.messages import msg
from signoff.platform.pubsub import MAX_POLL_INTERVAL, PubSub, publish_subject
from signoff.platform.tokens import token_hash

API_KEY_CACHE_SECONDS = 5.0
TOPIC = "api_keys"
LAST_USED_INTERVAL_SECONDS = 60


@dataclass(slots=True)
class _Key:
    key_id: str
    account_id: str
    name: str
    lineage_id: str
    permissions: frozenset[Permission]
    plan: Plan
    expires_at: datetime | None
    read_at: float
    seen_at: float


class ApiKeyCache:
    """Caches API keys by hash for a few seconds, so that a busy agent's key isn't looked up for every request.

    A key revoked through this process is dropped immediately, elsewhere as soon as the message arrives, and within five
    seconds if it's lost. The same is true for the account's plan, which is read along with the key.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._keys: dict[bytes, _Key] = {}
        self._times_forgotten = 0

    def clear(self) -> None:
        """Forget all keys, in every process. Call this after the commit."""
        self._forget()
        publish_subject(self._db, TOPIC, "changed")

    async def follow(self, pubsub: PubSub) -> None:
        """Forget all keys whenever another process does."""
        with pubsub.subscribe(TOPIC) as subscription:
            while await subscription.wait(MAX_POLL_INTERVAL):
                if subscription.subjects():
                    self._forget()

    def _forget(self) -> None:
        self._times_forgotten += 1
        self._keys.clear()

    async def find(self, token: str) -> _Key:
        digest = token_hash(token)
        key = self._keys.get(digest)
        read_at = time.monotonic()
        if key is None or read_at - key.read_at > API_KEY_CACHE_SECONDS:
            key = await self._read(digest, read_at, key.seen_at if key else 0.0)
        if key.expires_at is not None and key.expires_at <= now():
            raise InvalidKey(msg("This API key has expired. Create a new one under Settings → API keys."))
        return key

    async def _read(self, digest: bytes, read_at: float, seen_at: float) -> _Key:
        self._keys.pop(digest, None)
        times_forgotten = self._times_forgotten
        row = await self._db.fetchrow(
            """
            select key_id, account_id, k.name, lineage_id, scopes, plan, expires_at
            from api_keys k join accounts using (account_id)
            where hash = $1 and revoked_at is null
            """,
            digest,
        )
        if row is None:
            raise InvalidKey(msg("This API key doesn't exist or was revoked."))
        if read_at - seen_at > LAST_USED_INTERVAL_SECONDS or seen_at == 0.0:
            await self._db.execute("update api_keys set last_used_at = now() where key_id = $1", row["key_id"])
            seen_at = read_at
        if len(self._keys) > 10_000:
            self._keys.clear()
        permissions = frozenset[Permission]().union(*(SCOPES[cast(Scope, scope)] for scope in row["scopes"]))
        key = _Key(
            row["key_id"],
            row["account_id"],
            row["name"],
            row["lineage_id"],
            permissions,
            PLANS[row["plan"]],
            row["expires_at"],
            read_at,
            seen_at,
        )
        if times_forgotten == self._times_forgotten:  # otherwise the key may have been revoked after it was read
            self._keys[digest] = key
        return key
