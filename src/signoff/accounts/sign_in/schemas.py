from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.accounts.actors import ROLES, Permission, Role
from signoff.accounts.passwords import MAX_LENGTH
from signoff.accounts.plans import PlanName
from signoff.accounts.schemas import MAX_EMAIL_LENGTH, Email, Password
from signoff.accounts.sign_in.links import Purpose
from signoff.accounts.sign_in.preferences import Preferences, PreferencesChange
from signoff.platform import examples
from signoff.platform.messages import Language
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel, example

LinkToken = Annotated[str, StringConstraints(max_length=200), Field(repr=False, description="Token from the link.")]
SignInSessionId = Annotated[
    str, Path(alias="sessionId", max_length=128, description="Session ID.", examples=[examples.SIGN_IN_SESSION_ID])
]


ME_EXAMPLE = {
    "user": {
        "userId": examples.USER_ID,
        "email": examples.OWNER,
        "name": "Ann",
        "pendingEmail": None,
        "language": "de",
    },
    "role": "owner",
    "account": {"accountId": examples.ACCOUNT_ID, "name": "Acme", "plan": "self-hosted", "language": "en"},
    "permissions": [permission.value for permission in Permission if permission in ROLES["owner"]],
    "hasPassword": True,
    "preferences": {
        "email": "daily",
        "emailIsDefault": False,
        "digestHour": 8,
        "digestHourIsDefault": True,
        "agents": {examples.AGENT_ID: "each"},
        "shortcuts": True,
        "theme": "dark",
        "timeZone": "Europe/Berlin",
        "browserNotifications": False,
    },
    "groups": [{"groupId": examples.GROUP_ID, "name": "Editors"}],
    "standingInFor": [],
}


class Credentials(RequestModel):
    """Sign-in credentials."""

    model_config = example({"email": examples.OWNER, "password": "correct horse battery staple"})

    email: Annotated[str, StringConstraints(max_length=MAX_EMAIL_LENGTH)]
    password: Annotated[str, StringConstraints(max_length=MAX_LENGTH), Field(repr=False)]


class ForgottenPassword(RequestModel):
    """Email of the member."""

    model_config = example({"email": examples.OWNER})

    email: Annotated[str, StringConstraints(max_length=MAX_EMAIL_LENGTH)]


class LinkOrdered(ResponseModel):
    """The response is the same whether or not the email exists."""

    model_config = example({"accepted": True})

    accepted: Literal[True] = True


class LinkUse(RequestModel):
    model_config = example({"token": examples.TOKEN, "password": "correct horse battery staple"})

    token: LinkToken
    password: Password | None = Field(None, repr=False, description="New password. Ends all other sessions.")


class LinkQuestion(RequestModel):
    model_config = example({"token": examples.TOKEN})

    token: LinkToken


class LinkInfo(ResponseModel):
    model_config = example(
        {"purpose": "invitation", "email": examples.EDITOR, "accountName": "Acme", "hasPassword": False}
    )

    purpose: Purpose
    email: str = Field(description="Email of the member.")
    account_name: str
    has_password: bool


class OidcMethod(ResponseModel):
    name: str = Field(description="Display name of the identity provider.")
    start_url: str = Field(description="URL to start single sign-on. Accepts `next`, the path to return to.")


class SignInMethods(ResponseModel):
    model_config = example(
        {
            "password": True,
            "oidc": {"name": "Acme account", "startUrl": f"{examples.URL}/api/v1/auth/oidc/start"},
            "mail": True,
            "firstRun": False,
        }
    )

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
    model_config = example(
        {
            "items": [
                {
                    "sessionId": "sis_5f0c1e7a94d2b8360c17ae52f981",
                    "current": True,
                    "createdAt": examples.REQUESTED_AT,
                    "lastSeenAt": examples.RESPONDED_AT,
                    "ip": "203.0.113.7",
                    "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                }
            ]
        }
    )

    items: list[OpenSession]


class ProfileChange(PatchModel):
    """Leave a property out to keep its value."""

    model_config = example(
        {"name": "Ann", "preferences": {"theme": "dark", "timeZone": "Europe/Berlin"}, "language": "de"}
    )

    nullable = frozenset({"language"})

    name: Name | None = None
    email: Email | None = Field(
        None,
        description="A new address takes effect once you confirm it with the link that we email to it. "
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
    model_config = example({"token": examples.TOKEN})

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
        description=(
            "Default language for members. `null`: the browser's language in the web app, and English in emails."
        )
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
    model_config = example(ME_EXAMPLE)

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
