"""Members' preferences. Only values that differ from the defaults are stored; reading fills in the rest.

The account also has a default for how often mails are sent, for members who haven't chosen.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, StringConstraints

from signoff.platform.messages import msg
from signoff.platform.schemas import PatchModel, ResponseModel
from signoff.platform.validation_messages import custom_error

EmailChoice = Literal["none", "each", "hourly", "daily"]
Theme = Literal["system", "light", "dark"]


@cache
def _time_zones() -> frozenset[str]:
    """Read the time zones from disk once, which takes a moment."""
    return frozenset(available_timezones())


def _known_time_zone(name: str) -> str:
    if name not in _time_zones():
        raise custom_error("unknown_time_zone", msg("must be a time zone name, for example America/New_York"))
    return name


TimeZone = Annotated[str, StringConstraints(max_length=100), AfterValidator(_known_time_zone)]
Hour = Annotated[int, Field(ge=0, le=23, strict=True)]
AgentId = Annotated[str, StringConstraints(min_length=1, max_length=128)]
AgentChoices = Annotated[dict[AgentId, EmailChoice], Field(max_length=500)]


class NotificationDefaults(ResponseModel):
    """The workspace's defaults, for members who haven't chosen otherwise."""

    email: EmailChoice = Field("each", description="How often to email members about pending reviews.")
    digest_hour: int = Field(8, description="Hour of the daily digest, 0 to 23.")
    time_zone: str | None = Field(None, description="`null` for UTC.")


class NotificationDefaultsChange(PatchModel):
    """Leave a property out to keep its value."""

    nullable = frozenset({"time_zone"})

    email: EmailChoice | None = None
    digest_hour: Hour | None = None
    time_zone: TimeZone | None = Field(None, description="IANA time zone, for example `Europe/Berlin`. `null` for UTC.")


class Preferences(ResponseModel):
    email: EmailChoice = Field("each", description="How often to email you about pending reviews.")
    email_is_default: bool = Field(True, description="Whether this is the account default.")
    digest_hour: int = Field(8, description="Hour of the daily digest (0 to 23, in your time zone).")
    digest_hour_is_default: bool = Field(True, description="Whether this is the account default.")
    agents: dict[str, EmailChoice] = Field({}, description="Overrides of `email`, keyed by agent ID.")
    shortcuts: bool = Field(True, description="Whether keyboard shortcuts are on.")
    theme: Theme = "system"
    time_zone: str | None = Field(None, description="`null` for the browser's time zone (in emails, the account's).")
    browser_notifications: bool = False


class PreferencesChange(PatchModel):
    """Leave a property out to keep its value."""

    nullable = frozenset({"time_zone", "email", "digest_hour"})

    email: EmailChoice | None = Field(None, description="`null` for the account default.")
    digest_hour: Hour | None = Field(None, description="0 to 23, or `null` for the account default.")
    agents: AgentChoices | None = Field(
        None, description="Overrides by agent ID. Replaces all existing overrides. Agents not listed use `email`."
    )
    shortcuts: bool | None = Field(None, strict=True)
    theme: Theme | None = None
    time_zone: TimeZone | None = Field(
        None, description="IANA time zone, for example `Europe/Berlin`. `null` for the browser's time zone."
    )
    browser_notifications: bool | None = Field(None, strict=True)


def resolve_preferences(stored: Mapping[str, Any], defaults: NotificationDefaults) -> Preferences:
    """Return a member's choices, with the account's defaults and ours for the rest."""
    chosen = {name: value for name, value in stored.items() if value is not None}
    filled: dict[str, Any] = {"email": defaults.email, "digest_hour": defaults.digest_hour, **chosen}
    filled |= {"email_is_default": "email" not in chosen, "digest_hour_is_default": "digest_hour" not in chosen}
    return Preferences(**filled)
