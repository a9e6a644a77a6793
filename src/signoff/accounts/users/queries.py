from signoff.accounts.out_of_office.queries import ABSENCE_SQL, to_absence
from signoff.accounts.users.schemas import User
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg

COLUMNS = f"user_id, email, name, role, disabled_at, invitation_held_at, last_sign_in_at, created_at, {ABSENCE_SQL}"


def to_user(row: Row) -> User:
    return User(
        user_id=row["user_id"],
        email=row["email"],
        name=row["name"],
        role=row["role"],
        disabled=row["disabled_at"] is not None,
        invitation_held=row["invitation_held_at"] is not None,
        last_sign_in_at=iso_or_none(row["last_sign_in_at"]),
        created_at=iso(row["created_at"]),
        absence=to_absence(row["absence"]),
    )


async def get_user(db: Executor, account_id: str, user_id: str) -> User:
    row = await db.fetchrow(
        f"select {COLUMNS} from users where account_id = $1 and user_id = $2",  # noqa: S608
        account_id,
        user_id,
    )
    if row is None:
        raise NotFound(msg("member"), user_id)
    return to_user(row)


async def list_users(db: Executor, account_id: str, after: str | None, limit: int) -> list[User]:
    rows = await db.fetch(
        f"select {COLUMNS} from users where account_id = $1 and user_id > $2 order by user_id limit $3",  # noqa: S608
        account_id,
        after or "",
        limit,
    )
    return [to_user(row) for row in rows]
