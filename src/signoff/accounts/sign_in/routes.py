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

router = APIRouter(route_class=JsonRoute, tags=["Signing in"])

SessionToken = Annotated[str, Cookie(alias=SESSION_COOKIE, include_in_schema=False)]
DeviceToken = Annotated[str | None, Cookie(alias=DEVICE_COOKIE, include_in_schema=False)]


@router.get("/auth/methods")
async def list_methods(visitor: Arriving) -> SignInMethods:
    """The ways to sign in here."""
    return await methods.list_methods(visitor)


@router.post("/auth/login", responses={401: ERROR, 403: ERROR, 429: ERROR})
async def sign_in(visitor: Arriving, credentials: Credentials, response: Response) -> Me:
    """Sign in with e-mail address and password. The answer sets the session cookie."""
    signed_in = await actions.sign_in(visitor, credentials)
    actions.give_cookies(response, visitor.settings, signed_in)
    return signed_in.me


@router.post("/auth/forgotPassword", status_code=202, responses={403: ERROR, 429: ERROR})
async def forgot_password(visitor: Arriving, forgotten: ForgottenPassword) -> LinkOrdered:
    """Have a link sent by which one chooses a new password. The answer never tells whether there is such a person."""
    await password_resets.ask_for_link(visitor, forgotten.email)
    return LinkOrdered()


@router.post("/auth/link", responses={401: ERROR, 403: ERROR})
async def use_link(visitor: Arriving, use: LinkUse, response: Response) -> Me:
    """Sign in with the token of a one-time link, and set a password with it if one is given."""
    signed_in = await actions.use_link(visitor, use)
    actions.give_cookies(response, visitor.settings, signed_in)
    return signed_in.me


@router.post("/auth/linkInfo", responses={401: ERROR, 403: ERROR})
async def get_link_info(visitor: Arriving, question: LinkQuestion) -> LinkInfo:
    """Whom a one-time link is for. Asking does not use it up."""
    return await queries.get_link_info(visitor.db, question.token)


@router.post("/auth/logout", status_code=204, responses={403: ERROR})
async def sign_out(visitor: Arriving, response: Response) -> None:
    """End the session of the cookie that comes along. Without one, nothing happens."""
    await actions.sign_out(visitor)
    take_cookie(response, visitor.settings)


@router.get("/auth/me")
async def get_me(caller: Person) -> Me:
    """Who is signed in, where, and what they may do."""
    return await queries.get_me(caller.db, caller.account_id, caller.actor.id)


@router.patch("/auth/me", responses={409: ERROR, 429: ERROR})
async def change_profile(
    caller: Person, session: SessionToken, change: ProfileChange, device: DeviceToken = None
) -> Me:
    """Change your own name, email address, password or preferences.

    A new address counts once you confirm it. A new password ends your other sessions.
    """
    return await profile.change_profile(caller, session, device, change)


@router.post("/auth/confirmEmail", responses={409: ERROR})
async def confirm_email(caller: Person, confirmation: EmailConfirmation) -> Me:
    """Confirm a new email address with the token from the mail, signed in as the member who changed it."""
    return await email_changes.confirm_email_change(caller, confirmation.token)


@router.get("/auth/sessions")
async def list_sessions(caller: Person, session: SessionToken) -> OpenSessions:
    """Where one is signed in: this session first, then by last use. At most 200."""
    return await open_sessions.list_sessions(caller, session)


@router.delete("/auth/sessions/{sessionId}", status_code=204)
async def end_session(caller: Person, session_id: SignInSessionId) -> None:
    """End one of one's own sessions."""
    await open_sessions.end_session(caller, session_id)


@router.delete("/auth/sessions", status_code=204)
async def end_other_sessions(caller: Person, session: SessionToken) -> None:
    """End all of one's own sessions but this one."""
    await open_sessions.end_other_sessions(caller, session)
