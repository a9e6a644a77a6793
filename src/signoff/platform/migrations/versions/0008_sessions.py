"""Sessions: chat, who takes part in it, and deliveries that stand in line."""

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
