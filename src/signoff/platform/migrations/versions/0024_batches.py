"""Reviews that belong together, and reviews found by what their request's `meta` says."""

from pathlib import Path

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
