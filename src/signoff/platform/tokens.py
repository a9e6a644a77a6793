"""Secrets: tokens that authenticate their holder, and keys that sign webhooks."""

import base64
import hashlib
import secrets
from typing import Final

ROTATION_OVERLAP: Final = "interval '24 hours'"
"""After a rotation both secrets sign, so that receivers can switch without losing an event."""


def new_token(prefix: str) -> str:
    """Create a secret with 256 random bits. Its prefix makes it recognizable if it leaks into a log or a repository."""
    return f"{prefix}_{secrets.token_urlsafe(32)}"


def token_hash(token: str) -> bytes:
    """Return the hash of a token that we store. A plain hash is enough: 256 random bits can't be guessed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def new_webhook_secret() -> str:
    """Create a signing secret in the Standard Webhooks format."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
