"""Assignment: taking and handing back, links that ended, people who are away."""

from pathlib import Path

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
