from fastapi import APIRouter

from signoff.accounts.dependencies import CanAdminister, CanRead
from signoff.accounts.errors import (
    CannotChangeSelf,
    EmailTaken,
    InvitationHeld,
    InvitationNotHeld,
    LastOwner,
    OwnerRequired,
    SignInRequired,
    UserDisabled,
)
from signoff.accounts.users import actions, queries
from signoff.accounts.users.actions import (
    ADMIN_APPROVES,
    ADMIN_CREATES_LINKS,
    DEACTIVATED,
    NOT_APPROVED,
    OWNER_ADDS_OWNERS,
    OWNER_LINKS_OWNERS,
)
from signoff.accounts.users.role_policy import OWNER_CHANGES_OWNERS
from signoff.accounts.users.schemas import Invitation, InvitedUser, SignInLinkAnswer, User, UserChange, UserId
from signoff.platform import examples
from signoff.platform.http.documentation import document_errors
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import Cursor, Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Members"])


@router.get("/users", operation_id="listUsers", summary="List members")
async def list_users(caller: CanRead, cursor: Cursor = None, limit: Limit = 50) -> Page[User]:
    """Returns all members, including deactivated ones, oldest first."""
    users = await queries.list_users(caller.db, caller.account_id, cursor, limit + 1)
    return make_page(users, limit, lambda user: user.user_id)


@router.post(
    "/users",
    operation_id="inviteUser",
    summary="Invite a member",
    status_code=201,
    responses=document_errors(EmailTaken(examples.EDITOR), OwnerRequired(OWNER_ADDS_OWNERS)),
)
async def invite_user(caller: CanAdminister, invitation: Invitation) -> InvitedUser:
    """Sends an invite by email. For signed-in admins, the response also contains the link, shown only once.

    An invite by an API key waits for an admin's approval, unless the email's domain is listed in
    `SIGNOFF_KEY_INVITE_DOMAINS`.
    """
    return await actions.invite_user(caller, invitation)


@router.get("/users/{userId}", operation_id="getUser", summary="Get a member")
async def get_user(caller: CanRead, user_id: UserId) -> User:
    """Returns a member."""
    return await queries.get_user(caller.db, caller.account_id, user_id)


@router.patch(
    "/users/{userId}",
    operation_id="changeUser",
    summary="Update a member",
    responses=document_errors(
        LastOwner(), OwnerRequired(OWNER_CHANGES_OWNERS), CannotChangeSelf(), InvitationHeld(NOT_APPROVED)
    ),
)
async def change_user(caller: CanAdminister, user_id: UserId, change: UserChange) -> User:
    """Updates the given properties. Deactivating a member ends their sessions immediately."""
    return await actions.update_user(caller, user_id, change)


@router.delete(
    "/users/{userId}",
    operation_id="disableUser",
    summary="Deactivate a member",
    status_code=204,
    responses=document_errors(LastOwner(), OwnerRequired(OWNER_CHANGES_OWNERS), CannotChangeSelf()),
)
async def disable_user(caller: CanAdminister, user_id: UserId) -> None:
    """Deactivates a member. They stay in the history and can be reactivated."""
    await actions.disable_user(caller, user_id)


@router.post(
    "/users/{userId}/approveInvitation",
    operation_id="approveInvitation",
    summary="Approve an API key's invite",
    responses=document_errors(SignInRequired(ADMIN_APPROVES), InvitationNotHeld()),
    openapi_extra={"security": [{"session": []}]},
)
async def approve_invitation(caller: CanAdminister, user_id: UserId) -> InvitedUser:
    """Approves an invite that an API key created. The member gets the link by email."""
    return await actions.approve_invitation(caller, user_id)


@router.post(
    "/users/{userId}/signInLink",
    operation_id="makeSignInLink",
    summary="Create a sign-in link",
    responses=document_errors(
        SignInRequired(ADMIN_CREATES_LINKS), OwnerRequired(OWNER_LINKS_OWNERS), UserDisabled(DEACTIVATED)
    ),
    openapi_extra={"security": [{"session": []}]},
)
async def make_sign_in_link(caller: CanAdminister, user_id: UserId) -> SignInLinkAnswer:
    """Creates a one-time sign-in link for a member who forgot their password. Only for signed-in admins, not for API
    keys.
    """
    return await actions.create_sign_in_link(caller, user_id)
