from signoff.platform.errors import Forbidden, Problem, TooLarge


class MediaRefused(Exception):
    """A file cannot be kept as media. `code` is stable; `message` goes on after the file's name: "is cut short"."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class FileTooLarge(TooLarge):
    code, title = "file_too_large", "A file is too large"


class MediaAddressExpired(Forbidden):
    code, title = "media_address_expired", "The address of this media is no longer valid"


class RangeNotSatisfiable(Problem):
    status, code, title = 416, "range_not_satisfiable", "The file has no such part"

    def __init__(self, size: int) -> None:
        super().__init__(f"The file has {size} bytes.", size=size)
        self.headers["Content-Range"] = f"bytes */{size}"
