"""The statement that writes a review also indexes it for search. The jobs that did so are done here."""

from pathlib import Path

from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
