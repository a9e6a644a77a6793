from datetime import datetime

from signoff.accounts.api_keys.schemas import Key
from signoff.platform.clock import iso, iso_or_none, now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

KEY_COLUMNS = "key_id, name, scopes, hint, created_at, created_by, replaces, expires_at, last_used_at, revoked_at"


def to_key(row: Row, now: datetime) -> Key:
    revoked, expires_at = row["revoked_at"] is not None, row["expires_at"]
    expired = expires_at is not None and expires_at <= now
    return Key(
        key_id=row["key_id"],
        name=row["name"],
        scopes=row["scopes"],
        hint=row["hint"],
        created_at=iso(row["created_at"]),
        created_by=row["created_by"],
        replaces=row["replaces"],
        expires_at=iso_or_none(expires_at),
        last_used_at=iso_or_none(row["last_used_at"]),
        revoked_at=iso_or_none(row["revoked_at"]),
        status="revoked" if revoked else "expired" if expired else "active",
    )


GET_KEY = Sql(
    "select {columns} from api_keys where account_id = :account_id and key_id = :key_id",
    columns=KEY_COLUMNS,
)


async def get_key(db: Executor, account_id: str, key_id: str) -> Key:
    row = await GET_KEY.fetch_one(db, account_id=account_id, key_id=key_id)
    if row is None:
        raise NotFound(msg("API key"), key_id)
    return to_key(row, now())


LIST_KEYS = Sql(
    "select {columns} from api_keys where account_id = :account_id and key_id > :after order by key_id limit :limit",
    columns=KEY_COLUMNS,
)


async def list_keys(db: Executor, account_id: str, after: str | None, limit: int) -> list[Key]:
    rows = await LIST_KEYS.fetch(db, account_id=account_id, after=after or "", limit=limit)
    at = now()
    return [to_key(row, at) for row in rows]
