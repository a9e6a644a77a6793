"""Routes that ask who is calling rather than what they may do."""

from typing import Annotated

from fastapi import Depends, Request

from signoff.accounts.access import Caller, Permit, identify
from signoff.accounts.actors import Permission
from signoff.accounts.errors import PersonNeeded
from signoff.platform.errors import Forbidden


class _AnyPerson(Permit):
    """Lets every signed-in person pass, whatever their role, and nobody else."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def __call__(self, request: Request) -> Caller:
        caller = await identify(request)
        if caller.actor.kind != "user":
            raise PersonNeeded("Sign in: this is about a person, and a key or a link is none.")
        return caller

    @property
    def security(self) -> list[dict[str, list[str]]]:
        return [{"session": []}]


class _AnyCredential(Permit):
    """Lets every valid key and every signed-in person pass."""

    def __init__(self) -> None:
        super().__init__(Permission.READ)

    async def __call__(self, request: Request) -> Caller:
        caller = await identify(request)
        if caller.actor.kind == "external":
            raise Forbidden("A reviewer's link opens its one review only.")
        return caller


Person = Annotated[Caller, Depends(_AnyPerson())]
Identified = Annotated[Caller, Depends(_AnyCredential())]
