"""Verification of webhooks, following the Standard Webhooks specification."""

from __future__ import annotations

import hmac
import json
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from signoff_client.errors import InvalidSignature
from signoff_client.events import Event, parse_event

_TIMESTAMP = re.compile(r"[1-9][0-9]{0,11}", re.ASCII)


def verify(
    secrets: str | Iterable[str],
    headers: Mapping[str, str],
    body: bytes | str,
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> Event:
    """Verify a webhook and return its event.

    Raises `InvalidSignature` if no secret matches or the timestamp is more than `tolerance` seconds off. Pass the raw
    request body, not re-serialized JSON. An invalid secret raises `ValueError`.
    """
    keys = [_decode_secret(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("No secret given.")
    raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
    delivery_id, timestamp, signatures = (
        _single_header(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not _TIMESTAMP.fullmatch(timestamp):
        raise InvalidSignature("webhook-timestamp isn't a Unix timestamp.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise InvalidSignature(
            f"webhook-timestamp is more than {tolerance:g} seconds off. The webhook is old, or a clock is wrong."
        )
    signed = b"%s.%s.%s" % (delivery_id.encode("utf-8", "surrogatepass"), timestamp.encode(), raw)
    genuine = [b"v1," + b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    given = [each.encode("utf-8", "surrogatepass") for each in signatures.split(" ")]
    if not any(hmac.compare_digest(mine, theirs) for mine in genuine for theirs in given):
        raise InvalidSignature("No matching signature. Check the secret, and pass the raw request body.")
    return _parse_event(raw)


def _parse_event(body: bytes) -> Event:
    try:
        return parse_event(json.loads(body))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise InvalidSignature("The signature is valid, but this isn't a Signoff event.") from error


def _single_header(headers: Mapping[Any, Any], name: str) -> str:
    """Return the header's value. Duplicates are rejected: other code might read the one that wasn't verified."""
    found = [value for key, value in headers.items() if isinstance(key, str) and key.lower() == name]
    if len(found) != 1 or not isinstance(found[0], str):
        raise InvalidSignature(f"Expected exactly one {name} header.")
    return found[0]


def _decode_secret(secret: str) -> bytes:
    try:
        key = b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError(
            "The webhook secret isn't valid. Use the secret that starts with whsec_. It's shown when you create the "
            "agent."
        )
    return key
