"""Authenticate a request by API key, session, or external link. It returns the `Caller`."""

import hmac
from collections.abc import Sequence
from typing import TypedDict, cast
from urllib.parse import urlsplit

from fastapi import Request

from signoff.accounts.actors import ROLES, Actor, Permission, Role
from signoff.accounts.context import AppContext, Caller, get_context
from signoff.accounts.external_links import external_reviewer_id, find_external_link, find_renewable_link
from signoff.accounts.plans import PLANS
from signoff.accounts.rate_limits import enforce_rate_limit
from signoff.platform.db import Executor, Row
from signoff.platform.errors import CrossOriginForbidden, InvalidKey, OtherUser, Unauthenticated
from signoff.platform.messages import msg
from signoff.platform.request_body import EXTERNAL, get_body
from signoff.platform.settings import Settings
from signoff.platform.tokens import token_hash

SESSION_COOKIE = "signoff_session"
EXTERNAL_HEADER = "x-review-token"
EXPECTED_USER_HEADER = "x-expected-user"
"""Sent by the web app: all tabs of a browser share one cookie, and someone else may have signed in since."""

NO_CREDENTIALS = msg("Send an API key in the x-api-key header, or sign in.")
SESSION_EXPIRED = msg("Your session has expired. Sign in again.")
OTHER_ORIGIN = msg(
    "This request came from a page on a different origin. Use the app at its own URL, or call the API with a key."
)
LINK_NEEDED = msg("Send the token from your review link in the x-review-token header.")


async def authenticate(request: Request) -> Caller:
    """Authenticate the caller. From here on, the request may have a larger body."""
    caller = await _identify(request)
    if (body := get_body(request.scope)) is not None:
        body.raise_limit(EXTERNAL if caller.actor.kind == "external" else None)
    return caller


async def _identify(request: Request) -> Caller:
    """Authenticate by API key or session. An API key takes precedence over a cookie: a program that sends one means
    it.
    """
    context = get_context(request.app)
    if (token := request.headers.get("x-api-key")) is not None:
        return await _by_key(context, token, request)
    if (token := request.headers.get(EXTERNAL_HEADER)) is not None:
        return await _by_external_link(context, token, request)
    if (token := request.cookies.get(SESSION_COOKIE)) is not None:
        ensure_same_origin(request, context.settings)
        return await _by_session(context, token, request)
    raise InvalidKey(NO_CREDENTIALS)


def _secret(token: str) -> bytes:
    """Derive the caller's secret. It differs from the stored hash of the token, so reading that hash doesn't reveal
    it.
    """
    return hmac.digest(token.encode("utf-8", "surrogatepass"), b"derived secrets", "sha256")


class _RequestOrigin(TypedDict):
    ip: str | None
    request_id: str | None


def _request_origin(request: Request) -> _RequestOrigin:
    return {"ip": request.scope.get("client_ip"), "request_id": request.scope.get("request_id")}


async def _by_key(context: AppContext, token: str, request: Request) -> Caller:
    key = await context.keys.find(token)
    if key.plan.rate is not None:
        await enforce_rate_limit(request, context.rates, key.account_id, key.plan.rate)
    where = _request_origin(request)
    actor = Actor("key", key.account_id, key.key_id, key.name, key.permissions, lineage_id=key.lineage_id, **where)
    return Caller(actor, context, key.plan, _secret(token))


async def _by_session(context: AppContext, token: str, request: Request) -> Caller:
    row = await context.db.batched(_find_sessions, token_hash(token))
    if row is None:
        raise Unauthenticated(SESSION_EXPIRED)
    if request.headers.get(EXPECTED_USER_HEADER, row["user_id"]) != row["user_id"]:
        raise OtherUser(msg("Someone else has signed in on this browser. Reload the page to continue as them."))
    if row["stale"]:
        await context.db.execute(
            "update sign_in_sessions set last_seen_at = now() where token_hash = $1", row["token_hash"]
        )
    role = cast(Role, row["role"])
    where = _request_origin(request)
    actor = Actor("user", row["account_id"], row["user_id"], row["email"], ROLES[role], role, **where)
    return Caller(actor, context, PLANS[row["plan"]], _secret(token))


async def _find_sessions(db: Executor, hashes: Sequence[bytes]) -> list[Row | None]:
    rows = await db.fetch(
        """
        select u.user_id, u.account_id, u.email, u.role, a.plan, s.token_hash,
               s.last_seen_at < now() - interval '1 minute' as stale
        from sign_in_sessions s join users u using (user_id) join accounts a on a.account_id = u.account_id
        where s.token_hash = any($1) and s.expires_at > now() and u.disabled_at is null
        """,
        hashes,
    )
    found = {row["token_hash"]: row for row in rows}
    return [found.get(each) for each in hashes]


async def _by_external_link(context: AppContext, token: str, request: Request) -> Caller:
    return _link_holder(context, await find_external_link(context.db, token), request)


async def authenticate_link_renewal(request: Request) -> Caller:
    """Authenticate the holder of a review link that may have expired."""
    context = get_context(request.app)
    token = request.headers.get(EXTERNAL_HEADER)
    if token is None:
        raise Unauthenticated(LINK_NEEDED)
    return _link_holder(context, await find_renewable_link(context.db, token), request)


def _link_holder(context: AppContext, row: Row, request: Request) -> Caller:
    actor = Actor(
        "external",
        row["account_id"],
        external_reviewer_id(row["email"]),
        row["email"],
        frozenset({Permission.READ, Permission.DECIDE}),
        review_id=row["review_id"],
        **_request_origin(request),
    )
    return Caller(actor, context, PLANS[row["plan"]])


def ensure_same_origin(request: Request, settings: Settings) -> None:
    """Refuse writes from other origins: browsers send our cookie whichever page makes the request."""
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        same = site in {"same-origin", "none"}
    else:
        origin = request.headers.get("origin")
        same = origin is None or origin in {_origin(settings.url), _origin(str(request.base_url))}
    if not same:
        raise CrossOriginForbidden(OTHER_ORIGIN)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
