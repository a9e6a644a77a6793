"""The demo: which workspace is one, and what in it was made up."""

from pathlib import Path

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
