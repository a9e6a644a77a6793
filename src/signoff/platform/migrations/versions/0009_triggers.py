"""Trigger forms: public links, and lists of runs."""

from pathlib import Path

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
