"""Errors that keep the embedded PostgreSQL from running. Every message is written for the person at the terminal."""


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL can't be used."""


class DataDirectoryInUse(EmbeddedPostgresError):
    """Another process is using the same data; it was left alone."""


class DataFromOtherVersion(EmbeddedPostgresError):
    """The data was written by a PostgreSQL version whose programs aren't installed; it was left untouched."""


class StartFailed(EmbeddedPostgresError):
    """PostgreSQL exited or never became ready; the message includes the end of its log."""
