"""What a decision changed, and the approved values in the shape that was sent."""

from pathlib import Path

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
