"""Facets are computed in the API."""

from pathlib import Path

from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
