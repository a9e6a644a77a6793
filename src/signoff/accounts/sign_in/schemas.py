from typing import Annotated

from pydantic import Field, StringConstraints

from signoff.accounts.actors import Permission, Role
from signoff.accounts.passwords import LONGEST
from signoff.accounts.plans import PlanName
from signoff.accounts.schemas import LONGEST_EMAIL, Email, Password
from signoff.platform.schemas import Answer, Body, Change, Name


class Credentials(Body):
    """Checked for size only: what is not an address or a possible password is wrong like any other."""

    email: Annotated[str, StringConstraints(max_length=LONGEST_EMAIL)]
    password: Annotated[str, StringConstraints(max_length=LONGEST), Field(repr=False)]


class LinkUse(Body):
    token: Annotated[str, StringConstraints(max_length=200), Field(repr=False, description="`token` of the link.")]
    password: Password | None = Field(
        None, repr=False, description="Sets the password. It ends the person's other sessions."
    )


class ProfileChange(Change):
    """Members that are left out stay as they are."""

    name: Name | None = None
    email: Email | None = None
    password: Password | None = Field(None, repr=False)
    current_password: Annotated[str, StringConstraints(max_length=LONGEST)] | None = Field(
        None, repr=False, description="Needed to change address or password, once there is a password."
    )


class Profile(Answer):
    user_id: str
    email: str
    name: str


class Workplace(Answer):
    account_id: str
    name: str
    plan: PlanName


class Me(Answer):
    user: Profile
    role: Role
    account: Workplace
    permissions: list[Permission]
    has_password: bool = Field(description="False: came by a one-time link and has set none yet.")
