from fastapi import APIRouter

from signoff.accounts.access import Administrator
from signoff.accounts.account.queries import get_account
from signoff.accounts.actors import Permission
from signoff.accounts.api_keys import actions, queries
from signoff.accounts.api_keys.schemas import AuthCheck, Key, KeyChange, KeyId, KeyWithSecret, NewKey
from signoff.accounts.audit_log.schemas import EntryActor
from signoff.accounts.identity import Identified
from signoff.platform.http import JsonRoute, allow_query
from signoff.platform.schemas import ERROR, Cursor, Limit, Page, page

router = APIRouter(route_class=JsonRoute, tags=["API keys"])


@router.get("/apiKeys")
async def list_keys(caller: Administrator, cursor: Cursor = None, limit: Limit = 50) -> Page[Key]:
    """The account's API keys, oldest first, the revoked ones among them."""
    keys = await queries.list_keys(caller.db, caller.account_id, cursor, limit + 1)
    return page(keys, limit, lambda key: key.key_id)


@router.post("/apiKeys", status_code=201)
async def create_key(caller: Administrator, new: NewKey) -> KeyWithSecret:
    """Make an API key. The answer holds the key itself: it is shown this once."""
    return await actions.create_key(caller, new)


@router.get("/apiKeys/{keyId}")
async def get_key(caller: Administrator, key_id: KeyId) -> Key:
    return await queries.get_key(caller.db, caller.account_id, key_id)


@router.patch("/apiKeys/{keyId}", responses={409: ERROR})
async def change_key(caller: Administrator, key_id: KeyId, change: KeyChange) -> Key:
    """Change what is given; the rest stays."""
    return await actions.change_key(caller, key_id, change)


@router.delete("/apiKeys/{keyId}", status_code=204)
async def revoke_key(caller: Administrator, key_id: KeyId) -> None:
    """Revoke a key. It stops working at once, in other processes of the service within five seconds."""
    await actions.revoke_key(caller, key_id)


@router.get("/authCheck")
@allow_query("")
async def check_credentials(caller: Identified) -> AuthCheck:
    """Whether the credentials are valid, whose they are and what they allow."""
    account = await get_account(caller.db, caller.account_id)
    actor = caller.actor
    return AuthCheck(
        account_id=account.account_id,
        account_name=account.name,
        actor=EntryActor(kind=actor.kind, id=actor.id, name=actor.name),
        permissions=[permission for permission in Permission if actor.may(permission)],
    )
