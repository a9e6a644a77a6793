"""Which review types and groups the demo created."""

from pathlib import Path

from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
