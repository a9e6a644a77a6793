"""The old secret of a rotated audit webhook."""

from pathlib import Path

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
