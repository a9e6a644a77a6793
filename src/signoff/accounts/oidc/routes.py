"""The two URLs of a sign-in through the identity provider: to it and back. Both always redirect."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from signoff.accounts.oidc import sign_in
from signoff.accounts.oidc.pending_logins import give_browser_cookie
from signoff.accounts.sign_in.actions import give_cookies
from signoff.accounts.sign_in.visitor import SignInVisitor, Visitor
from signoff.platform.errors import ApiError
from signoff.platform.logs import get_logger

log = get_logger("oidc")

router = APIRouter(include_in_schema=False)


@router.get("/auth/oidc/start")
async def start(visitor: SignInVisitor, request: Request) -> Response:
    """Redirect the browser to the identity provider. `next` is one of our paths to return to."""
    try:
        departure = await sign_in.begin_sign_in(visitor, request)
    except ApiError as problem:
        return _to_sign_in(visitor, problem, None)
    response = _redirect(departure.url)
    give_browser_cookie(response, visitor.settings, departure.browser_token)
    return response


@router.get("/auth/oidc/callback")
async def finish(visitor: SignInVisitor, request: Request) -> Response:
    """Finish the sign-in when the identity provider redirects the browser back, or send the error to the sign-in
    page.
    """
    next_path = None
    try:
        begun = await sign_in.consume_login(visitor, request)
        next_path = begun.next
        signed_in = await sign_in.finish_sign_in(visitor, request, begun)
    except ApiError as problem:
        return _to_sign_in(visitor, problem, next_path)
    response = _redirect(next_path or f"{visitor.settings.url}/")
    give_cookies(response, visitor.settings, signed_in)
    return response


def _to_sign_in(visitor: Visitor, problem: ApiError, next_path: str | None) -> Response:
    log.info("SSO sign-in failed", code=problem.code)
    params = {"error": problem.code} | ({"next": next_path} if next_path is not None else {})
    return _redirect(f"{visitor.settings.url}/sign-in?{urlencode(params)}")


def _redirect(url: str) -> Response:
    return Response(status_code=303, headers={"location": url, "cache-control": "no-store"})
