"""Routes that ask who is calling rather than what they may do."""

from typing import Annotated

from fastapi import Depends, Request

from signoff.accounts.access import ONE_REVIEW_ONLY, Caller, Permit, identify, missing_permission
from signoff.accounts.actors import Permission
from signoff.accounts.errors import KeyNeeded, PersonNeeded
from signoff.platform.errors import Forbidden
from signoff.platform.messages import msg

MEMBERS_ONLY = msg(
    "Sign in to use this endpoint. It works with a member's session, not with an API key or a review link."
)


class _AnyPerson(Permit):
    """Lets every signed-in person pass, whatever their role, and nobody else."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def admit(self, request: Request) -> Caller:
        caller = await identify(request)
        if caller.actor.kind != "user":
            raise PersonNeeded(MEMBERS_ONLY)
        return caller

    @property
    def security(self) -> list[dict[str, list[str]]]:
        return [{"session": []}]


class _AnyCredential(Permit):
    """Lets every valid key and every signed-in person pass."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def admit(self, request: Request) -> Caller:
        caller = await identify(request)
        if caller.actor.kind == "external":
            raise Forbidden(ONE_REVIEW_ONLY)
        return caller


class _Participant(Permit):
    """Lets people pass who may decide, and keys that may ask: those between whom reviews and messages go."""

    def __init__(self) -> None:
        super().__init__(Permission.REQUEST)

    async def admit(self, request: Request) -> Caller:
        caller = await identify(request)
        refuse_outsiders(caller)
        return caller


class _AgentsKey(Permit):
    """Lets keys pass that may ask: what an agent does for itself, nobody does in its name."""

    def __init__(self) -> None:
        super().__init__(Permission.REQUEST)

    async def admit(self, request: Request) -> Caller:
        caller = await identify(request)
        if caller.actor.kind != "key":
            raise KeyNeeded(msg("Use an API key. Only agents can call this endpoint."))
        refuse_outsiders(caller)
        return caller

    @property
    def security(self) -> list[dict[str, list[str]]]:
        return [{"apiKey": []}]


class _PersonWhoDecides(Permit):
    """Lets people pass who may decide, and nobody else."""

    def __init__(self) -> None:
        super().__init__(Permission.DECIDE)

    async def admit(self, request: Request) -> Caller:
        caller = await identify(request)
        if caller.actor.kind != "user":
            raise PersonNeeded(MEMBERS_ONLY)
        refuse_outsiders(caller)
        return caller


def refuse_outsiders(caller: Caller) -> None:
    """Whoever is no participant: viewers, links, and keys that only read or manage."""
    needed = Permission.DECIDE if caller.actor.kind == "user" else Permission.REQUEST
    if caller.actor.kind == "external":
        raise Forbidden(ONE_REVIEW_ONLY, needed=needed.value)
    if not caller.actor.may(needed):
        raise Forbidden(missing_permission(caller.actor, needed), needed=needed.value)


Participant = Annotated[Caller, Depends(_Participant())]
AgentsKey = Annotated[Caller, Depends(_AgentsKey())]
PersonWhoDecides = Annotated[Caller, Depends(_PersonWhoDecides())]
Person = Annotated[Caller, Depends(_AnyPerson())]
Identified = Annotated[Caller, Depends(_AnyCredential())]
