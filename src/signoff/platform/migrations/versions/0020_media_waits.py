"""Events that wait for copies of media."""

from pathlib import Path

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
