"""The output of a failed test, besides its assertion: the last requests with their responses, and the services' log
lines."""

from collections import deque
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

REQUESTS_SHOWN, LINES_SHOWN, LONGEST_BODY = 5, 40, 2000

_answers = deque[httpx.Response](maxlen=REQUESTS_SHOWN)
_logs: dict[Path, int] = {}
"""The logs of running services, and how long each was when the test began."""


async def remember(answer: httpx.Response) -> None:
    """For the event hooks of a client."""
    _answers.append(answer)


def follow_log(path: Path) -> None:
    _logs[path] = path.stat().st_size


def forget_log(path: Path) -> None:
    _logs.pop(path, None)


def pytest_runtest_setup() -> None:
    _answers.clear()
    for path in _logs:
        _logs[path] = path.stat().st_size


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        if _answers:
            report.sections.append(("last requests", "\n\n".join(map(_shown, _answers))))
        for path, began in _logs.items():
            if lines := _lines_since(path, began):
                report.sections.append((f"log of the service ({path.name})", lines))
    return report


def _shown(answer: httpx.Response) -> str:
    request = answer.request
    request_text = f"{request.method} {request.url}\n{_body(request)}"
    return f"{request_text}\n→ {answer.status_code} {answer.headers.get('x-request-id', '')}\n{_body(answer)}"


def _body(message: httpx.Request | httpx.Response) -> str:
    try:
        text = message.content.decode(errors="replace")
    except (httpx.RequestNotRead, httpx.ResponseNotRead):
        return "(a stream)"
    return text if len(text) <= LONGEST_BODY else f"{text[:LONGEST_BODY]} … {len(text)} characters in all"


def _lines_since(path: Path, began: int) -> str:
    with path.open("rb") as log:
        log.seek(began)
        lines = log.read().decode(errors="replace").splitlines()
    return "\n".join(lines[-LINES_SHOWN:])
