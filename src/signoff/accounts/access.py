"""Authenticate a request as a `Caller`: the only way a route gets an account, a database, and permissions."""

import hmac
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, TypedDict, cast
from urllib.parse import urlsplit

from fastapi import Depends, Request

from signoff.accounts.actors import ROLES, SCOPES, Actor, Permission, Role, Scope, role_term
from signoff.accounts.external_links import external_reviewer_id, find_external_link, find_renewable_link
from signoff.accounts.oidc.provider import IdentityProvider
from signoff.accounts.plans import PLANS, Plan
from signoff.accounts.rate_limits import enforce_rate_limit
from signoff.accounts.usage.fair_use_cache import FairUseCache
from signoff.platform.clock import now
from signoff.platform.db import Database, Row
from signoff.platform.errors import CrossOriginForbidden, Forbidden, InvalidKey, OtherUser, Unauthenticated
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.http import Gate
from signoff.platform.ids import token_hash
from signoff.platform.jobs.queue import WorkerWakeup
from signoff.platform.messages import Message, msg
from signoff.platform.pubsub import PubSub
from signoff.platform.rate_limits import RateLimiter
from signoff.platform.request_body import EXTERNAL, get_body
from signoff.platform.settings import Settings

SESSION_COOKIE = "signoff_session"
EXTERNAL_HEADER = "x-review-token"
EXPECTED_USER_HEADER = "x-expected-user"
"""Sent by the web app: all tabs of a browser share one cookie, and someone else may have signed in since."""
API_KEY_CACHE_SECONDS = 5.0
SEEN_EVERY_SECONDS = 60


@dataclass(slots=True)
class AppContext:
    """The resources of a process: created once at startup and passed to every caller."""

    settings: Settings
    db: Database
    wake: WorkerWakeup
    live: PubSub
    keys: "ApiKeyCache"
    rates: RateLimiter
    standings: FairUseCache
    oidc: IdentityProvider | None
    outgoing: GuardedClient
    """For the few calls that are made while someone waits; workers make all others."""
    media: object
    """A `media.store.MediaStore`, which is in a higher layer: use `media.store.get_media_store`."""


@dataclass(slots=True)
class Caller:
    actor: Actor
    service: AppContext
    plan: Plan
    secret: bytes = field(default=b"", repr=False)
    """Known only to the holder of these credentials. It's never stored, and used to derive other secrets that then
    needn't be stored either.
    """

    @property
    def scope(self) -> str:
        """Return the owner of the caller's idempotency keys: an API key, or a person's session."""
        if self.actor.kind == "key":
            return self.actor.id
        return f"{self.actor.id}:{hmac.digest(self.secret, b'scope', 'sha256')[:8].hex()}"

    @property
    def account_id(self) -> str:
        return self.actor.account_id

    @property
    def db(self) -> Database:
        return self.service.db

    @property
    def settings(self) -> Settings:
        return self.service.settings


@dataclass(slots=True)
class _Key:
    key_id: str
    account_id: str
    name: str
    lineage_id: str
    permissions: frozenset[Permission]
    plan: Plan
    expires_at: datetime | None
    read_at: float
    seen_at: float


