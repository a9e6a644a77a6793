"""Changes of email addresses that wait for confirmation."""

from pathlib import Path

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
