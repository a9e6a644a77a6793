"""Telling people: what there is to tell, to whom, and when."""

from pathlib import Path

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
