from pydantic import Field, JsonValue

from signoff.accounts.schemas import Email, Timestamp
from signoff.platform import examples
from signoff.platform.schemas import RequestModel, ResponseModel, example

DATE_TIME: dict[str, JsonValue] = {"format": "date-time"}


ABSENCE_EXAMPLE = {"from": "2036-12-20T08:00:00.000Z", "until": "2037-01-03T08:00:00.000Z", "delegate": examples.EDITOR}


class NewAbsence(RequestModel):
    model_config = example(ABSENCE_EXAMPLE)

    begins: Timestamp = Field(
        alias="from",
        description="Start (ISO 8601 with time zone). Can be in the past.",
    )
    until: Timestamp = Field(description="End (ISO 8601 with time zone).")
    delegate: Email = Field(description="Email of the delegate.")


class Absence(ResponseModel):
    """A current or upcoming out-of-office period."""

    begins: str = Field(alias="from", json_schema_extra=DATE_TIME)
    until: str = Field(json_schema_extra=DATE_TIME)
    delegate: str = Field(description="Email of the delegate.")


class OwnAbsence(ResponseModel):
    """All properties are `null` if there's no current or upcoming period."""

    model_config = example(ABSENCE_EXAMPLE)

    begins: str | None = Field(None, alias="from", json_schema_extra=DATE_TIME)
    until: str | None = Field(None, json_schema_extra=DATE_TIME)
    delegate: str | None = Field(None, description="Email of the delegate.")
