from typing import Annotated

from fastapi import Path
from pydantic import Field

from signoff.accounts.actors import Role
from signoff.accounts.out_of_office.schemas import Absence
from signoff.accounts.schemas import Email
from signoff.platform.schemas import Answer, Body, Change, Name

UserId = Annotated[str, Path(alias="userId", max_length=128)]


class Invitation(Body):
    email: Email
    name: Name | None = Field(None, description="Default: what stands before the `@` of the address.")
    role: Role


class UserChange(Change):
    """Members that are left out stay as they are."""

    name: Name | None = None
    role: Role | None = None
    disabled: bool | None = Field(None, strict=True, description="A disabled person cannot sign in.")


class User(Answer):
    user_id: str
    email: str
    name: str
    role: Role
    disabled: bool
    invitation_held: bool = Field(
        description="An API key invited them, and the invitation waits for an admin's approval. Disabled until then."
    )
    last_sign_in_at: str | None = Field(description="Null until the first sign-in.")
    created_at: str
    absence: Absence | None = Field(description="When they are away, now or to come, and who stands in.")


class InvitedUser(User):
    invitation_link: str | None = Field(
        description="Signs the person in once, within 7 days. Shown this once, to people only: for a key it is null. "
        "The person gets it by mail, unless the invitation waits for approval."
    )


class SignInLinkAnswer(Answer):
    sign_in_link: str = Field(description="Signs the person in once. Shown this once.")
    expires_at: str
