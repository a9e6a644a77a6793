from signoff.accounts.account.schemas import Account
from signoff.accounts.sign_in.preferences import NotificationDefaults
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg

COLUMNS = "account_id, name, plan, audit_webhook_url, notification_defaults, language, created_at"


def to_account(row: Row) -> Account:
    return Account(
        account_id=row["account_id"],
        name=row["name"],
        plan=row["plan"],
        audit_webhook_url=row["audit_webhook_url"],
        notification_defaults=NotificationDefaults(**row["notification_defaults"]),
        language=row["language"],
        created_at=iso(row["created_at"]),
    )


async def get_account(db: Executor, account_id: str) -> Account:
    row = await db.fetchrow(f"select {COLUMNS} from accounts where account_id = $1", account_id)  # noqa: S608
    if row is None:
        raise NotFound(msg("account"), account_id)
    return to_account(row)
