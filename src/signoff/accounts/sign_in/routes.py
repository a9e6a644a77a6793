from typing import Annotated

from fastapi import APIRouter, Cookie, Response

from signoff.accounts.authentication import OTHER_ORIGIN, SESSION_COOKIE
from signoff.accounts.dependencies import SignedInUser
from signoff.accounts.errors import (
    EmailChangeInvalid,
    EmailTaken,
    InvalidCredentials,
    LinkExpired,
    LinkInvalid,
    LinkUsed,
    ProfileChanged,
    TooManyEmailChanges,
    TooManyPasswordResets,
    TooManySignInFailures,
)
from signoff.accounts.sign_in import actions, email_changes, password_resets, profile, queries, sessions
from signoff.accounts.sign_in.devices import DEVICE_COOKIE
from signoff.accounts.sign_in.links import UNKNOWN_LINK
from signoff.accounts.sign_in.profile import WRONG_PASSWORD
from signoff.accounts.sign_in.schemas import (
    Credentials,
    EmailConfirmation,
    ForgottenPassword,
    LinkInfo,
    LinkOrdered,
    LinkQuestion,
    LinkUse,
    Me,
    OpenSessions,
    ProfileChange,
    SignInMethods,
    SignInSessionId,
)
from signoff.accounts.sign_in.sessions import clear_session_cookie
from signoff.accounts.sign_in.visitor import SignInVisitor
from signoff.platform import examples
from signoff.platform.errors import CrossOriginForbidden
from signoff.platform.http.documentation import document_errors, invalid
from signoff.platform.http.json_routes import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Sign-in"])

SessionToken = Annotated[str, Cookie(alias=SESSION_COOKIE, include_in_schema=False)]
DeviceToken = Annotated[str | None, Cookie(alias=DEVICE_COOKIE, include_in_schema=False)]

LINK_ERRORS = (LinkInvalid(UNKNOWN_LINK), LinkUsed(), LinkExpired())


@router.get("/auth/methods", operation_id="listSignInMethods", summary="List sign-in methods")
async def list_methods(visitor: SignInVisitor) -> SignInMethods:
    """Returns the available sign-in methods."""
    return await queries.list_methods(visitor)


@router.post(
    "/auth/login",
    operation_id="signIn",
    summary="Sign in with a password",
    responses=document_errors(CrossOriginForbidden(OTHER_ORIGIN), InvalidCredentials(), TooManySignInFailures(417)),
)
async def sign_in(visitor: SignInVisitor, credentials: Credentials, response: Response) -> Me:
    """Signs in with email and password and sets the session cookie."""
    signed_in = await actions.sign_in(visitor, credentials)
    actions.give_cookies(response, visitor.settings, signed_in)
    return signed_in.me


@router.post(
    "/auth/forgotPassword",
    operation_id="forgotPassword",
    summary="Request a password reset",
    status_code=202,
    responses=document_errors(CrossOriginForbidden(OTHER_ORIGIN), TooManyPasswordResets(1800)),
)
async def forgot_password(visitor: SignInVisitor, forgotten: ForgottenPassword) -> LinkOrdered:
    """Sends a password reset link. The response is the same whether or not the email belongs to a member."""
    await password_resets.request_password_reset(visitor, forgotten.email)
    return LinkOrdered()


@router.post(
    "/auth/link",
    operation_id="useSignInLink",
    summary="Sign in with a sign-in link",
    responses=document_errors(*LINK_ERRORS, CrossOriginForbidden(OTHER_ORIGIN)),
)
async def use_link(visitor: SignInVisitor, use: LinkUse, response: Response) -> Me:
    """Signs in with a one-time link and optionally sets a password."""
    signed_in = await actions.sign_in_with_link(visitor, use)
    actions.give_cookies(response, visitor.settings, signed_in)
    return signed_in.me


@router.post(
    "/auth/linkInfo",
    operation_id="getLinkInfo",
    summary="Get sign-in link details",
    responses=document_errors(*LINK_ERRORS, CrossOriginForbidden(OTHER_ORIGIN)),
)
async def get_link_info(visitor: SignInVisitor, question: LinkQuestion) -> LinkInfo:
    """Returns who a sign-in link is for, without using the link."""
    return await queries.get_link_info(visitor.db, question.token)


@router.post(
    "/auth/logout",
    operation_id="signOut",
    summary="Sign out",
    status_code=204,
    responses=document_errors(CrossOriginForbidden(OTHER_ORIGIN)),
)
async def sign_out(visitor: SignInVisitor, response: Response) -> None:
    """Ends the current session. Has no effect without one."""
    await actions.sign_out(visitor)
    clear_session_cookie(response, visitor.settings)


@router.get("/auth/me", operation_id="getMe", summary="Get the current member")
async def get_me(caller: SignedInUser) -> Me:
    """Returns who is signed in and their permissions."""
    return await queries.get_me(caller.db, caller.account_id, caller.actor.id)


@router.patch(
    "/auth/me",
    operation_id="changeProfile",
    summary="Update your profile",
    responses=document_errors(
        EmailTaken(examples.EDITOR),
        ProfileChanged(),
        TooManySignInFailures(417),
        TooManyEmailChanges(1800),
        invalid("currentPassword", "wrong_password", WRONG_PASSWORD),
    ),
)
async def change_profile(
    caller: SignedInUser, session: SessionToken, change: ProfileChange, device: DeviceToken = None
) -> Me:
    """Updates your name, email, password, or preferences.

    A new email takes effect once you confirm it. A new password ends your other sessions.
    """
    return await profile.update_profile(caller, session, device, change)


@router.post(
    "/auth/confirmEmail",
    operation_id="confirmEmail",
    summary="Confirm a new email address",
    responses=document_errors(EmailChangeInvalid()),
)
async def confirm_email(caller: SignedInUser, confirmation: EmailConfirmation) -> Me:
    """Confirms a new email address with the token from the email. Sign in as the member who changed it."""
    return await email_changes.confirm_email_change(caller, confirmation.token)


@router.get("/auth/sessions", operation_id="listOwnSessions", summary="List your sessions")
async def list_sessions(caller: SignedInUser, session: SessionToken) -> OpenSessions:
    """Returns up to 200 sessions: the current one first, then the most recently used."""
    return await sessions.list_sessions(caller, session)


@router.delete("/auth/sessions/{sessionId}", operation_id="endOwnSession", summary="End a session", status_code=204)
async def end_session(caller: SignedInUser, session_id: SignInSessionId) -> None:
    """Ends one of your sessions."""
    await sessions.end_session(caller, session_id)


@router.delete("/auth/sessions", operation_id="endOtherSessions", summary="End all other sessions", status_code=204)
async def end_other_sessions(caller: SignedInUser, session: SessionToken) -> None:
    """Ends all your sessions except this one."""
    await sessions.end_other_sessions(caller, session)
