"""Attempts of outgoing messages on request."""

from pathlib import Path

from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
