from signoff.platform.errors import ApiError
from signoff.platform.messages import msg


class ParquetNotInstalled(ApiError):
    """The service runs without the library that writes Parquet, which is an optional extra of the installation."""

    status, code, title = 422, "parquet_not_installed", msg("Parquet not available")

    def __init__(self) -> None:
        super().__init__(
            msg("Parquet support isn't installed on this server. Use `jsonl` or `csv`, or install `signoff[parquet]`.")
        )
