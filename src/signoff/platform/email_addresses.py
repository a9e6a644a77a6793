"""Parsing email addresses. Never asks a DNS server."""

import email_validator
from email_validator import ValidatedEmail

# A self-hosted service often runs where mail goes to private names. The library's documentation names this list as
# the place to allow them.
for _private in ("local", "localhost", "test"):
    email_validator.SPECIAL_USE_DOMAIN_NAMES.remove(_private)


def parse_email(text: str) -> ValidatedEmail:
    """Raises `EmailNotValidError`, a `ValueError`."""
    return email_validator.validate_email(text, check_deliverability=False, globally_deliverable=False)
