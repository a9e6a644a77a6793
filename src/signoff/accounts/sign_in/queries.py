from signoff.accounts.actors import ROLES, Permission
from signoff.accounts.errors import LinkInvalid
from signoff.accounts.out_of_office.queries import members_covered_by
from signoff.accounts.setup import find_unclaimed_owner
from signoff.accounts.sign_in.links import UNKNOWN_LINK, find_link
from signoff.accounts.sign_in.preferences import NotificationDefaults, resolve_preferences
from signoff.accounts.sign_in.schemas import (
    LinkInfo,
    Me,
    MyGroup,
    OidcMethod,
    Profile,
    SignInMethods,
    StandingIn,
    Workplace,
)
from signoff.accounts.sign_in.visitor import Visitor
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg


async def find_by_email(db: Executor, email: str) -> Row | None:
    """Find a member by email. This is the only query without an account: an email belongs to one person in the
    whole installation.
    """
    return await db.fetchrow(
        "select account_id, user_id, email, role, password_hash, disabled_at from users where email = $1", email
    )


async def get_me(db: Executor, account_id: str, user_id: str) -> Me:
    row = await db.fetchrow(
        """
        select u.user_id, u.email, u.name, u.role, u.password_hash is not null as has_password,
               (select email from email_changes c where c.user_id = u.user_id and c.expires_at > now())
                   as pending_email,
               u.preferences, u.language, a.notification_defaults, a.account_id, a.name as account_name, a.plan,
               a.language as account_language,
               array(select jsonb_build_object('group_id', g.group_id, 'name', g.name)
                     from group_members m join groups g using (group_id)
                     where m.user_id = u.user_id order by lower(g.name), g.group_id) as groups
        from users u join accounts a using (account_id)
        where u.account_id = $1 and u.user_id = $2
        """,
        account_id,
        user_id,
    )
    if row is None:
        raise NotFound(msg("member"), user_id)
    permissions = ROLES[row["role"]]
    absent = await members_covered_by(db, account_id, user_id) if Permission.DECIDE in permissions else ()
    return Me(
        user=Profile(
            user_id=row["user_id"],
            email=row["email"],
            name=row["name"],
            pending_email=row["pending_email"],
            language=row["language"],
        ),
        role=row["role"],
        account=Workplace(
            account_id=row["account_id"],
            name=row["account_name"],
            plan=row["plan"],
            language=row["account_language"],
        ),
        permissions=[permission for permission in Permission if permission in permissions],
        has_password=row["has_password"],
        preferences=resolve_preferences(row["preferences"], NotificationDefaults(**row["notification_defaults"])),
        groups=[MyGroup(**group) for group in row["groups"]],
        standing_in_for=[
            StandingIn(
                user_id=each.user_id,
                email=each.email,
                name=each.name,
                until=iso(each.until),
                group_ids=list(each.group_ids),
            )
            for each in absent
        ],
    )


async def get_link_info(db: Executor, token: str) -> LinkInfo:
    """Whom a one-time link is for. Asking does not use it up."""
    link = await find_link(db, token)
    row = await db.fetchrow(
        """
        select u.email, u.password_hash is not null as has_password, a.name as account_name
        from users u join accounts a using (account_id)
        where u.user_id = $1 and u.disabled_at is null
        """,
        link["user_id"],
    )
    if row is None:
        raise LinkInvalid(UNKNOWN_LINK)
    return LinkInfo(purpose=link["purpose"], **row)


async def list_methods(visitor: Visitor) -> SignInMethods:
    """Return how people can sign in to this installation. Anyone may see that."""
    settings = visitor.settings
    oidc = OidcMethod(name=settings.oidc_name, start_url=f"{settings.api_url}/auth/oidc/start")
    return SignInMethods(
        oidc=oidc if settings.oidc_issuer is not None else None,
        mail=settings.smtp_host is not None,
        first_run=await find_unclaimed_owner(visitor.db) is not None,
    )
