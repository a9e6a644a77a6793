"""A table of our own for jobs."""

from pathlib import Path

from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
