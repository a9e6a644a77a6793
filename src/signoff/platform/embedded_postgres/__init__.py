"""An embedded PostgreSQL for installations without a database: files in the data directory, no port, no setup."""

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
