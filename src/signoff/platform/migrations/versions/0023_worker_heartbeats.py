"""When each worker was last heard from."""

from pathlib import Path

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
