"""Chat apps: connections, channels, posts, and decisions from within Slack."""

from pathlib import Path

from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
