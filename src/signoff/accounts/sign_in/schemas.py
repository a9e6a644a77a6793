from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.accounts.actors import Permission, Role
from signoff.accounts.passwords import LONGEST
from signoff.accounts.plans import PlanName
from signoff.accounts.schemas import LONGEST_EMAIL, Email, Password
from signoff.accounts.sign_in.links import Purpose
from signoff.accounts.sign_in.preferences import Preferences, PreferencesChange
from signoff.platform.messages import Language
from signoff.platform.schemas import Answer, Body, Change, Name

LinkToken = Annotated[str, StringConstraints(max_length=200), Field(repr=False, description="`token` of the link.")]
SignInSessionId = Annotated[str, Path(alias="sessionId", max_length=128)]


class Credentials(Body):
    """Checked for size only: what is not an address or a possible password is wrong like any other."""

    email: Annotated[str, StringConstraints(max_length=LONGEST_EMAIL)]
    password: Annotated[str, StringConstraints(max_length=LONGEST), Field(repr=False)]


class ForgottenPassword(Body):
    """Checked for size only: the answer is the same for every address, also for what is none."""

    email: Annotated[str, StringConstraints(max_length=LONGEST_EMAIL)]


class LinkOrdered(Answer):
    """The same whoever has the address, and whether anybody has."""

    accepted: Literal[True] = True


class LinkUse(Body):
    token: LinkToken
    password: Password | None = Field(
        None, repr=False, description="Sets the password. It ends the person's other sessions."
    )


class LinkQuestion(Body):
    token: LinkToken


class LinkInfo(Answer):
    purpose: Purpose
    email: str = Field(description="Of the person whom the link signs in.")
    account_name: str
    has_password: bool


class OidcMethod(Answer):
    name: str = Field(description="What the identity provider is called here.")
    start_url: str = Field(description="Where to send the browser; takes `next`, a path to come back to.")


class SignInMethods(Answer):
    password: Literal[True] = True
    oidc: OidcMethod | None = Field(description="Null: no identity provider is set up.")
    mail: bool = Field(description="Whether mails are sent, so that a forgotten password can be replaced by one.")
    first_run: bool = Field(description="Nobody has come to the workspace yet; its owner has a one-time link.")


class OpenSession(Answer):
    session_id: str = Field(description="Names the session. It is not the token, and opens nothing.")
    current: bool = Field(description="Whether it is the one that asks.")
    created_at: str
    last_seen_at: str = Field(description="To the minute.")
    ip: str | None
    user_agent: str | None


class OpenSessions(Answer):
    items: list[OpenSession]


class ProfileChange(Change):
    """Members that are left out stay as they are."""

    nullable = frozenset({"language"})

    name: Name | None = None
    email: Email | None = Field(
        None,
        description="A new address counts once it is confirmed by the link that is mailed to it. "
        "The current address cancels a change that isn't confirmed.",
    )
    password: Password | None = Field(None, repr=False)
    current_password: Annotated[str, StringConstraints(max_length=LONGEST)] | None = Field(
        None, repr=False, description="Needed to change address or password, once there is a password."
    )
    preferences: PreferencesChange | None = None
    language: Language | None = Field(None, description="For the web app, emails, and chat. `null`: the account's.")


class EmailConfirmation(Body):
    token: LinkToken


class Profile(Answer):
    user_id: str
    email: str
    name: str
    pending_email: str | None = Field(description="A new address that waits for confirmation.")
    language: Language | None = Field(description="Null: the account's.")


class Workplace(Answer):
    account_id: str
    name: str
    plan: PlanName
    language: Language | None = Field(description="The default for members. Null: the browser's; English for email.")


class MyGroup(Answer):
    group_id: str
    name: str


class StandingIn(Answer):
    """Somebody who is away now, and for whom one is asked meanwhile."""

    user_id: str
    email: str
    name: str
    until: str = Field(json_schema_extra={"format": "date-time"})
    group_ids: list[str] = Field(description="The groups that they belong to.")


class Me(Answer):
    user: Profile
    role: Role
    account: Workplace
    permissions: list[Permission]
    has_password: bool = Field(description="False: came by a one-time link and has set none yet.")
    preferences: Preferences
    groups: list[MyGroup] = Field(description="By name.")
    standing_in_for: list[StandingIn] = Field(description="Those who are away now and named one as their delegate.")
