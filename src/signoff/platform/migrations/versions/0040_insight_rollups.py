"""Statistics of past days, for the insights."""

from pathlib import Path

from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
