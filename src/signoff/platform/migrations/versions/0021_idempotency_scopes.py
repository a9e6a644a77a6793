"""Idempotency keys belong to who sent them, and their answers hold no links."""

from pathlib import Path

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
