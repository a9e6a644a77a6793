from typing import Literal

from pydantic import Field

from signoff.platform.schemas import ResponseModel, example


class NextMail(ResponseModel):
    """When your next notification email is due, based on your current settings."""

    model_config = example(
        {
            "each": True,
            "collectSeconds": 30,
            "newsAt": None,
            "digest": "daily",
            "digestAt": "2026-11-16T07:00:00.000Z",
            "timeZone": "Europe/Berlin",
        }
    )

    each: bool = Field(description="Whether you get an email per review for at least one agent.")
    collect_seconds: float = Field(description="How long notifications are collected before they're sent in one email.")
    news_at: str | None = Field(description="When the next notification email is due. `null` if none is queued.")
    digest: Literal["hourly", "daily"] | None = Field(description="Which digest is next. `null` if none is scheduled.")
    digest_at: str | None = Field(description="When the digest is sent, if reviews are pending then.")
    time_zone: str = Field(description="Your time zone. Defaults to the account's, or UTC if neither is set.")
