"""What can keep the embedded PostgreSQL from running. Every message is written for the person at the terminal."""


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot be used."""


class DataDirectoryInUse(EmbeddedPostgresError):
    """Another process works on the same data; it was left undisturbed."""


class DataFromOtherVersion(EmbeddedPostgresError):
    """The data was written by a PostgreSQL whose programs are not here; it was left untouched."""


class StartFailed(EmbeddedPostgresError):
    """PostgreSQL ended, or never became ready; the message carries the end of its log."""
