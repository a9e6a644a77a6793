from signoff.platform.errors import ApiError
from signoff.platform.messages import msg


class NoDemo(ApiError):
    status, code, title = 404, "no_demo", msg("No demo data")

    def __init__(self) -> None:
        super().__init__(msg("This workspace has no demo data, or it was already removed."))
