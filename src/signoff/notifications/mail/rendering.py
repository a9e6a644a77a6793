"""Templates of mails and of the unsubscribe page, in the reader's language.

All text from people or agents is untrusted: it's escaped in HTML, and limited to one line in text.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from signoff.platform.dates import format_recent_time, format_time
from signoff.platform.messages import (
    RIGHT_TO_LEFT,
    babel_locale,
    isolate,
    strip_direction_controls,
    template_functions,
)

FONT: Final = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
_UNSEEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+")


def render(template: str, language: str, values: Mapping[str, Any], zone: tzinfo = UTC) -> str:
    """Render a template. Untrusted values must come from `without_direction_controls`."""
    locale = babel_locale(language)

    def local_time(text: str) -> str:
        return format_time(datetime.fromisoformat(text), locale, zone)

    def recent_time(text: str) -> str:
        return format_recent_time(datetime.fromisoformat(text), locale, zone)

    def isolated(text: str) -> str:
        return isolate(text, language)

    return (
        _templates()
        .get_template(template)
        .render(
            **template_functions(language, html=template.endswith(".html")),
            language=language,
            direction="rtl" if language in RIGHT_TO_LEFT else "ltr",
            start="right" if language in RIGHT_TO_LEFT else "left",
            moment=local_time,
            recent_moment=recent_time,
            isolated=isolated,
            **values,
        )
    )


def without_direction_controls(value: Any) -> Any:
    """Remove characters that change the text direction from text, or from text in dictionaries and lists."""
    match value:
        case str():
            return strip_direction_controls(value)
        case Mapping():
            return {name: without_direction_controls(each) for name, each in cast("Mapping[str, Any]", value).items()}
        case list() | tuple():
            return [without_direction_controls(each) for each in cast("Sequence[Any]", value)]
        case _:
            return value


def on_one_line(text: str) -> str:
    """Remove line breaks and other invisible characters."""
    return " ".join(_UNSEEN.sub(" ", text).split())


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["font"] = FONT  # pyright: ignore[reportArgumentType]
    made.filters["plain"] = on_one_line
    return made
