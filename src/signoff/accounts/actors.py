"""Actors and their permissions. The account ID of a request always comes from here."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from signoff.platform.messages import Message, Term, msg


class Permission(StrEnum):
    READ = "read"
    """Read agents, review types, reviews, deliveries, and sessions."""
    REQUEST = "request"
    """Request reviews and delete them."""
    DECIDE = "decide"
    """Approve, reject, or request changes. Only people ever have this permission."""
    DELIVER = "deliver"
    """Retry or cancel deliveries."""
    DESIGN = "design"
    """Change agents and review types."""
    ADMINISTER = "administer"
    """Change members, groups, keys, and the account; read the audit log."""


Role = Literal["owner", "admin", "editor", "reviewer", "viewer"]
Scope = Literal["reviews:write", "reviews:read", "manage"]

ROLES: dict[Role, frozenset[Permission]] = {
    "owner": frozenset(Permission),
    "admin": frozenset(Permission),
    "editor": frozenset(Permission) - {Permission.ADMINISTER},
    "reviewer": frozenset({Permission.READ, Permission.DECIDE, Permission.DELIVER}),
    "viewer": frozenset({Permission.READ}),
}

_ROLE_NAMES: dict[Role, Message] = {
    "owner": msg("Owner"),
    "admin": msg("Admin"),
    "editor": msg("Editor"),
    "reviewer": msg("Reviewer"),
    "viewer": msg("Viewer"),
}

DECIDING_ROLES: tuple[Role, ...] = tuple(role for role, may in ROLES.items() if Permission.DECIDE in may)

SCOPES: dict[Scope, frozenset[Permission]] = {
    "reviews:write": frozenset({Permission.REQUEST}),
    "reviews:read": frozenset({Permission.READ}),
    "manage": frozenset({Permission.READ, Permission.DELIVER, Permission.DESIGN, Permission.ADMINISTER}),
}

DEFAULT_SCOPES: tuple[Scope, ...] = ("reviews:write", "reviews:read")


def role_term(role: Role) -> Term:
    return Term(role, _ROLE_NAMES[role])


@dataclass(frozen=True, slots=True)
class ActorColumns:
    """What the rows that an actor writes say about it."""

    kind: str
    id: str
    name: str
    ip: str | None
    request_id: str | None
    requester_id: str


@dataclass(frozen=True, slots=True)
class Actor:
    """An actor in an account: a person, an API key, an external reviewer, or the system."""

    kind: Literal["user", "key", "external", "system"]
    account_id: str
    id: str
    name: str
    """The email of a person, or the name of a key."""
    permissions: frozenset[Permission]
    role: Role | None = None
    review_id: str | None = None
    """The one review that an external reviewer may see."""
    ip: str | None = None
    request_id: str | None = None
    lineage_id: str | None = None
    """For a key that replaced another one: the first key of the chain."""

    def can(self, permission: Permission) -> bool:
        return permission in self.permissions

    @property
    def requester_id(self) -> str:
        """Return the ID that owns the reviews this actor requests. A key shares it with the keys it replaced."""
        return self.lineage_id or self.id

    @property
    def columns(self) -> ActorColumns:
        return ActorColumns(self.kind, self.id, self.name, self.ip, self.request_id, self.requester_id)

    @property
    def is_admin(self) -> bool:
        return self.role in {"owner", "admin"}


AUTO_APPROVE, TIME_OUT_USER = "auto-approve", "time-out"
"""`respondingUser` of automatic decisions."""


def system_actor(account_id: str, name: str = "system") -> Actor:
    return Actor("system", account_id, "system", name, frozenset())