class ApiKeyCache:
    """Caches API keys by hash for a few seconds, so that a busy agent's key isn't looked up for every request.

    A key revoked through this process is dropped immediately, elsewhere within five seconds. The same is true for the
    account's plan, which is read along with the key.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._keys: dict[bytes, _Key] = {}
        self._times_forgotten = 0

    def clear(self) -> None:
        self._times_forgotten += 1
        self._keys.clear()

    async def find(self, token: str) -> _Key:
        digest = token_hash(token)
        key = self._keys.get(digest)
        moment = time.monotonic()
        if key is None or moment - key.read_at > API_KEY_CACHE_SECONDS:
            key = await self._read(digest, moment, key.seen_at if key else 0.0)
        if key.expires_at is not None and key.expires_at <= now():
            raise InvalidKey(msg("This API key has expired. Create a new one under Settings → API keys."))
        return key

    async def _read(self, digest: bytes, moment: float, seen_at: float) -> _Key:
        self._keys.pop(digest, None)
        times_forgotten = self._times_forgotten
        row = await self._db.fetchrow(
            """
            select key_id, account_id, k.name, lineage_id, scopes, plan, expires_at
            from api_keys k join accounts using (account_id)
            where hash = $1 and revoked_at is null
            """,
            digest,
        )
        if row is None:
            raise InvalidKey(msg("This API key doesn't exist or was revoked."))
        if moment - seen_at > SEEN_EVERY_SECONDS or seen_at == 0.0:
            await self._db.execute("update api_keys set last_used_at = now() where key_id = $1", row["key_id"])
            seen_at = moment
        if len(self._keys) > 10_000:
            self._keys.clear()
        permissions = frozenset[Permission]().union(*(SCOPES[cast(Scope, scope)] for scope in row["scopes"]))
        key = _Key(
            row["key_id"],
            row["account_id"],
            row["name"],
            row["lineage_id"],
            permissions,
            PLANS[row["plan"]],
            row["expires_at"],
            moment,
            seen_at,
        )
        if times_forgotten == self._times_forgotten:  # otherwise the key may have been revoked after it was read
            self._keys[digest] = key
        return key


NO_CREDENTIALS = msg("Send an API key in the x-api-key header, or sign in.")
SESSION_EXPIRED = msg("Your session has expired. Sign in again.")
OTHER_ORIGIN = msg(
    "This request came from a page on a different origin. Use the app at its own URL, or call the API with a key."
)
ONE_REVIEW_ONLY = msg("A review link only gives access to its own review.")
LINK_NEEDED = msg("Send the token of your review link in the x-review-token header.")
KEYS_CANNOT_DECIDE = msg("API keys can't decide reviews. A person has to sign in and decide.")


def get_context(request: Request) -> AppContext:
    return cast(AppContext, request.app.state.service)


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
    service = get_context(request)
    if (token := request.headers.get("x-api-key")) is not None:
        return await _by_key(service, token, request)
    if (token := request.headers.get(EXTERNAL_HEADER)) is not None:
        return await _by_external_link(service, token, request)
    if (token := request.cookies.get(SESSION_COOKIE)) is not None:
        ensure_same_origin(request, service.settings)
        return await _by_session(service, token, request)
    raise InvalidKey(NO_CREDENTIALS)


def _secret(token: str) -> bytes:
    """Derive the caller's secret. It differs from the stored hash of the token, so reading that hash doesn't reveal
    it.
    """
    return hmac.digest(token.encode("utf-8", "surrogatepass"), b"derived secrets", "sha256")


class _Where(TypedDict):
    ip: str | None
    request_id: str | None


def _from_where(request: Request) -> _Where:
    return {"ip": request.scope.get("client_ip"), "request_id": request.scope.get("request_id")}


async def _by_key(service: AppContext, token: str, request: Request) -> Caller:
    key = await service.keys.find(token)
    if key.plan.rate is not None:
        await enforce_rate_limit(request, service.rates, key.account_id, key.plan.rate)
    where = _from_where(request)
    actor = Actor("key", key.account_id, key.key_id, key.name, key.permissions, lineage_id=key.lineage_id, **where)
    return Caller(actor, service, key.plan, _secret(token))


async def _by_session(service: AppContext, token: str, request: Request) -> Caller:
    row = await service.db.fetchrow(
        """
        select u.user_id, u.account_id, u.email, u.role, a.plan, s.token_hash,
               s.last_seen_at < now() - interval '1 minute' as stale
        from sign_in_sessions s join users u using (user_id) join accounts a on a.account_id = u.account_id
        where s.token_hash = $1 and s.expires_at > now() and u.disabled_at is null
        """,
        token_hash(token),
    )
    if row is None:
        raise Unauthenticated(SESSION_EXPIRED)
    if request.headers.get(EXPECTED_USER_HEADER, row["user_id"]) != row["user_id"]:
        raise OtherUser(msg("Someone else has signed in to this browser. Reload the page to continue as them."))
    if row["stale"]:
        await service.db.execute(
            "update sign_in_sessions set last_seen_at = now() where token_hash = $1", row["token_hash"]
        )
    role = cast(Role, row["role"])
    where = _from_where(request)
    actor = Actor("user", row["account_id"], row["user_id"], row["email"], ROLES[role], role, **where)
    return Caller(actor, service, PLANS[row["plan"]], _secret(token))


async def _by_external_link(service: AppContext, token: str, request: Request) -> Caller:
    return _link_holder(service, await find_external_link(service.db, token), request)


def _link_holder(service: AppContext, row: Row, request: Request) -> Caller:
    actor = Actor(
        "external",
        row["account_id"],
        external_reviewer_id(row["email"]),
        row["email"],
        frozenset({Permission.READ, Permission.DECIDE}),
        review_id=row["review_id"],
        **_from_where(request),
    )
    return Caller(actor, service, PLANS[row["plan"]])


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


class RequirePermission(Gate):
    """A dependency that requires a permission; `external` lets holders of external links in as well.

    It also declares for OpenAPI which credentials it accepts (`signoff.openapi`).
    """

    def __init__(self, needed: Permission, *, external: bool = False) -> None:
        self.needed = needed
        self.external = external

    async def __call__(self, request: Request) -> Caller:
        return await self.admit_once(request)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        if not caller.actor.can(self.needed):
            raise Forbidden(missing_permission(caller.actor, self.needed), needed=self.needed.value)
        if caller.actor.kind == "external" and not self.external:
            raise Forbidden(ONE_REVIEW_ONLY, needed=self.needed.value)
        return caller

    @property
    def security(self) -> list[dict[str, list[str]]]:
        """Return OpenAPI's security requirements. API keys can't decide."""
        ways = ["session"] if self.needed is Permission.DECIDE else ["apiKey", "session"]
        return [{way: []} for way in (*ways, *(["externalReviewer"] if self.external else []))]


class _LinkRenewal(RequirePermission):
    """Lets in whoever holds a review link, even an expired one. It allows nothing but asking for a new link."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def admit(self, request: Request) -> Caller:
        service = get_context(request)
        token = request.headers.get(EXTERNAL_HEADER)
        if token is None:
            raise Unauthenticated(LINK_NEEDED)
        return _link_holder(service, await find_renewable_link(service.db, token), request)

    @property
    def security(self) -> list[dict[str, list[str]]]:
        return [{"externalReviewer": []}]


