from typing import Annotated

from fastapi import Path
from pydantic import Field

from signoff.accounts.actors import Role
from signoff.accounts.out_of_office.schemas import Absence
from signoff.accounts.schemas import Email
from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel, example

UserId = Annotated[str, Path(alias="userId", max_length=128, description="Member ID.", examples=[examples.EDITOR_ID])]


USER_EXAMPLE = {
    "userId": examples.EDITOR_ID,
    "email": examples.EDITOR,
    "name": "Eda Torres",
    "role": "reviewer",
    "disabled": False,
    "invitationHeld": False,
    "lastSignInAt": None,
    "createdAt": examples.JOINED_AT,
    "absence": None,
}


class Invitation(RequestModel):
    model_config = example({"email": examples.EDITOR, "name": "Eda Torres", "role": "reviewer"})

    email: Email
    name: Name | None = Field(None, description="Defaults to the part of the email before `@`.")
    role: Role


class UserChange(PatchModel):
    """Leave a property out to keep its value."""

    model_config = example({"role": "editor"})

    name: Name | None = None
    role: Role | None = None
    disabled: bool | None = Field(None, strict=True, description="Deactivated members can't sign in.")


class User(ResponseModel):
    model_config = example(USER_EXAMPLE)

    user_id: str
    email: str
    name: str
    role: Role
    disabled: bool
    invitation_held: bool = Field(
        description="Whether an API key invited them and an admin still has to approve the invite. They can't sign "
        "in until then."
    )
    last_sign_in_at: str | None = Field(description="`null` if they've never signed in.")
    created_at: str
    absence: Absence | None = Field(description="Current or upcoming out-of-office period.")


class InvitedUser(User):
    model_config = example({**USER_EXAMPLE, "invitationLink": f"{examples.URL}/sign-in?token={examples.TOKEN}"})

    invitation_link: str | None = Field(
        description=(
            "Invite link. Works once and expires after 7 days. Shown only once, and `null` for API keys. Also sent by "
            "email, unless the invite is waiting for approval."
        )
    )


class SignInLinkAnswer(ResponseModel):
    model_config = example(
        {"signInLink": f"{examples.URL}/sign-in?token={examples.TOKEN}", "expiresAt": "2026-11-16T09:30:00.000Z"}
    )

    sign_in_link: str = Field(description="One-time sign-in link. Shown only once.")
    expires_at: str
