"""Where a sign-in leads to in the end: a path of our own, whatever a link to the sign-in says."""

from signoff.accounts.oidc.errors import NextRefused
from signoff.platform.messages import msg

LONGEST = 2_000


def safe_redirect_path(wanted: str | None) -> str | None:
    """The path, if a browser that is sent there stays with us. Raises `NextRefused`.

    Browsers take `//host` and `/\\host` for another host, and drop tabs and line breaks before they look.
    """
    if not wanted:
        return None
    plain = wanted.isascii() and wanted.isprintable() and " " not in wanted and len(wanted) <= LONGEST
    if not plain or not wanted.startswith("/") or wanted.startswith("//") or "\\" in wanted:
        raise NextRefused(msg("The path to continue to after sign-in must be on this server."))
    return wanted
