"""Another account in the same service, whose data must never be visible."""

from functools import cache, partial

from argon2 import PasswordHasher
from argon2.profiles import RFC_9106_LOW_MEMORY
from support.api import Workspace, unique
from support.in_process import Service
from support.prepared_data_dir import PASSWORD
from support.service_process import RunningService, new_client

from signoff.accounts.actors import DEFAULT_SCOPES
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.authentication import SESSION_COOKIE
from signoff.accounts.setup import create_account
from signoff.platform.db import Database
from signoff.platform.tokens import new_token, token_hash


@cache
def _password_hash() -> str:
    """As the service creates it, but once: it's slow on purpose."""
    return PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY).hash(PASSWORD)


async def open_second_account(service: Service | RunningService) -> Workspace:
    """No call creates a second account yet, so it's written to the database, with its owner signed in: verifying a
    password is slow on purpose. Everything after that uses HTTP."""
    email = f"{unique('other-owner')}@example.com"
    token = new_token("sgs")
    db = await Database.connect(service.dsn(), size=1)
    try:
        async with db.transaction() as tx:
            founding = await create_account(tx, email=email, password_hash=_password_hash(), name="Other")
            default = await insert_key(tx, founding.actor, "default", DEFAULT_SCOPES, founding.user_id)
            manage = await insert_key(tx, founding.actor, "manage", ("manage",), founding.user_id)
            await tx.execute(
                """
                insert into sign_in_sessions (token_hash, account_id, user_id, expires_at)
                values ($1, $2, $3, now() + interval '1 day')
                """,
                token_hash(token),
                founding.actor.account_id,
                founding.user_id,
            )
    finally:
        await db.close()

    client = partial(new_client, service.api)
    owner = client()
    owner.cookies.set(SESSION_COOKIE, token)
    return Workspace(
        service.api,
        founding.actor.account_id,
        client(**{"x-api-key": default.api_key}),
        client(**{"x-api-key": manage.api_key}),
        owner,
        client(),
    )
