from fastapi import APIRouter

from signoff.accounts.access import Administrator
from signoff.accounts.account import actions, queries
from signoff.accounts.account.schemas import Account, AccountChange, AccountWithSecret
from signoff.platform.http import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Account"])


@router.get("/account")
async def get_account(caller: Administrator) -> Account:
    """The account that the credentials belong to."""
    return await queries.get_account(caller.db, caller.account_id)


@router.patch("/account")
async def change_account(caller: Administrator, change: AccountChange) -> Account:
    """Change what is given; the rest stays."""
    return await actions.change_account(caller, change)


@router.post("/account/rotateAuditSecret")
async def rotate_audit_secret(caller: Administrator) -> AccountWithSecret:
    """Make a new secret that signs the audit webhook. The old one ends at once."""
    return await actions.rotate_audit_secret(caller)
