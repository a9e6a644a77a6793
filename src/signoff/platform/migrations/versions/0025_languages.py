"""The language that a person, a workspace, or a request for external reviewers asks for."""

from pathlib import Path

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
