"""Secrets that sign what the service sends."""

import base64
import secrets

ROTATION_OVERLAP = "24 hours"
"""After a rotation, both secrets sign, so that receivers can change over without losing an event."""


def new_webhook_secret() -> str:
    """A signing secret as Standard Webhooks has it."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
