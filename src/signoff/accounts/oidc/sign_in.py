"""Sign in through an identity provider: redirect there, and handle the return."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request

from signoff.accounts.oidc.errors import OidcDenied, OidcNotConfigured, OidcTokenInvalid
from signoff.accounts.oidc.pending_logins import BROWSER_COOKIE, PendingLogin, begin_login, browser_token, finish_login
from signoff.accounts.oidc.redirects import safe_redirect_path
from signoff.accounts.oidc.user_matching import match_user
from signoff.accounts.sign_in.actions import SignInResult, open_session
from signoff.accounts.sign_in.visitor import Visitor
from signoff.platform.messages import msg

if TYPE_CHECKING:  # Only servers that use it import it.
    from signoff.accounts.oidc.provider import IdentityProvider

MAX_CODE_LENGTH = 4_096


@dataclass(frozen=True, slots=True)
class ProviderRedirect:
    url: str
    browser_token: str


async def begin_sign_in(visitor: Visitor, request: Request) -> ProviderRedirect:
    """Return the URL to send the browser to, and the token that it has to bring back."""
    provider = _provider(visitor)
    next_path = safe_redirect_path(request.query_params.get("next"))
    await provider.metadata()  # called first, so that nothing is written while the provider is unavailable
    browser = browser_token(request.cookies.get(BROWSER_COOKIE))
    login = await begin_login(visitor.db, browser, next_path)
    return ProviderRedirect(await provider.authorization_url(login), browser)


async def consume_login(visitor: Visitor, request: Request) -> PendingLogin:
    """Consume and return the login that this browser started, whatever the provider says about it."""
    _provider(visitor)
    return await finish_login(visitor.db, request.query_params.get("state"), request.cookies.get(BROWSER_COOKIE))


async def finish_sign_in(visitor: Visitor, request: Request, begun: PendingLogin) -> SignInResult:
    """Start a session for the person that the provider identified."""
    provider = _provider(visitor)
    answer = request.query_params
    if "error" in answer:
        raise OidcDenied(msg("Your identity provider didn't sign you in. Try again, or ask an admin for help."))
    code = answer.get("code", "")
    issuer = answer.get("iss")
    if not 0 < len(code) <= MAX_CODE_LENGTH or issuer not in {None, (await provider.metadata()).issuer}:
        raise OidcTokenInvalid(msg("We couldn't verify the response from your identity provider. Try again."))
    identity = await provider.identify(code, begun)
    async with visitor.db.transaction() as tx:
        actor = await match_user(tx, visitor, identity)
        return await open_session(tx, visitor, actor, "oidc")


def _provider(visitor: Visitor) -> "IdentityProvider":
    if visitor.context.oidc is None:
        raise OidcNotConfigured
    return visitor.context.oidc
