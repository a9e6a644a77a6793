"""The commands' final output."""

from collections.abc import Iterator

from signoff.backup.manifest import Manifest
from signoff.backup.restore import Restored
from signoff.backup.writer import REMOVED

SHOWN = 10
FOLLOWED_LOG = "followed_log"


def format_summary(manifest: Manifest) -> str:
    size = (manifest.database.size + manifest.media.bytes) / 1_000_000
    return (
        f"{sum(manifest.tables.values())} rows in {len(manifest.tables)} tables, {manifest.media.count} media files, "
        f"{size:.1f} MB, of {manifest.made_at}, made by Signoff {manifest.signoff} (schema {manifest.revision})."
    )


def format_problems(manifest: Manifest) -> Iterator[str]:
    """Return missing files that should exist. Those that were being removed anyway don't count."""
    lost = [file for file in manifest.missing if file.why != REMOVED]
    yield from (f"{file.name}: {file.why}." for file in lost[:SHOWN])
    if (more := manifest.missing_count - len(manifest.missing) + len(lost) - SHOWN) > 0:
        yield f"{more} more media files are not as they should be."


def format_comparison(restored: Restored) -> list[tuple[str, ...]]:
    names = restored.manifest.tables
    rows = [(name, str(names[name]), str(restored.rows[name])) for name in names if names[name]]
    return [*rows, ("media files", str(restored.manifest.media.count), str(restored.files))]


def format_held(stopped: dict[str, int]) -> str:
    counted = {name: count for name, count in stopped.items() if count and name != FOLLOWED_LOG}
    parts = [f"{count} {name.replace('_', ' ')}" for name, count in counted.items()]
    if stopped.get(FOLLOWED_LOG):
        parts.append("notifications that nobody had been sent")
    return f"Held: {', '.join(parts) or 'nothing was waiting'}. What happens in this copy from now on is sent as usual."
