"""Shared types for the bodies of members, keys, and the account."""

from datetime import UTC, datetime
from typing import Annotated

from email_validator import EmailNotValidError
from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from signoff.accounts.passwords import MAX_LENGTH, MIN_LENGTH
from signoff.platform.email_addresses import parse_email
from signoff.platform.messages import msg
from signoff.platform.validation_messages import custom_error

MAX_EMAIL_LENGTH = 320


def normalize_email(text: str) -> str:
    """Normalize an email for storage and lookup. Raises `ValueError`."""
    return parse_email(text.strip()).normalized.lower()


def _valid_email(text: str) -> str:
    try:
        return normalize_email(text)
    except EmailNotValidError as error:
        message = msg("isn't a valid email address: {reason}", reason=str(error))
        raise custom_error("invalid_email", message) from None


def _not_blank(password: str) -> str:
    if not password.strip():
        raise custom_error("blank_password", msg("can't be blank"))
    return password


def _timestamp(value: object) -> datetime:
    """Only accept text with a time zone: a bare number or a local time would be ambiguous."""
    try:
        parsed = datetime.fromisoformat(value) if isinstance(value, str) else None
        if parsed is not None and parsed.tzinfo is not None:
            return parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise custom_error(
        "invalid_timestamp",
        msg("must be an ISO 8601 timestamp with a time zone, for example 2030-01-31T12:00:00Z"),
    )


Email = Annotated[
    str,
    StringConstraints(max_length=MAX_EMAIL_LENGTH),
    AfterValidator(_valid_email),
    Field(json_schema_extra={"format": "email"}),
]
Password = Annotated[str, StringConstraints(min_length=MIN_LENGTH, max_length=MAX_LENGTH), AfterValidator(_not_blank)]
Timestamp = Annotated[datetime, BeforeValidator(_timestamp)]
