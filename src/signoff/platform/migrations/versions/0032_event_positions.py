"""Positions of events, given when they are written."""

from pathlib import Path

from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
