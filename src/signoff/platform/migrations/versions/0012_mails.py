"""Mails: what is ordered, how it went, and forgotten passwords."""

from pathlib import Path

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
