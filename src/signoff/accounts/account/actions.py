"""Actions on the account. Each is one transaction with its audit entry."""

from signoff.accounts.account.queries import ACCOUNT_COLUMNS, to_account
from signoff.accounts.account.schemas import Account, AccountChange, AccountWithSecret
from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import OwnerRequired
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.platform.tokens import ROTATION_OVERLAP, new_webhook_secret

OWNER_CHANGES_PLAN = msg("Only an owner can change the plan.")

UPDATE = Sql(
    """
    update accounts set
        name = coalesce(:name, name),
        plan = coalesce(:plan, plan),
        audit_webhook_url = case when :set_audit_webhook_url then :audit_webhook_url else audit_webhook_url end,
        notification_defaults = notification_defaults || :notification_defaults,
        language = case when :set_language then :language else language end
    where account_id = :account_id
    returning {columns}
    """,
    columns=ACCOUNT_COLUMNS,
)


async def update_account(caller: Caller, change: AccountChange) -> Account:
    if change.plan is not None and caller.actor.role != "owner":
        raise OwnerRequired(OWNER_CHANGES_PLAN)
    async with caller.db.transaction() as tx:
        row = await UPDATE.fetch_one(
            tx,
            account_id=caller.account_id,
            name=change.name,
            plan=change.plan,
            set_audit_webhook_url="audit_webhook_url" in change.model_fields_set,
            audit_webhook_url=change.audit_webhook_url,
            notification_defaults=change.notification_defaults.model_dump(exclude_unset=True)
            if change.notification_defaults
            else {},
            set_language="language" in change.model_fields_set,
            language=change.language,
        )
        assert row is not None
        details = change.model_dump(exclude_unset=True, by_alias=True)
        await writer.record_audit(tx, caller.actor, "account.changed", caller.account_id, details)
    if change.plan is not None:
        caller.context.keys.clear()  # the plan is cached with them
    return to_account(row)


ROTATE_AUDIT_SECRET = Sql(
    """
    update accounts set
        previous_audit_secret = audit_webhook_secret,
        previous_audit_secret_until = now() + {overlap},
        audit_webhook_secret = :secret
    where account_id = :account_id
    returning {columns}
    """,
    overlap=ROTATION_OVERLAP,
    columns=ACCOUNT_COLUMNS,
)


async def rotate_audit_secret(caller: Caller) -> AccountWithSecret:
    secret = new_webhook_secret()
    async with caller.db.transaction() as tx:
        row = await ROTATE_AUDIT_SECRET.fetch_one(tx, account_id=caller.account_id, secret=secret)
        assert row is not None
        await writer.record_audit(tx, caller.actor, "account.audit_secret_rotated", caller.account_id)
    return AccountWithSecret(**to_account(row).model_dump(), audit_webhook_secret=secret)
