"""Publish a trigger form: anyone with the link can fill it in, until someone unpublishes it."""

import secrets
from typing import Any

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.forms.queries import get_form_row
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.platform.tokens import new_token
from signoff.triggers.errors import LinkNotFound
from signoff.triggers.queries import read_latest_trigger
from signoff.triggers.schemas import PublicLink, PublicLinkTerms

SECRET_BYTES = 32
LINK_COLUMNS = "token, form_id, secret, per_hour, created_at, created_by"


async def get_public_link(caller: Caller, form_id: str) -> PublicLink:
    row = await _read_current(caller.db, caller.account_id, form_id)
    if row is None:
        raise LinkNotFound
    return _to_link(caller.settings, row)


UPDATE = Sql(
    "update public_links set per_hour = :per_hour where token = :token returning {columns}",
    columns=LINK_COLUMNS,
)


async def publish_form(caller: Caller, form_id: str, terms: PublicLinkTerms) -> PublicLink:
    """Create a link, or update the settings of the existing one. A review type that can't be submitted gets none."""
    await read_latest_trigger(caller, form_id)
    async with caller.db.transaction() as tx:
        # The form's lock makes the second of two concurrent calls wait and find the first one's link.
        await get_form_row(tx, caller.account_id, form_id, lock=True)
        present = await _read_current(tx, caller.account_id, form_id)
        if present is not None and present["per_hour"] == terms.per_hour:
            return _to_link(caller.settings, present)
        if present is None:
            row = await _add(tx, caller, form_id, terms.per_hour)
        else:
            row = await UPDATE.fetch_one(tx, token=present["token"], per_hour=terms.per_hour)
            assert row is not None
        await writer.record_audit(tx, caller.actor, "form.published", form_id, {"perHour": terms.per_hour})
    return _to_link(caller.settings, row)


async def rotate_link(caller: Caller, form_id: str) -> PublicLink:
    """Replace the link and keep its settings. The old one ends immediately."""
    async with caller.db.transaction() as tx:
        await get_form_row(tx, caller.account_id, form_id, lock=True)
        ended = await _end(tx, caller, form_id)
        if ended is None:
            raise LinkNotFound
        row = await _add(tx, caller, form_id, ended["per_hour"])
        await writer.record_audit(tx, caller.actor, "form.link_rotated", form_id)
    return _to_link(caller.settings, row)


async def unpublish_form(caller: Caller, form_id: str) -> None:
    """End the link immediately. Does nothing without one."""
    async with caller.db.transaction() as tx:
        await get_form_row(tx, caller.account_id, form_id, lock=True)
        if await _end(tx, caller, form_id) is None:
            return
        await tx.execute("delete from public_submissions where form_id = $1", form_id)
        await writer.record_audit(tx, caller.actor, "form.unpublished", form_id)


SELECT_CURRENT = Sql(
    "select {columns} from public_links where account_id = :account_id and form_id = :form_id and ended_at is null",
    columns=LINK_COLUMNS,
)


async def _read_current(db: Executor, account_id: str, form_id: str) -> Row | None:
    return await SELECT_CURRENT.fetch_one(db, account_id=account_id, form_id=form_id)


INSERT = Sql(
    """
    insert into public_links (token, account_id, form_id, secret, per_hour, created_by)
    values (:token, :account_id, :form_id, :secret, :per_hour, :created_by) returning {columns}
    """,
    columns=LINK_COLUMNS,
)


async def _add(tx: Executor, caller: Caller, form_id: str, per_hour: int) -> Row:
    row = await INSERT.fetch_one(
        tx,
        token=new_token("pub"),
        account_id=caller.account_id,
        form_id=form_id,
        secret=secrets.token_bytes(SECRET_BYTES),
        per_hour=per_hour,
        created_by=caller.actor.name,
    )
    assert row is not None
    return row


END = Sql(
    """
    update public_links set ended_at = now()
    where account_id = :account_id and form_id = :form_id and ended_at is null returning {columns}
    """,
    columns=LINK_COLUMNS,
)


async def _end(tx: Executor, caller: Caller, form_id: str) -> Row | None:
    return await END.fetch_one(tx, account_id=caller.account_id, form_id=form_id)


def _to_link(settings: Settings, row: Row) -> PublicLink:
    members: dict[str, Any] = {
        "link": f"{settings.url}/f/{row['token']}",
        "per_hour": row["per_hour"],
        "created_at": iso(row["created_at"]),
        "created_by": row["created_by"],
    }
    return PublicLink(**members)
