from fastapi import APIRouter

from signoff.accounts.account.queries import get_account
from signoff.accounts.actors import Permission
from signoff.accounts.api_keys import actions, queries
from signoff.accounts.api_keys.schemas import AuthCheck, Key, KeyChange, KeyId, KeyWithSecret, NewKey
from signoff.accounts.audit_log.schemas import EntryActor
from signoff.accounts.dependencies import AnyCredential, CanAdminister
from signoff.accounts.errors import IN_THE_PAST, KeyRevoked
from signoff.platform.http.documentation import document_errors, invalid
from signoff.platform.http.json_routes import JsonRoute, allow_query
from signoff.platform.schemas import Cursor, Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["API keys"])


@router.get("/apiKeys", operation_id="listApiKeys", summary="List API keys")
async def list_keys(caller: CanAdminister, cursor: Cursor = None, limit: Limit = 50) -> Page[Key]:
    """Returns API keys, including revoked ones, oldest first."""
    keys = await queries.list_keys(caller.db, caller.account_id, cursor, limit + 1)
    return make_page(keys, limit, lambda key: key.key_id)


@router.post(
    "/apiKeys",
    operation_id="createApiKey",
    summary="Create an API key",
    status_code=201,
    responses=document_errors(invalid("expiresAt", "in_the_past", IN_THE_PAST)),
)
async def create_key(caller: CanAdminister, new: NewKey) -> KeyWithSecret:
    """Creates an API key. The response contains the key, shown only once."""
    return await actions.create_key(caller, new)


@router.get("/apiKeys/{keyId}", operation_id="getApiKey", summary="Get an API key")
async def get_key(caller: CanAdminister, key_id: KeyId) -> Key:
    """Returns an API key's details, without the key itself."""
    return await queries.get_key(caller.db, caller.account_id, key_id)


@router.patch(
    "/apiKeys/{keyId}",
    operation_id="changeApiKey",
    summary="Update an API key",
    responses=document_errors(KeyRevoked(), invalid("expiresAt", "in_the_past", IN_THE_PAST)),
)
async def change_key(caller: CanAdminister, key_id: KeyId, change: KeyChange) -> Key:
    """Updates the given properties."""
    return await actions.update_key(caller, key_id, change)


@router.delete("/apiKeys/{keyId}", operation_id="revokeApiKey", summary="Revoke an API key", status_code=204)
async def revoke_key(caller: CanAdminister, key_id: KeyId) -> None:
    """Revokes a key. It stops working within five seconds."""
    await actions.revoke_key(caller, key_id)


@router.get("/authCheck", operation_id="checkCredentials", summary="Check credentials")
@allow_query("")
async def check_credentials(caller: AnyCredential) -> AuthCheck:
    """Returns whether your credentials are valid, who they belong to, and what they allow."""
    account = await get_account(caller.db, caller.account_id)
    actor = caller.actor
    return AuthCheck(
        account_id=account.account_id,
        account_name=account.name,
        actor=EntryActor(kind=actor.kind, id=actor.id, name=actor.name),
        permissions=[permission for permission in Permission if actor.can(permission)],
    )
