"""How the sending of a delivery goes is only in its outgoing message."""

from pathlib import Path

from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
