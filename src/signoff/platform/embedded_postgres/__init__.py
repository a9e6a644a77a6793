"""A private PostgreSQL for installations that bring none: its files in the data directory, no port, no set-up."""

from signoff.platform.embedded_postgres.errors import (
    DataDirectoryInUse,
    DataFromOtherVersion,
    EmbeddedPostgresError,
    StartFailed,
)
from signoff.platform.embedded_postgres.server import EmbeddedPostgres

__all__ = [
    "DataDirectoryInUse",
    "DataFromOtherVersion",
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "StartFailed",
]
