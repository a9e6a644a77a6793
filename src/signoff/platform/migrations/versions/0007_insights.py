"""Insights: indexes for what is drawn."""

from pathlib import Path

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
