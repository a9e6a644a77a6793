from signoff.platform.errors import ApiError
from signoff.platform.messages import msg


class ParquetNotInstalled(ApiError):
    """The library that writes Parquet isn't installed. It's an optional extra."""

    status, code, title = 422, "parquet_not_installed", msg("Parquet not available")

    def __init__(self) -> None:
        super().__init__(
            msg("Parquet support isn't installed on this server. Use `jsonl` or `csv`, or install `signoff[parquet]`.")
        )
