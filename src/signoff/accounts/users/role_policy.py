"""Who may change whose role. Pure functions of the current state, the change, and the caller."""

from dataclasses import dataclass

from signoff.accounts.actors import Role
from signoff.accounts.errors import CannotChangeSelf, LastOwner, OwnerRequired
from signoff.platform.messages import msg

OWNER_CHANGES_OWNERS = msg("Only an owner can add, change, or deactivate an owner.")


@dataclass(frozen=True, slots=True)
class MemberState:
    role: Role
    disabled: bool

    @property
    def is_acting_owner(self) -> bool:
        return self.role == "owner" and not self.disabled


def ensure_change_allowed(
    before: MemberState, after: MemberState, *, actor_role: Role | None, is_self: bool, other_owners: int
) -> None:
    """Check a change of role. `actor_role` is None for a key, which can't add or remove owners. `other_owners`
    counts the enabled ones.
    """
    if before == after:
        return
    if "owner" in {before.role, after.role} and actor_role != "owner":
        raise OwnerRequired(OWNER_CHANGES_OWNERS)
    if before.is_acting_owner and not after.is_acting_owner and not other_owners:
        raise LastOwner()
    if is_self:
        raise CannotChangeSelf()
