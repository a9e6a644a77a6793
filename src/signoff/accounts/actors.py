"""Who acts, and what they may do. The tenant comes out of here and from nowhere else."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Permission(StrEnum):
    READ = "read"
    """See agents, review types, reviews, deliveries and sessions."""
    REQUEST = "request"
    """Ask for reviews and remove them."""
    DECIDE = "decide"
    """Approve, reject, ask for a retry. Only people ever have it."""
    DELIVER = "deliver"
    """Retry or stop deliveries."""
    DESIGN = "design"
    """Change agents and review types."""
    ADMINISTER = "administer"
    """Change people, groups, keys and the account; read the audit log."""


Role = Literal["owner", "admin", "editor", "reviewer", "viewer"]
Scope = Literal["reviews:write", "reviews:read", "manage"]

ROLES: dict[Role, frozenset[Permission]] = {
    "owner": frozenset(Permission),
    "admin": frozenset(Permission),
    "editor": frozenset(Permission) - {Permission.ADMINISTER},
    "reviewer": frozenset({Permission.READ, Permission.DECIDE, Permission.DELIVER}),
    "viewer": frozenset({Permission.READ}),
}

DECIDING_ROLES: tuple[Role, ...] = tuple(role for role, may in ROLES.items() if Permission.DECIDE in may)

SCOPES: dict[Scope, frozenset[Permission]] = {
    "reviews:write": frozenset({Permission.REQUEST}),
    "reviews:read": frozenset({Permission.READ}),
    "manage": frozenset({Permission.READ, Permission.DELIVER, Permission.DESIGN, Permission.ADMINISTER}),
}

DEFAULT_SCOPES: tuple[Scope, ...] = ("reviews:write", "reviews:read")


@dataclass(frozen=True, slots=True)
class Actor:
    """One who acts for an account: a person, an API key, an external reviewer, or the service itself."""

    kind: Literal["user", "key", "external", "system"]
    account_id: str
    id: str
    name: str
    """An e-mail address for people, the key's name for keys."""
    permissions: frozenset[Permission]
    role: Role | None = None
    review_id: str | None = None
    """The one review that an external reviewer may see."""
    ip: str | None = None
    request_id: str | None = None
    lineage_id: str | None = None
    """Of a key that replaced another one: the first key of that line."""

    def can(self, permission: Permission) -> bool:
        return permission in self.permissions

    @property
    def requester_id(self) -> str:
        """Under which the reviews that this actor requests are its own. A key shares it with those it replaced."""
        return self.lineage_id or self.id

    @property
    def is_admin(self) -> bool:
        return self.role in {"owner", "admin"}


def system_actor(account_id: str, name: str = "system") -> Actor:
    return Actor("system", account_id, "system", name, frozenset())
