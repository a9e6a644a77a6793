"""Parse email addresses, without DNS lookups."""

import email_validator
from email_validator import ValidatedEmail

# Self-hosted services often send mail to private domains. The library's documentation names this list as the place to
# allow them.
for _private in ("local", "localhost", "test"):
    email_validator.SPECIAL_USE_DOMAIN_NAMES.remove(_private)


def parse_email(text: str) -> ValidatedEmail:
    """Raise `EmailNotValidError`, a `ValueError`, if the address isn't valid."""
    return email_validator.validate_email(text, check_deliverability=False, globally_deliverable=False)
