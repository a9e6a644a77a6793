"""Secrets that sign what the service sends."""

import base64
import secrets

ROTATION_OVERLAP = "24 hours"
"""After a rotation both secrets sign, so that receivers can switch without losing an event."""


def new_webhook_secret() -> str:
    """Create a signing secret in the Standard Webhooks format."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
