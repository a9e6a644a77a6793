"""Time limits: when a review is due, and reminders of retries."""

from pathlib import Path

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
