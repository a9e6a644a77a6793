from signoff.accounts.out_of_office.queries import ABSENCE_SQL, to_absence
from signoff.accounts.users.schemas import User
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

USER_COLUMNS = (
    f"user_id, email, name, role, disabled_at, invitation_held_at, last_sign_in_at, created_at, {ABSENCE_SQL}"
)


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


GET_USER = Sql(
    "select {columns} from users where account_id = :account_id and user_id = :user_id",
    columns=USER_COLUMNS,
)


async def get_user(db: Executor, account_id: str, user_id: str) -> User:
    row = await GET_USER.fetch_one(db, account_id=account_id, user_id=user_id)
    if row is None:
        raise NotFound(msg("member"), user_id)
    return to_user(row)


LIST_USERS = Sql(
    "select {columns} from users where account_id = :account_id and user_id > :after order by user_id limit :limit",
    columns=USER_COLUMNS,
)


async def list_users(db: Executor, account_id: str, after: str | None, limit: int) -> list[User]:
    rows = await LIST_USERS.fetch(db, account_id=account_id, after=after or "", limit=limit)
    return [to_user(row) for row in rows]
