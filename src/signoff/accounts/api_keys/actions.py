"""Actions on API keys. Each is one transaction with its audit entry.

Nothing checks that a key only creates keys with the same or fewer scopes: creating keys requires `manage`, and that
scope can be granted.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from signoff.accounts.actors import Actor, Scope
from signoff.accounts.api_keys.queries import KEY_COLUMNS, get_key, to_key
from signoff.accounts.api_keys.schemas import Key, KeyChange, KeyWithSecret, NewKey
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import IN_THE_PAST, KeyRevoked, SignInRequired
from signoff.platform.clock import iso_or_none, now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.ids import new_id
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.platform.tokens import new_token, token_hash

INSERT = Sql(
    """
    insert into api_keys (key_id, account_id, name, hash, hint, scopes, created_by, expires_at, replaces,
                          lineage_id)
    values (:key_id, :account_id, :name, :hash, :hint, :scopes, :created_by, :expires_at, :replaces,
            :lineage_id)
    returning {columns}
    """,
    columns=KEY_COLUMNS,
)


async def insert_key(
    tx: Executor,
    actor: Actor,
    name: str,
    scopes: Sequence[Scope],
    created_by: str,
    expires_at: datetime | None = None,
    *,
    replaces: Row | None = None,
) -> KeyWithSecret:
    """Insert a key and its audit entry. The key itself can't be recovered from what is stored.

    `replaces` has the `key_id` and `lineage_id` of the key that this one replaces.
    """
    api_key, key_id = new_token("sgn"), new_id("key")
    row = await INSERT.fetch_one(
        tx,
        key_id=key_id,
        account_id=actor.account_id,
        name=name,
        hash=token_hash(api_key),
        hint=f"{api_key[:4]}…{api_key[-4:]}",
        scopes=scopes,
        created_by=created_by,
        expires_at=expires_at,
        replaces=replaces and replaces["key_id"],
        lineage_id=replaces["lineage_id"] if replaces else key_id,
    )
    assert row is not None
    details: dict[str, Any] = {"name": name, "scopes": list(scopes), "expiresAt": iso_or_none(expires_at)}
    if replaces is not None:
        details["replaces"] = replaces["key_id"]
    await writer.record_audit(tx, actor, "key.created", row["key_id"], details)
    return KeyWithSecret(**to_key(row, now()).model_dump(), api_key=api_key)


async def create_key(caller: Caller, new: NewKey) -> KeyWithSecret:
    _ensure_future(new.expires_at)
    async with caller.db.transaction() as tx:
        me = caller.actor
        replaces = await _find_replaced(tx, me, new.replaces)
        return await insert_key(tx, me, new.name, new.scopes, me.id, new.expires_at, replaces=replaces)


async def _find_replaced(tx: Executor, actor: Actor, key_id: str | None) -> Row | None:
    """Find the key to replace, which may already be revoked.

    The new key takes over the old key's reviews and, by updating them, the links of external reviewers. So only a
    person may choose which key it replaces; a key can only replace itself.
    """
    if key_id is None:
        return None
    row = await tx.fetchrow(
        "select key_id, lineage_id from api_keys where account_id = $1 and key_id = $2", actor.account_id, key_id
    )
    if row is None:
        raise InvalidRequest(
            [
                ErrorDetail(
                    "replaces", "unknown_key", msg("must be the ID of one of your API keys, not '{id}'", id=key_id)
                )
            ]
        )
    if actor.kind != "user" and key_id != actor.id:
        raise SignInRequired(msg("An API key can replace only itself. Ask an admin to replace another key."))
    return row


UPDATE = Sql(
    """
    update api_keys set
        name = coalesce(:name, name),
        scopes = coalesce(:scopes, scopes),
        expires_at = case when :set_expires_at then :expires_at else expires_at end
    where account_id = :account_id and key_id = :key_id and revoked_at is null
    returning {columns}
    """,
    columns=KEY_COLUMNS,
)


async def update_key(caller: Caller, key_id: str, change: KeyChange) -> Key:
    _ensure_future(change.expires_at)
    async with caller.db.transaction() as tx:
        row = await UPDATE.fetch_one(
            tx,
            account_id=caller.account_id,
            key_id=key_id,
            name=change.name,
            scopes=change.scopes,
            set_expires_at="expires_at" in change.model_fields_set,
            expires_at=change.expires_at,
        )
        if row is None:
            await get_key(tx, caller.account_id, key_id)
            raise KeyRevoked()
        details = change.model_dump(exclude_unset=True, by_alias=True)
        if "expiresAt" in details:
            details["expiresAt"] = iso_or_none(change.expires_at)
        await writer.record_audit(tx, caller.actor, "key.changed", key_id, details)
    caller.context.keys.clear()
    return to_key(row, now())


async def revoke_key(caller: Caller, key_id: str) -> None:
    """Revoke a key. Its row stays, because the audit log refers to it. Revoking twice has no effect."""
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            """
            update api_keys set revoked_at = now()
            where account_id = $1 and key_id = $2 and revoked_at is null returning name
            """,
            caller.account_id,
            key_id,
        )
        if row is None:
            await get_key(tx, caller.account_id, key_id)
            return
        await writer.record_audit(tx, caller.actor, "key.revoked", key_id, {"name": row["name"]})
    caller.context.keys.clear()


def _ensure_future(expires_at: datetime | None) -> None:
    if expires_at is not None and expires_at <= now():
        raise InvalidRequest([ErrorDetail("expiresAt", "in_the_past", IN_THE_PAST)])
