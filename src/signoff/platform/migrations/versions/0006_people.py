"""People: preferences, and sign-in through an identity provider."""

from pathlib import Path

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
