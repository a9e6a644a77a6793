"""Delete rows of reviews that have had their time."""

from signoff.platform.db import Database
from signoff.platform.idempotency import KEY_LIFETIME
from signoff.platform.sql import Sql

DELETE_KEYS = Sql("delete from idempotency_keys where created_at < now() - {lifetime}", lifetime=KEY_LIFETIME)


async def delete_expired_rows(db: Database) -> None:
    await DELETE_KEYS.execute(db)
    # Ended links are kept for a month after their expiry, so that whoever opens one learns why it ended.
    await db.execute(
        "delete from external_reviewers where ended is not null and expires_at < now() - interval '30 days'"
    )
