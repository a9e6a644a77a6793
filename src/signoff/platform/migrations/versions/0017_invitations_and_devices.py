"""Invitations by API keys that wait for an admin, and the browsers that members signed in from."""

from pathlib import Path

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
