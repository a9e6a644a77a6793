"""What people choose for themselves. Only what differs from the defaults is stored; reading fills in the rest."""

from functools import cache
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from signoff.platform.schemas import Answer, Change

EmailChoice = Literal["none", "each", "hourly", "daily"]
Theme = Literal["system", "light", "dark"]


@cache
def _time_zones() -> frozenset[str]:
    """Read from disk, which takes a moment, once."""
    return frozenset(available_timezones())


def _known_time_zone(name: str) -> str:
    if name not in _time_zones():
        raise PydanticCustomError("unknown_time_zone", "is not a time zone, like Europe/Berlin")
    return name


TimeZone = Annotated[str, StringConstraints(max_length=100), AfterValidator(_known_time_zone)]


class Preferences(Answer):
    email: EmailChoice = Field("each", description="How often mails tell of reviews that wait.")
    shortcuts: bool = Field(True, description="Whether single keys do something in the inbox.")
    theme: Theme = "system"
    time_zone: str | None = Field(None, description="Null: the browser's.")
    browser_notifications: bool = False


class PreferencesChange(Change):
    """Members that are left out stay as they are."""

    nullable = frozenset({"time_zone"})

    email: EmailChoice | None = None
    shortcuts: bool | None = Field(None, strict=True)
    theme: Theme | None = None
    time_zone: TimeZone | None = Field(None, description="A name like `Europe/Berlin`. `null`: the browser's.")
    browser_notifications: bool | None = Field(None, strict=True)
