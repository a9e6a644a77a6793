from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.accounts.actors import Permission, Role
from signoff.accounts.passwords import MAX_LENGTH
from signoff.accounts.plans import PlanName
from signoff.accounts.schemas import MAX_EMAIL_LENGTH, Email, Password
from signoff.accounts.sign_in.links import Purpose
from signoff.accounts.sign_in.preferences import Preferences, PreferencesChange
from signoff.platform import examples
from signoff.platform.messages import Language
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel

LinkToken = Annotated[str, StringConstraints(max_length=200), Field(repr=False, description="Token from the link.")]
SignInSessionId = Annotated[
    str, Path(alias="sessionId", max_length=128, description="Session ID.", examples=[examples.SIGN_IN_SESSION_ID])
]


class Credentials(RequestModel):
    """Sign-in credentials."""

    email: Annotated[str, StringConstraints(max_length=MAX_EMAIL_LENGTH)]
    password: Annotated[str, StringConstraints(max_length=MAX_LENGTH), Field(repr=False)]


class ForgottenPassword(RequestModel):
    """Email of the member."""

    email: Annotated[str, StringConstraints(max_length=MAX_EMAIL_LENGTH)]


class LinkOrdered(ResponseModel):
    """The response is the same whether or not the email exists."""

    accepted: Literal[True] = True


class LinkUse(RequestModel):
    token: LinkToken
    password: Password | None = Field(None, repr=False, description="New password. Ends all other sessions.")


class LinkQuestion(RequestModel):
    token: LinkToken


class LinkInfo(ResponseModel):
    purpose: Purpose
    email: str = Field(description="Email of the member.")
    account_name: str
    has_password: bool


class OidcMethod(ResponseModel):
    name: str = Field(description="Display name of the identity provider.")
    start_url: str = Field(description="URL to start single sign-on. Accepts `next`, the path to return to.")


class SignInMethods(ResponseModel):
    password: Literal[True] = True
    oidc: OidcMethod | None = Field(description="`null` if single sign-on isn't set up.")
    mail: bool = Field(description="Whether email is set up, so members can reset their password.")
    first_run: bool = Field(description="Whether the workspace is new and its owner hasn't signed in yet.")


class OpenSession(ResponseModel):
    session_id: str = Field(description="Session ID. This isn't the token.")
    current: bool = Field(description="Whether this is your current session.")
    created_at: str
    last_seen_at: str = Field(description="Rounded to the minute.")
    ip: str | None
    user_agent: str | None


class OpenSessions(ResponseModel):
    items: list[OpenSession]


class ProfileChange(PatchModel):
    """Leave a property out to keep its value."""

    nullable = frozenset({"language"})

    name: Name | None = None
    email: Email | None = Field(
        None,
        description="A new address takes effect once it's confirmed with the link in the email sent to it. "
        "Send the current address to cancel an unconfirmed change.",
    )
    password: Password | None = Field(None, repr=False)
    current_password: Annotated[str, StringConstraints(max_length=MAX_LENGTH)] | None = Field(
        None, repr=False, description="Required to change your email or password if you have a password."
    )
    preferences: PreferencesChange | None = None
    language: Language | None = Field(
        None, description="Your language in the web app, emails, and chat. `null` for the account's language."
    )


class EmailConfirmation(RequestModel):
    token: LinkToken


class Profile(ResponseModel):
    user_id: str
    email: str
    name: str
    pending_email: str | None = Field(description="A new address that isn't confirmed yet.")
    language: Language | None = Field(description="`null` for the account's language.")


class Workplace(ResponseModel):
    account_id: str
    name: str
    plan: PlanName
    language: Language | None = Field(
        description="Default language for members. `null` for the browser's language, and English for email."
    )


class MyGroup(ResponseModel):
    group_id: str
    name: str


class StandingIn(ResponseModel):
    """A member you're a delegate for."""

    user_id: str
    email: str
    name: str
    until: str = Field(json_schema_extra={"format": "date-time"})
    group_ids: list[str] = Field(description="IDs of their groups.")


class Me(ResponseModel):
    user: Profile
    role: Role
    account: Workplace
    permissions: list[Permission]
    has_password: bool = Field(description="`false` if the member hasn't set a password yet.")
    preferences: Preferences
    groups: list[MyGroup] = Field(description="Groups, sorted by name.")
    standing_in_for: list[StandingIn] = Field(
        description="Members who are out of office and chose you as their delegate."
    )
