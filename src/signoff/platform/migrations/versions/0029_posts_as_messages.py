"""Chat posts are outgoing messages."""

from pathlib import Path

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
