"""Structured logs: JSON lines, or readable lines on a terminal. Every line has the request ID."""

import json
import logging
import math
import os
import re
import sys
import time
from functools import partial
from http import HTTPStatus
from typing import Any, TextIO, cast

import orjson
import structlog

from signoff.platform.settings import Settings

Logger = structlog.typing.FilteringBoundLogger

PROCESS_NAME_ENV = "SIGNOFF_PROCESS"
"""Environment variable with this process's name if `signoff serve` runs several of its kind, such as `api-2`."""


def get_logger(name: str) -> Logger:
    return cast(Logger, structlog.get_logger(part=name))


class Throttle:
    """Logs at most one line per second, with the number of lines left out since the last one."""

    def __init__(self, log: Logger, event: str, *, level: int = logging.ERROR) -> None:
        self._log, self._event, self._level = log, event, level
        self._logged_at = -math.inf
        self._left_out = 0

    def __call__(self, **details: Any) -> bool:
        """Return whether the line was logged."""
        now = time.monotonic()
        if now - self._logged_at < 1.0:
            self._left_out += 1
            return False
        if self._left_out:
            details["left_out"] = self._left_out
        self._log.log(self._level, self._event, **details)
        self._logged_at, self._left_out = now, 0
        return True


def configure_logs(settings: Settings, output: TextIO | None = None) -> None:
    """`output` is where the lines go; the default is the process's standard error."""
    lines = sys.stderr if output is None else output
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    ]
    if (name := os.environ.get(PROCESS_NAME_ENV)) is not None:
        shared.append(partial(_add_process, name))
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not lines.isatty())
    if as_json:
        renderer: Any = structlog.processors.JSONRenderer(_dumps)
        processors = [*shared, structlog.processors.format_exc_info, renderer, _without_secrets]
        factory: Any = structlog.BytesLoggerFactory(lines.buffer)
    else:
        # Tracebacks without the values of variables, which include keys and personal data.
        renderer = structlog.dev.ConsoleRenderer(
            colors=lines.isatty(), timestamp_key="at", exception_formatter=structlog.dev.plain_traceback
        )
        left_out = [] if level <= logging.DEBUG else [_drop_successful_requests]
        processors = [*left_out, *shared, renderer, _without_secrets]
        factory = structlog.PrintLoggerFactory(lines)
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=factory,
        cache_logger_on_first_use=True,
    )
    # Libraries use the standard library's logging; render their warnings in our format.
    root = logging.getLogger()
    root.handlers = [_ToStructlog()]
    root.setLevel(max(level, logging.WARNING))
    # It logs a traceback whenever it can't reach the database, which we already log in one line.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)


def _add_process(name: str, logger: Any, method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
    line["process"] = name
    return line


def _drop_successful_requests(logger: Any, method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Drop lines about successful requests on a terminal, so that warnings and work done stay visible."""
    if line["event"] == "request" and line["status"] < HTTPStatus.BAD_REQUEST:
        raise structlog.DropEvent
    return line


_SECRET = re.compile(
    r"""\b([a-z]{1,8}_)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])  # a token, by its form
    | (/acc_[0-9a-f]{28}/)[A-Za-z0-9_]+  # media: whoever has the address can open it
    | (\bsignature=)[A-Za-z0-9_%-]+""",
    re.VERBOSE,
)
_SECRET_BYTES = re.compile(_SECRET.pattern.encode(), re.VERBOSE)


def _without_secrets(logger: Any, method: str, line: Any) -> str | bytes:
    """Redact secrets in the whole rendered line: one may be in a path, an error, or a traceback."""
    if isinstance(line, str):
        return _SECRET.sub(lambda found: f"{found[found.lastindex or 0]}[redacted]", line)
    return _SECRET_BYTES.sub(lambda found: found[found.lastindex or 0] + b"[redacted]", line)


def _dumps(value: Any, **_: Any) -> bytes:
    """Never raises: whatever a line contains, it must not break what it reports."""
    try:
        return orjson.dumps(value, default=repr)
    except TypeError:  # half of a surrogate pair, or a number of more than 64 bits
        return json.dumps(value, default=repr, skipkeys=True).encode()


class _ToStructlog(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        log = get_logger(record.name)
        log.log(record.levelno, record.getMessage(), exc_info=record.exc_info)
