"""An index for the list of outgoing messages."""

from pathlib import Path

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
