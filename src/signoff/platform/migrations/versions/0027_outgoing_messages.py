"""One table for everything that's sent, with one way of claiming it and recording attempts. Emails are the first."""

from pathlib import Path

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
