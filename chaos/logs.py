"""Finds unexpected errors in the logs of the service."""

import json
import re
from collections import Counter
from pathlib import Path

# A process that starts together with the database fails to connect, and is restarted.
REFUSED_AT_START = "Database.connect("
UNEXPECTED = re.compile(r"request failed$|Task exception was never retrieved|cleanup failed")
RAW_TRACEBACK = re.compile(r"^[ +|]*(Exception Group )?Traceback \(most recent call last\)")
LAST_LINE = re.compile(r"^[ |]*([\w.]+(?:Error|Exception|Lost|Interrupt)\b.*)")
LOST_DATABASE_ERRORS = ("DatabaseUnavailable", "ConnectionRefusedError", "CannotConnectNowError")


def find_errors(log: Path) -> list[str]:
    """Tracebacks of crashes, and log entries of unexpected errors, each with its count."""
    found: Counter[str] = Counter()
    raw: list[str] = []
    for line in [*log.read_text(errors="replace").splitlines(), "{}"]:
        entry = _entry(line)
        if entry is None:
            if raw or RAW_TRACEBACK.match(line):
                raw.append(line)
            continue
        if raw:
            found[_ending(raw)] += REFUSED_AT_START not in "".join(raw)
            raw = []
        text, exception = str(entry.get("event", "")), str(entry.get("exception", "")).strip()
        if UNEXPECTED.match(text) and not any(name in exception.rpartition("\n")[2] for name in LOST_DATABASE_ERRORS):
            found[f"{text.partition(chr(10))[0]}: {exception.rpartition(chr(10))[2]}"] += 1
    return [f"{log.stem}: {what}, {count} times" for what, count in found.items() if count]


def _entry(line: str) -> dict[str, object] | None:
    try:
        entry = json.loads(line)
    except json.JSONDecodeError:
        return None
    return entry if isinstance(entry, dict) else None


def _ending(raw: list[str]) -> str:
    endings = [match[1] for line in raw if (match := LAST_LINE.match(line))]
    return f"ended with {endings[-1] if endings else raw[-1]}"
