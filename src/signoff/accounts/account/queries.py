from signoff.accounts.account.schemas import Account
from signoff.accounts.sign_in.preferences import NotificationDefaults
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

ACCOUNT_COLUMNS = "account_id, name, plan, audit_webhook_url, notification_defaults, language, created_at"


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


GET_ACCOUNT = Sql(
    "select {columns} from accounts where account_id = :account_id",
    columns=ACCOUNT_COLUMNS,
)


async def get_account(db: Executor, account_id: str) -> Account:
    row = await GET_ACCOUNT.fetch_one(db, account_id=account_id)
    if row is None:
        raise NotFound(msg("account"), account_id)
    return to_account(row)
