"""The path a sign-in returns to: always our own, whatever a link to the sign-in says."""

from signoff.accounts.oidc.errors import NextRefused
from signoff.platform.messages import msg

MAX_LENGTH = 2_000


def safe_redirect_path(path: str | None) -> str | None:
    """Return the path if it keeps a browser on our site. Raises `NextRefused`.

    Browsers treat `//host` and `/\\host` as another host, and remove tabs and line breaks first.
    """
    if not path:
        return None
    plain = path.isascii() and path.isprintable() and " " not in path and len(path) <= MAX_LENGTH
    if not plain or not path.startswith("/") or path.startswith("//") or "\\" in path:
        raise NextRefused(msg("The path to open after sign-in must be on this server."))
    return path
