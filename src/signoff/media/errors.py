from signoff.platform.errors import ApiError, Forbidden, PayloadTooLarge
from signoff.platform.messages import Message, msg

DAMAGED = msg("is damaged or incomplete")


class MediaRejected(Exception):
    """A file can't be stored. `code` is stable; `message` follows the file's name, such as "is damaged"."""

    def __init__(self, code: str, message: Message) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class FileTooLarge(PayloadTooLarge):
    code, title = "file_too_large", msg("File too large")


class MediaAddressExpired(Forbidden):
    code, title = "media_address_expired", msg("File link expired")


class RangeNotSatisfiable(ApiError):
    status, code, title = 416, "range_not_satisfiable", msg("Range not satisfiable")

    def __init__(self, size: int) -> None:
        detail = msg("The requested range is outside the file, which is {size} bytes long.", size=size)
        super().__init__(detail, size=size)
        self.headers["Content-Range"] = f"bytes */{size}"
