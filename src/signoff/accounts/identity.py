"""Dependencies that depend on who is calling rather than on a permission."""

from typing import Annotated

from fastapi import Depends, Request

from signoff.accounts.access import ONE_REVIEW_ONLY, Caller, RequirePermission, authenticate, missing_permission
from signoff.accounts.actors import Permission
from signoff.accounts.errors import ApiKeyRequired, SignInRequired
from signoff.platform.errors import Forbidden
from signoff.platform.messages import msg

MEMBERS_ONLY = msg(
    "Sign in to use this endpoint. It works with a member's session, not with an API key or a review link."
)


class _AnyPerson(RequirePermission):
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


class _AnyCredential(RequirePermission):
    """Lets every valid key and every signed-in person in."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        if caller.actor.kind == "external":
            raise Forbidden(ONE_REVIEW_ONLY)
        return caller


class _Participant(RequirePermission):
    """Lets in people who may decide and keys that may request reviews: the two sides of reviews and messages."""

    def __init__(self) -> None:
        super().__init__(Permission.REQUEST)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        ensure_participant(caller)
        return caller


class _AgentsKey(RequirePermission):
    """Lets in keys that may request reviews: nobody else does in an agent's name what it does for itself."""

    def __init__(self) -> None:
        super().__init__(Permission.REQUEST)

    async def admit(self, request: Request) -> Caller:
        caller = await authenticate(request)
        if caller.actor.kind != "key":
            raise ApiKeyRequired(msg("Use an API key. Only agents can call this endpoint."))
        ensure_participant(caller)
        return caller

    @property
    def security(self) -> list[dict[str, list[str]]]:
        return [{"apiKey": []}]


class _PersonWhoDecides(RequirePermission):
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


ChatParticipant = Annotated[Caller, Depends(_Participant())]
AgentKey = Annotated[Caller, Depends(_AgentsKey())]
SignedInDecider = Annotated[Caller, Depends(_PersonWhoDecides())]
SignedInUser = Annotated[Caller, Depends(_AnyPerson())]
AnyCredential = Annotated[Caller, Depends(_AnyCredential())]
