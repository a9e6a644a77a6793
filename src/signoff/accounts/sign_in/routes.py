from typing import Annotated

from fastapi import APIRouter, Cookie, Response

from signoff.accounts.access import SESSION_COOKIE
from signoff.accounts.identity import Person
from signoff.accounts.sign_in import actions, email_changes, methods, open_sessions, password_resets, profile, queries
from signoff.accounts.sign_in.devices import DEVICE_COOKIE
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
from signoff.accounts.sign_in.sessions import take_cookie
from signoff.accounts.sign_in.visitor import Arriving
from signoff.platform.http import JsonRoute
from signoff.platform.schemas import ERROR

router = APIRouter(route_class=JsonRoute, tags=["Sign-in"])

SessionToken = Annotated[str, Cookie(alias=SESSION_COOKIE, include_in_schema=False)]
DeviceToken = Annotated[str | None, Cookie(alias=DEVICE_COOKIE, include_in_schema=False)]


@router.get("/auth/methods")
async def list_methods(visitor: Arriving) -> SignInMethods:
    """Returns the available sign-in methods."""
    return await methods.list_methods(visitor)


@router.post("/auth/login", responses={401: ERROR, 403: ERROR, 429: ERROR})
async def sign_in(visitor: Arriving, credentials: Credentials, response: Response) -> Me:
    """Signs in with email and password and sets the session cookie."""
    signed_in = await actions.sign_in(visitor, credentials)
    actions.give_cookies(response, visitor.settings, signed_in)
    return signed_in.me


@router.post("/auth/forgotPassword", status_code=202, responses={403: ERROR, 429: ERROR})
async def forgot_password(visitor: Arriving, forgotten: ForgottenPassword) -> LinkOrdered:
    """Sends a password reset link. The response is the same whether or not the email belongs to a member."""
    await password_resets.ask_for_link(visitor, forgotten.email)
    return LinkOrdered()


@router.post("/auth/link", responses={401: ERROR, 403: ERROR})
async def use_link(visitor: Arriving, use: LinkUse, response: Response) -> Me:
    """Signs in with a one-time link and optionally sets a password."""
    signed_in = await actions.use_link(visitor, use)
    actions.give_cookies(response, visitor.settings, signed_in)
    return signed_in.me


@router.post("/auth/linkInfo", responses={401: ERROR, 403: ERROR})
async def get_link_info(visitor: Arriving, question: LinkQuestion) -> LinkInfo:
    """Returns who a sign-in link is for, without using it up."""
    return await queries.get_link_info(visitor.db, question.token)


@router.post("/auth/logout", status_code=204, responses={403: ERROR})
async def sign_out(visitor: Arriving, response: Response) -> None:
    """Ends the current session. Has no effect without one."""
    await actions.sign_out(visitor)
    take_cookie(response, visitor.settings)


@router.get("/auth/me")
async def get_me(caller: Person) -> Me:
    """Returns who is signed in and their permissions."""
    return await queries.get_me(caller.db, caller.account_id, caller.actor.id)


@router.patch("/auth/me", responses={409: ERROR, 429: ERROR})
async def change_profile(
    caller: Person, session: SessionToken, change: ProfileChange, device: DeviceToken = None
) -> Me:
    """Updates your name, email, password or preferences.

    A new email takes effect once you confirm it. A new password ends your other sessions.
    """
    return await profile.change_profile(caller, session, device, change)


@router.post("/auth/confirmEmail", responses={409: ERROR})
async def confirm_email(caller: Person, confirmation: EmailConfirmation) -> Me:
    """Confirms a new email address with the token from the email. Sign in as the member who changed it."""
    return await email_changes.confirm_email_change(caller, confirmation.token)


@router.get("/auth/sessions")
async def list_sessions(caller: Person, session: SessionToken) -> OpenSessions:
    """Returns where you're signed in: this session first, then by last use. At most 200."""
    return await open_sessions.list_sessions(caller, session)


@router.delete("/auth/sessions/{sessionId}", status_code=204)
async def end_session(caller: Person, session_id: SignInSessionId) -> None:
    """Ends one of your sessions."""
    await open_sessions.end_session(caller, session_id)


@router.delete("/auth/sessions", status_code=204)
async def end_other_sessions(caller: Person, session: SessionToken) -> None:
    """Ends all your sessions except this one."""
    await open_sessions.end_other_sessions(caller, session)
