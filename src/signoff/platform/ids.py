"""Identifiers: opaque, URL-safe, time-sortable, with a prefix that tells the kind.

`rev_` + 28 hexadecimal digits: 48 bits of milliseconds, then 64 random ones. IDs made later sort later, so an index
on them grows at one end only. They are not secrets: knowing one gives no access.
"""

import hashlib
import os
import re
import secrets
import time
from datetime import datetime

# Written without looking ahead, which the engine that checks the bodies of requests does not know.
CALLER_ID = re.compile(
    r"(?:[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,127}|\.[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,126}|\.\.[A-Za-z0-9._:-]{1,126})"
)
"""What a caller may bring as its own `sessionId` or `runId`: 1 to 128 of these characters, but neither `.` nor `..`.

Those two mean "here" and "one up" in an address: browsers, proxies and HTTP clients take them out of a path before they
ask for it, so `/sessions/..` would be another resource, and what has such an ID could never be reached.
"""


def new_id(prefix: str) -> str:
    return f"{prefix}_{time.time_ns() // 1_000_000:012x}{os.urandom(8).hex()}"


def id_at(prefix: str, moment: datetime, shift: float = 0.0) -> str:
    """Where the IDs begin that were made at the moment, or `shift` seconds after it: earlier ones sort before it."""
    milliseconds = max(0, int((moment.timestamp() + shift) * 1000))
    return f"{prefix}_{milliseconds:012x}"


def new_token(prefix: str) -> str:
    """A secret with 256 random bits, recognisable by its prefix when it leaks into a log or a repository."""
    return f"{prefix}_{secrets.token_urlsafe(32)}"


def token_hash(token: str) -> bytes:
    """What we store of a token. A plain hash suffices: there is nothing to guess in 256 random bits."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
