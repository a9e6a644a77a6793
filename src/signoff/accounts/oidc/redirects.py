"""The path a sign-in returns to: always our own, whatever a link to the sign-in says."""

from signoff.accounts.oidc.errors import NextRefused
from signoff.platform.messages import msg

MAX_LENGTH = 2_000


def safe_redirect_path(wanted: str | None) -> str | None:
    """Return the path if it keeps a browser on our site. Raises `NextRefused`.

    Browsers treat `//host` and `/\\host` as another host, and remove tabs and line breaks first.
    """
    if not wanted:
        return None
    plain = wanted.isascii() and wanted.isprintable() and " " not in wanted and len(wanted) <= MAX_LENGTH
    if not plain or not wanted.startswith("/") or wanted.startswith("//") or "\\" in wanted:
        raise NextRefused(msg("The path to open after sign-in must be on this server."))
    return wanted
