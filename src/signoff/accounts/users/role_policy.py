"""Who may change whose rights. Pure: what is, what is wanted, who wants it."""

from dataclasses import dataclass

from signoff.accounts.actors import Role
from signoff.accounts.errors import LastOwner, NotYourself, OwnerNeeded


@dataclass(frozen=True, slots=True)
class Standing:
    role: Role
    disabled: bool

    @property
    def is_acting_owner(self) -> bool:
        return self.role == "owner" and not self.disabled


def check_change(
    before: Standing, after: Standing, *, actor_role: Role | None, is_self: bool, other_owners: int
) -> None:
    """`actor_role` is None for a key: keys make and unmake no owners. `other_owners` counts the enabled ones."""
    if before == after:
        return
    if "owner" in {before.role, after.role} and actor_role != "owner":
        raise OwnerNeeded("Only an owner can make, change or disable an owner.")
    if before.is_acting_owner and not after.is_acting_owner and not other_owners:
        raise LastOwner("This is the last owner of the account. Make another person owner first.")
    if is_self:
        raise NotYourself("Nobody can change their own role or disable themselves. Ask another administrator.")
