from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity confirmed by the provider."""

    issuer: str
    subject: str
    email: str | None
    email_verified: bool
    name: str | None
