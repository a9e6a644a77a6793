"""Who requested a review, and who chose its reviewers."""

from pathlib import Path

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
