"""Which events a webhook receives."""

from pathlib import Path

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
