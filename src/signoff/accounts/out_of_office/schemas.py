from pydantic import Field, JsonValue

from signoff.accounts.schemas import Email, Timestamp
from signoff.platform.schemas import Answer, Body

MOMENT: dict[str, JsonValue] = {"format": "date-time"}


class NewAbsence(Body):
    begins: Timestamp = Field(alias="from", description="ISO 8601, with its zone. May be in the past.")
    until: Timestamp = Field(description="ISO 8601, with its zone.")
    delegate: Email = Field(description="The member who stands in, by e-mail address.")


class Absence(Answer):
    """Under way, or to come."""

    begins: str = Field(alias="from", json_schema_extra=MOMENT)
    until: str = Field(json_schema_extra=MOMENT)
    delegate: str = Field(description="E-mail address of the member who stands in.")


class OwnAbsence(Answer):
    """Every member is null when there is no absence under way or to come."""

    begins: str | None = Field(None, alias="from", json_schema_extra=MOMENT)
    until: str | None = Field(None, json_schema_extra=MOMENT)
    delegate: str | None = Field(None, description="E-mail address of the member who stands in.")
