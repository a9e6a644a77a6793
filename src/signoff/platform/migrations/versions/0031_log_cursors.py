"""One table for the positions of all log readers."""

from pathlib import Path

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
