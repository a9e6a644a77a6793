from signoff.platform.errors import Problem


class ParquetNotInstalled(Problem):
    """The service runs without the library that writes Parquet, which is an optional extra of the installation."""

    status, code, title = 422, "parquet_not_installed", "Parquet is not installed"

    def __init__(self) -> None:
        super().__init__(
            "This installation cannot write Parquet. Install the extra `parquet` (signoff[parquet]), "
            "or ask for jsonl or csv."
        )
