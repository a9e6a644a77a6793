"""Dependencies for signing in and out, before the caller is known."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from signoff.accounts.actors import ROLES, Actor, Role
from signoff.accounts.authentication import SESSION_COOKIE, ensure_same_origin
from signoff.accounts.context import AppContext, get_context
from signoff.accounts.sign_in.devices import DEVICE_COOKIE
from signoff.platform.db import Database
from signoff.platform.http.json_routes import Gate
from signoff.platform.settings import Settings

MAX_USER_AGENT_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Visitor:
    context: AppContext
    ip: str | None
    request_id: str | None
    user_agent: str | None
    session_token: str | None
    """The token of this browser's previous session."""
    device_token: str | None

    @property
    def db(self) -> Database:
        return self.context.db

    @property
    def settings(self) -> Settings:
        return self.context.settings

    def to_actor(self, account_id: str, user_id: str, email: str, role: Role) -> Actor:
        return Actor("user", account_id, user_id, email, ROLES[role], role, ip=self.ip, request_id=self.request_id)


class _VisitorGate(Gate):
    """Refuses other origins: their pages can neither sign their visitors in nor out."""

    async def __call__(self, request: Request) -> Visitor:
        return await self.admit_once(request)

    async def admit(self, request: Request) -> Visitor:
        context = get_context(request.app)
        ensure_same_origin(request, context.settings)
        return Visitor(
            context,
            request.scope.get("client_ip"),
            request.scope.get("request_id"),
            request.headers.get("user-agent", "")[:MAX_USER_AGENT_LENGTH] or None,
            request.cookies.get(SESSION_COOKIE),
            request.cookies.get(DEVICE_COOKIE),
        )


SignInVisitor = Annotated[Visitor, Depends(_VisitorGate())]
