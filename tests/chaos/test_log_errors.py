"""Errors in the logs are found, and expected ones are ignored."""

import json
from pathlib import Path

import pytest

from chaos.logs import find_errors

LOST = "Traceback …\nsignoff.platform.db.DatabaseUnavailable: [Errno 111] Connection refused"
BROKEN = "Traceback …\nKeyError: 'x'"
DIED = "Traceback (most recent call last):\n  File …, in run\n    x[1]\nKeyError: 'x'"
GROUP = (
    "  + Exception Group Traceback (most recent call last):\n  |   File …\n  | ExceptionGroup: one\n"
    "  +-+------- 1 -------\n    | Traceback (most recent call last):\n    | ValueError: y\n    +-----"
)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([], []),
        ([json.dumps({"event": "request", "status": 200})], []),
        (
            [json.dumps({"event": "request failed", "exception": BROKEN})],
            ["log: request failed: KeyError: 'x', 1 times"],
        ),
        ([json.dumps({"event": "request failed", "exception": LOST})], []),
        ([json.dumps({"event": "database unreachable", "error": "x"})], []),
        (["signoff: Can't use the database: refused"], []),
        ([DIED, json.dumps({"event": "started"}), DIED], ["log: ended with KeyError: 'x', 2 times"]),
        ([GROUP], ["log: ended with ValueError: y, 1 times"]),
        ([DIED.replace("x[1]", "db = await Database.connect(dsn)")], []),
        (
            [json.dumps({"event": "Task exception was never retrieved\nfuture: …", "exception": BROKEN})],
            ["log: Task exception was never retrieved: KeyError: 'x', 1 times"],
        ),
    ],
)
def test_errors_are_found(tmp_path: Path, lines: list[str], found: list[str]) -> None:
    log = tmp_path / "log.log"
    log.write_text("\n".join(lines) + "\n")
    assert find_errors(log) == found
