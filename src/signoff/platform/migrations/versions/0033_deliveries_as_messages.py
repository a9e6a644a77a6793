"""Deliveries as outgoing messages."""

from pathlib import Path

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
