"""Actions on the account. Each is one transaction with its audit entry."""

from signoff.accounts.account.queries import COLUMNS, to_account
from signoff.accounts.account.schemas import Account, AccountChange, AccountWithSecret
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import OwnerRequired
from signoff.platform.messages import msg
from signoff.platform.tokens import ROTATION_OVERLAP, new_webhook_secret


async def update_account(caller: Caller, change: AccountChange) -> Account:
    if change.plan is not None and caller.actor.role != "owner":
        raise OwnerRequired(msg("Only an owner can change the plan."))
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            f"""
            update accounts set
                name = coalesce($2, name),
                plan = coalesce($3, plan),
                audit_webhook_url = case when $4 then $5 else audit_webhook_url end,
                notification_defaults = notification_defaults || $6,
                language = case when $7 then $8 else language end
            where account_id = $1
            returning {COLUMNS}
            """,  # noqa: S608
            caller.account_id,
            change.name,
            change.plan,
            "audit_webhook_url" in change.model_fields_set,
            change.audit_webhook_url,
            change.notification_defaults.model_dump(exclude_unset=True) if change.notification_defaults else {},
            "language" in change.model_fields_set,
            change.language,
        )
        assert row is not None
        details = change.model_dump(exclude_unset=True, by_alias=True)
        await writer.record_audit(tx, caller.actor, "account.changed", caller.account_id, details)
    if change.plan is not None:
        caller.context.keys.clear()  # the plan is cached with them
    return to_account(row)


async def rotate_audit_secret(caller: Caller) -> AccountWithSecret:
    secret = new_webhook_secret()
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            f"""
            update accounts set
                previous_audit_secret = audit_webhook_secret,
                previous_audit_secret_until = now() + interval '{ROTATION_OVERLAP}',
                audit_webhook_secret = $2
            where account_id = $1
            returning {COLUMNS}
            """,  # noqa: S608
            caller.account_id,
            secret,
        )
        assert row is not None
        await writer.record_audit(tx, caller.actor, "account.audit_secret_rotated", caller.account_id)
    return AccountWithSecret(**to_account(row).model_dump(), audit_webhook_secret=secret)
