from signoff.accounts.actors import ROLES, Permission
from signoff.accounts.sign_in.schemas import Me, Profile, Workplace
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound


async def find_by_email(db: Executor, email: str) -> Row | None:
    """The one query without an account: an address is one person in the whole installation."""
    return await db.fetchrow(
        "select account_id, user_id, email, role, password_hash, disabled_at from users where email = $1", email
    )


async def get_me(db: Executor, account_id: str, user_id: str) -> Me:
    row = await db.fetchrow(
        """
        select u.user_id, u.email, u.name, u.role, u.password_hash is not null as has_password,
               a.account_id, a.name as account_name, a.plan
        from users u join accounts a using (account_id)
        where u.account_id = $1 and u.user_id = $2
        """,
        account_id,
        user_id,
    )
    if row is None:
        raise NotFound("user", user_id)
    permissions = ROLES[row["role"]]
    return Me(
        user=Profile(user_id=row["user_id"], email=row["email"], name=row["name"]),
        role=row["role"],
        account=Workplace(account_id=row["account_id"], name=row["account_name"], plan=row["plan"]),
        permissions=[permission for permission in Permission if permission in permissions],
        has_password=row["has_password"],
    )
