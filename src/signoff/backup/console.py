"""What the commands show at the terminal: their progress, and their results."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from signoff.backup.manifest import Manifest
from signoff.backup.restore import Restored
from signoff.backup.writer import REMOVED, Steps

MAX_SHOWN = 10
POSITIONS = ("log_cursors", "followed_log")
"""The tables with positions of log readers, of this version and of earlier ones."""
_STEP_LABELS = {"database": "Database", "files": "Media files", "check": "Checking backup"}


def format_summary(manifest: Manifest) -> str:
    size = (manifest.database.size + manifest.media.bytes) / 1_000_000
    return (
        f"{sum(manifest.tables.values())} rows in {len(manifest.tables)} tables, {manifest.media.count} media files, "
        f"{size:.1f} MB, created {manifest.made_at} by Signoff {manifest.signoff} (schema {manifest.revision})."
    )


def format_problems(manifest: Manifest) -> Iterator[str]:
    """Return missing files that should exist. Those that were being removed anyway don't count."""
    lost = [file for file in manifest.missing if file.why != REMOVED]
    yield from (f"{file.name}: {file.why}." for file in lost[:MAX_SHOWN])
    if (more := manifest.missing_count - len(manifest.missing) + len(lost) - MAX_SHOWN) > 0:
        yield f"More media files with problems: {more}."


def format_comparison(restored: Restored) -> list[tuple[str, ...]]:
    names = restored.manifest.tables
    rows = [(name, str(names[name]), str(restored.rows[name])) for name in names if names[name]]
    return [*rows, ("media files", str(restored.manifest.media.count), str(restored.files))]


def format_held(stopped: dict[str, int]) -> str:
    counted = {name: count for name, count in stopped.items() if count and name not in POSITIONS}
    parts = [f"{count} {name.replace('_', ' ')}" for name, count in counted.items()]
    if any(stopped.get(table) for table in POSITIONS):
        parts.append("notifications that weren't sent yet")
    held = ", ".join(parts) or "nothing was queued"
    return (
        f"Held: {held}. Webhooks and emails about new activity in this copy are sent as usual. Chat apps stay "
        "disconnected until you connect them again."
    )


@contextmanager
def shown_steps() -> Generator[Steps]:
    """Show a line for each step on standard error."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(show_speed=True), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:

        def begin(step: str, total: int | None) -> Callable[[int], None]:
            task = progress.add_task(_STEP_LABELS[step], total=total)
            return lambda amount: progress.advance(task, amount)

        yield begin
