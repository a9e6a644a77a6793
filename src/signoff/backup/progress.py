"""Progress of long commands for the person at the terminal; no output without a terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from signoff.backup.writer import Steps

_WORDS = {"database": "Database", "files": "Media files", "check": "Checking backup"}


@contextmanager
def shown_steps() -> Generator[Steps]:
    """Show a line for each step on standard error."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(show_speed=True), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:

        def begin(step: str, total: int | None) -> Callable[[int], None]:
            task = progress.add_task(_WORDS[step], total=total)
            return lambda amount: progress.advance(task, amount)

        yield begin