SECURITY_SCHEMES = {
    "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    "session": {"type": "apiKey", "in": "cookie", "name": SESSION_COOKIE},
    "externalReviewer": {"type": "apiKey", "in": "header", "name": EXTERNAL_HEADER},
}

CanRead = Annotated[Caller, Depends(RequirePermission(Permission.READ))]
CanReadReview = Annotated[Caller, Depends(RequirePermission(Permission.READ, external=True))]
CanRequest = Annotated[Caller, Depends(RequirePermission(Permission.REQUEST))]
CanDecide = Annotated[Caller, Depends(RequirePermission(Permission.DECIDE, external=True))]
MemberCanDecide = Annotated[Caller, Depends(RequirePermission(Permission.DECIDE))]
LinkHolder = Annotated[Caller, Depends(_LinkRenewal())]
CanManageDeliveries = Annotated[Caller, Depends(RequirePermission(Permission.DELIVER))]
CanEditForms = Annotated[Caller, Depends(RequirePermission(Permission.DESIGN))]
CanAdminister = Annotated[Caller, Depends(RequirePermission(Permission.ADMINISTER))]


def missing_permission(actor: Actor, needed: Permission) -> Message:
    if actor.role is not None:
        return msg("Your role ({role}) doesn't allow this. Ask an admin.", role=role_term(actor.role))
    if needed is Permission.DECIDE:
        return KEYS_CANNOT_DECIDE
    return key_lacks(needed)


def key_lacks(needed: Permission) -> Message:
    return msg("This API key doesn't have the '{permission}' permission.", permission=needed.value)
