"""Prints one line per event, so that lines of other processes never end up inside it."""

from datetime import timedelta

from rich.console import Console
from rich.text import Text

MAX_QUOTE_WIDTH = 72
COLORS = {"Content agent": "cyan", "Support agent": "magenta", "Back office agent": "yellow"}

_console = Console(highlight=False, markup=False, soft_wrap=True)


def print_line(agent: str, what: str, *, good: bool | None = None) -> None:
    """Colored on a terminal, plain elsewhere. `good` prints the text in green or red."""
    name = Text(f"● {agent:<17}", style=f"bold {COLORS.get(agent, 'blue')}")
    style = "" if good is None else "green" if good else "red"
    _console.print(Text.assemble(name, " ", (plain(what), style)))


def quote(text: str | None) -> str:
    """The beginning of a text, in quotation marks."""
    one_line = " ".join(plain(text or "untitled").split())
    return f"“{one_line if len(one_line) <= MAX_QUOTE_WIDTH else one_line[: MAX_QUOTE_WIDTH - 1] + '…'}”"


def plain(text: str) -> str:
    """Without control characters, because the text is untrusted."""
    return "".join(character if character.isprintable() else " " for character in text)


def span(time: timedelta) -> str:
    seconds = round(time.total_seconds())
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
