from fastapi import APIRouter

from signoff.accounts.account import actions, queries
from signoff.accounts.account.actions import OWNER_CHANGES_PLAN
from signoff.accounts.account.schemas import Account, AccountChange, AccountWithSecret
from signoff.accounts.dependencies import CanAdminister
from signoff.accounts.errors import OwnerRequired
from signoff.platform.http.documentation import document_errors
from signoff.platform.http.json_routes import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Account"])


@router.get("/account", operation_id="getAccount", summary="Get the account")
async def get_account(caller: CanAdminister) -> Account:
    """Returns the account: your workspace's name, plan, and settings."""
    return await queries.get_account(caller.db, caller.account_id)


@router.patch(
    "/account",
    operation_id="changeAccount",
    summary="Update the account",
    responses=document_errors(OwnerRequired(OWNER_CHANGES_PLAN)),
)
async def change_account(caller: CanAdminister, change: AccountChange) -> Account:
    """Updates the given properties."""
    return await actions.update_account(caller, change)


@router.post("/account/rotateAuditSecret", operation_id="rotateAuditSecret", summary="Rotate the audit webhook secret")
async def rotate_audit_secret(caller: CanAdminister) -> AccountWithSecret:
    """Creates a new signing secret. Both secrets sign webhooks for 24 hours."""
    return await actions.rotate_audit_secret(caller)
