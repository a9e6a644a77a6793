"""First start: create a workspace with its owner, exactly once even with concurrent attempts."""

from dataclasses import dataclass

from pydantic import Field, ValidationError

from signoff.accounts.actors import DEFAULT_SCOPES, Actor, system_actor
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.audit_log import writer
from signoff.accounts.errors import AlreadySetUp, EmailNotFound, UserDisabled
from signoff.accounts.passwords import passwords
from signoff.accounts.schemas import Email, Password
from signoff.accounts.sign_in.links import SignInLink, create_link
from signoff.accounts.users.actions import insert_user
from signoff.platform.db import Database, Executor
from signoff.platform.errors import InvalidRequest, NotFound
from signoff.platform.ids import new_id
from signoff.platform.messages import msg
from signoff.platform.schemas import Name, RequestModel
from signoff.platform.settings import Settings
from signoff.platform.tokens import new_webhook_secret
from signoff.platform.validation_messages import first_errors

DEFAULT_NAME = "My workspace"
PLACEHOLDER_EMAIL = "owner@example.com"
"""A placeholder until the owner enters their own: an address that is valid everywhere and belongs to nobody (RFC
2606).
"""

LOCK = 0x5160_100  # arbitrary, but the same in every process


@dataclass(frozen=True, slots=True)
class Workspace:
    account_id: str
    user_id: str
    api_key: str
    manage_key: str


@dataclass(frozen=True, slots=True)
class NewAccount:
    """A new account and its owner."""

    actor: Actor
    user_id: str


async def create_workspace(db: Database, *, email: str, password: str | None, name: str | None) -> Workspace:
    """Create an account named `name`, its owner, and two keys in an empty database. Raises `AlreadySetUp` otherwise.

    The placeholder that `ensure_workspace` creates doesn't count until someone has signed in to it.
    """
    wishes = validate_setup(email, password, name)
    password_hash = await passwords.hash(wishes.password) if wishes.password is not None else None
    async with db.transaction() as tx:
        await _claim(tx, over_placeholder=True)
        founding = await create_account(
            tx, email=wishes.email, password_hash=password_hash, name=wishes.name or DEFAULT_NAME
        )
        default = await insert_key(tx, founding.actor, "default", DEFAULT_SCOPES, founding.user_id)
        manage = await insert_key(tx, founding.actor, "manage", ("manage",), founding.user_id)
    return Workspace(founding.actor.account_id, founding.user_id, default.api_key, manage.api_key)


async def ensure_workspace(db: Database) -> bool:
    """Create a placeholder workspace on a start with an empty database. Returns True if it did.

    No email has been entered yet, and nobody would see a key. The owner signs in with the link of
    `create_first_run_link`, enters a name, an email, and a password, and then creates keys.
    """
    try:
        async with db.transaction() as tx:
            await _claim(tx)
            await create_account(tx, email=PLACEHOLDER_EMAIL, password_hash=None, name=DEFAULT_NAME)
    except AlreadySetUp:
        return False
    return True


async def find_unclaimed_owner(db: Database) -> str | None:
    """Return the user ID of the owner, if nobody has ever signed in to the workspace and the owner has no password."""
    return await db.fetchval(
        """
        select user_id from users
        where role = 'owner' and disabled_at is null and password_hash is null
          and not exists (select 1 from users where last_sign_in_at is not null)
        order by user_id limit 1
        """
    )


async def create_first_run_link(db: Database, settings: Settings, user_id: str | None = None) -> str:
    """Create a one-time sign-in link for the first owner, or for another member."""
    async with db.transaction() as tx:
        row = await tx.fetchrow(
            """
            select account_id, user_id from users
            where disabled_at is null and case when $1::text is null then role = 'owner' else user_id = $1 end
            order by user_id limit 1
            """,
            user_id,
        )
        if row is None:
            raise NotFound(msg("member"), user_id or "owner")
        link = await create_link(tx, settings, row["account_id"], row["user_id"], "first_run")
        actor = system_actor(row["account_id"], "command line")
        await writer.record_audit(tx, actor, "user.sign_in_link_made", row["user_id"])
    return link.url


async def sign_in_link_for(db: Database, settings: Settings, email: str) -> SignInLink:
    """Create a one-time sign-in link with which the member with this email chooses a new password.

    It's for operators who can run commands on the machine, and could therefore read the database anyway.
    """
    address = email.strip().lower()
    newcomer = await find_unclaimed_owner(db)
    async with db.transaction() as tx:
        row = await tx.fetchrow("select account_id, user_id, disabled_at from users where email = $1", address)
        if row is None:
            raise EmailNotFound(address)
        if row["disabled_at"] is not None:
            raise UserDisabled(
                msg("{email} is deactivated and can't sign in. Ask an admin to reactivate them.", email=address)
            )
        purpose = "first_run" if row["user_id"] == newcomer else "password_reset"
        link = await create_link(tx, settings, row["account_id"], row["user_id"], purpose)
        actor = system_actor(row["account_id"], "command line")
        await writer.record_audit(tx, actor, "user.sign_in_link_made", row["user_id"])
    return link


async def create_account(tx: Executor, *, email: str, password_hash: str | None, name: str) -> NewAccount:
    """Insert an account and its owner with their audit entries."""
    actor = system_actor(new_id("acc"), "setup")
    await tx.execute(
        "insert into accounts (account_id, name, audit_webhook_secret) values ($1, $2, $3)",
        actor.account_id,
        name,
        new_webhook_secret(),
    )
    await writer.record_audit(tx, actor, "account.created", actor.account_id, {"name": name})
    user = await insert_user(tx, actor.account_id, email, None, "owner", password_hash)
    await writer.record_audit(tx, actor, "user.created", user["user_id"], {"email": email, "role": "owner"})
    return NewAccount(actor, user["user_id"])


async def _claim(tx: Executor, *, over_placeholder: bool = False) -> None:
    """Hold the lock until the end of the transaction, so that a concurrent attempt finds the account created."""
    await tx.execute("select pg_advisory_xact_lock($1)", LOCK)
    if over_placeholder:
        await _clear_placeholder(tx)
    if await tx.fetchval("select exists (select 1 from accounts)"):
        raise AlreadySetUp(msg("A workspace already exists on this server. Nothing was changed."))


async def _clear_placeholder(tx: Executor) -> None:
    """Delete the placeholder: without a password, a sign-in, a key, or a second member, nothing in it belongs to
    anyone.
    """
    account_id = await tx.fetchval(
        """
        delete from users
        where password_hash is null and last_sign_in_at is null
          and (select count(*) from users) = 1 and not exists (select 1 from api_keys)
        returning account_id
        """
    )
    await tx.execute("delete from audit_log where account_id = $1", account_id)
    await tx.execute("delete from accounts where account_id = $1", account_id)


class SetupInput(RequestModel):
    email: Email
    password: Password | None = Field(repr=False)
    name: Name | None


def validate_setup(email: str, password: str | None, name: str | None) -> SetupInput:
    """Validate the input. Raises `InvalidRequest`, which lists every error."""
    try:
        return SetupInput(email=email, password=password, name=name)
    except ValidationError as error:
        raise InvalidRequest(first_errors(error)) from None
