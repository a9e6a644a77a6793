"""Whether a call to a webhook is genuine, by the Standard Webhooks convention."""

from __future__ import annotations

import hmac
import json
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from signoff_client.errors import InvalidSignature
from signoff_client.events import Event, read_event

_SECONDS = re.compile(r"[1-9][0-9]{0,11}", re.ASCII)


def verify(
    secrets: str | Iterable[str],
    headers: Mapping[str, str],
    body: bytes | str,
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> Event:
    """The event, if one of the secrets signed it within `tolerance` seconds of now. Else raises `InvalidSignature`.

    `body` must be the bytes that were received, not JSON that was parsed and written again. Whatever headers and body
    hold, nothing but `InvalidSignature` is raised; a secret that is none is a `ValueError`.
    """
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("There is no secret to verify with.")
    raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
    delivery_id, timestamp, signatures = (
        _single(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not _SECONDS.fullmatch(timestamp):
        raise InvalidSignature("webhook-timestamp is no time in seconds.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise InvalidSignature(f"webhook-timestamp is more than {tolerance:g} seconds off: an old call, or a clock.")
    signed = b"%s.%s.%s" % (delivery_id.encode("utf-8", "surrogatepass"), timestamp.encode(), raw)
    genuine = [b"v1," + b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    given = [each.encode("utf-8", "surrogatepass") for each in signatures.split(" ")]
    if not any(hmac.compare_digest(mine, theirs) for mine in genuine for theirs in given):
        raise InvalidSignature("No signature fits: another secret, or another body than was signed.")
    return _event(raw)


def _event(body: bytes) -> Event:
    try:
        return read_event(json.loads(body))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise InvalidSignature("Genuine, but no event of Signoff.") from error


def _single(headers: Mapping[Any, Any], name: str) -> str:
    """Two of a kind are refused: what was checked must be what others read."""
    found = [value for key, value in headers.items() if isinstance(key, str) and key.lower() == name]
    if len(found) != 1 or not isinstance(found[0], str):
        raise InvalidSignature(f"There must be one header {name}.")
    return found[0]


def _key(secret: str) -> bytes:
    try:
        key = b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("A webhook secret looks like whsec_… and is shown when the agent is made.")
    return key
