"""Identifiers: opaque, URL-safe, time-sortable, with a prefix that names the type.

`rev_` + 28 hexadecimal digits: 48 bits of milliseconds, then 64 random bits. Later IDs sort later, so an index on them
only grows at one end. They aren't secrets: knowing one gives no access.
"""

import os
import re
from datetime import datetime

from signoff.platform.clock import milliseconds

# Written without lookahead, which the regex engine that validates request bodies doesn't support.
CALLER_ID = re.compile(
    r"(?:[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,127}|\.[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,126}|\.\.[A-Za-z0-9._:-]{1,126})"
)
"""A caller's own `sessionId` or `runId`: 1 to 128 of these characters, but neither `.` nor `..`."""


def new_id(prefix: str) -> str:
    return f"{prefix}_{milliseconds():012x}{os.urandom(8).hex()}"


def id_at(prefix: str, at: datetime, shift: float = 0.0) -> str:
    """Return the lower bound of IDs created at this time, or `shift` seconds later. Earlier IDs sort before it."""
    milliseconds = max(0, int((at.timestamp() + shift) * 1000))
    return f"{prefix}_{milliseconds:012x}"
