"""FastAPI dependencies that let callers in: the only way a route gets an account, a database, and permissions."""

from typing import Annotated

from fastapi import Depends, Request

from signoff.accounts.actors import Actor, Permission, role_term
from signoff.accounts.authentication import EXTERNAL_HEADER, SESSION_COOKIE, authenticate, authenticate_link_renewal
from signoff.accounts.context import Caller
from signoff.accounts.errors import ApiKeyRequired, SignInRequired
from signoff.platform.errors import Forbidden
from signoff.platform.http.json_routes import Gate
from signoff.platform.messages import Message, msg

ONE_REVIEW_ONLY = msg("A review link only gives access to its own review.")
KEYS_CANNOT_DECIDE = msg("API keys can't decide reviews. A person has to sign in and decide.")


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


class _RequireReviewLink(RequirePermission):
    """Lets in whoever holds a review link, even an expired one. It allows nothing but asking for a new link."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def admit(self, request: Request) -> Caller:
        return await authenticate_link_renewal(request)

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
LinkHolder = Annotated[Caller, Depends(_RequireReviewLink())]
CanManageDeliveries = Annotated[Caller, Depends(RequirePermission(Permission.DELIVER))]
CanEditForms = Annotated[Caller, Depends(RequirePermission(Permission.DESIGN))]
CanAdminister = Annotated[Caller, Depends(RequirePermission(Permission.ADMINISTER))]


def missing_permission(actor: Actor, needed: Permission) -> Message:
    if actor.role is not None:
        return msg("Your role ({role}) doesn't allow this. Ask an admin.", role=role_term(actor.role))
    if needed is Permission.DECIDE:
        return KEYS_CANNOT_DECIDE
    return missing_scope_message(needed)


def missing_scope_message(needed: Permission) -> Message:
    return msg("This API key doesn't have the '{permission}' permission.", permission=needed.value)


MEMBERS_ONLY = msg(
    "Sign in to use this endpoint. It works with a member's session, not with an API key or a review link."
)


class _RequireSignedInUser(RequirePermission):
    """Lets every signed-in person in, whatever their role, and nobody else."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        if caller.actor.kind != "user":
            raise SignInRequired(MEMBERS_ONLY)
        return caller

    @property
    def security(self) -> list[dict[str, list[str]]]:
        return [{"session": []}]


class _RequireCredential(RequirePermission):
    """Lets every valid key and every signed-in person in."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        if caller.actor.kind == "external":
            raise Forbidden(ONE_REVIEW_ONLY)
        return caller


class _RequireParticipant(RequirePermission):
    """Lets in people who may decide and keys that may request reviews: the two sides of reviews and messages."""

    def __init__(self) -> None:
        super().__init__(Permission.REQUEST)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        ensure_participant(caller)
        return caller


class _RequireAgentKey(RequirePermission):
    """Lets in keys that may request reviews: nobody else does in an agent's name what it does for itself."""

    def __init__(self) -> None:
        super().__init__(Permission.REQUEST)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        if caller.actor.kind != "key":
            raise ApiKeyRequired()
        ensure_participant(caller)
        return caller

    @property
    def security(self) -> list[dict[str, list[str]]]:
        return [{"apiKey": []}]


class _RequireSignedInDecider(RequirePermission):
    """Lets in people who may decide, and nobody else."""

    def __init__(self) -> None:
        super().__init__(Permission.DECIDE)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        if caller.actor.kind != "user":
            raise SignInRequired(MEMBERS_ONLY)
        ensure_participant(caller)
        return caller


def ensure_participant(caller: Caller) -> None:
    """Refuse callers who aren't participants: viewers, external links, and keys that only read or manage."""
    needed = Permission.DECIDE if caller.actor.kind == "user" else Permission.REQUEST
    if caller.actor.kind == "external":
        raise Forbidden(ONE_REVIEW_ONLY, needed=needed.value)
    if not caller.actor.can(needed):
        raise Forbidden(missing_permission(caller.actor, needed), needed=needed.value)


ChatParticipant = Annotated[Caller, Depends(_RequireParticipant())]
AgentKey = Annotated[Caller, Depends(_RequireAgentKey())]
SignedInDecider = Annotated[Caller, Depends(_RequireSignedInDecider())]
SignedInUser = Annotated[Caller, Depends(_RequireSignedInUser())]
AnyCredential = Annotated[Caller, Depends(_RequireCredential())]
