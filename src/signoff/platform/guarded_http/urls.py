"""Reading a URL that somebody else wrote.

The URL is parsed once, by the library that later connects, so that a check and a connection can never
disagree about where its host ends.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address

from yarl import URL

from signoff.platform.guarded_http.errors import BlockedAddressError, InvalidUrlError
from signoff.platform.messages import msg

MAX_URL_LENGTH = 2048
"""Of a URL that somebody sets."""
MAX_TARGET_LENGTH = 8192
"""Of a URL that is called: those of media elsewhere, and where they redirect to, can hold a whole token."""

_SCHEME_AND_AUTHORITY = re.compile(r"https?://([^/?#]+)", re.IGNORECASE)
_HOST_NAME = re.compile(r"(?=.{1,253}\.?$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?", re.IGNORECASE)
_ENDS_IN_A_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$", re.IGNORECASE)
_URL_CHARACTERS = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+")


def check_url(url: str) -> str:
    """Return the URL as it is, or raise `InvalidUrlError`.

    Looks at its form only and resolves nothing: whether its host may be reached is decided whenever a
    connection is made, because the answer may change in between.
    """
    _parse(url, MAX_URL_LENGTH)
    return url


@lru_cache(maxsize=4096)
def target_of(url: str) -> URL:
    """The checked URL in the form the HTTP library takes."""
    try:
        parsed = _parse(url, MAX_TARGET_LENGTH)
    except InvalidUrlError as error:
        raise InvalidUrlError(msg("The URL {problem}.", problem=error.message)) from error
    host = parsed.raw_host or ""
    # `127.1`, `0x7f.1` and `2130706433` are addresses to some resolvers and names to others.
    if ":" not in host and _ENDS_IN_A_NUMBER.search(host) and not _is_plain_ipv4(host):
        raise BlockedAddressError(msg("The host isn't a valid IPv4 address."))
    return parsed


def _parse(url: str, max_length: int) -> URL:
    """The messages follow the name of the value, as field errors do."""
    if len(url) > max_length:
        raise InvalidUrlError(msg("must have at most {limit} characters", limit=max_length))
    if not url.isprintable() or " " in url:
        raise InvalidUrlError(msg("can't contain whitespace or control characters"))
    authority = _SCHEME_AND_AUTHORITY.match(url)
    if authority is None:
        raise InvalidUrlError(msg("must start with http:// or https:// and include a host"))
    if "@" in authority[1]:
        raise InvalidUrlError(msg("can't contain a username or password"))
    try:
        # A well-formed URL goes out exactly as written: re-quoting would break signed URLs.
        parsed = URL(url, encoded=_URL_CHARACTERS.fullmatch(url) is not None)
        host = parsed.raw_host  # parsed only now, and the port with it
    except ValueError as error:
        raise InvalidUrlError(msg("isn't a valid URL")) from error
    if not host or (":" not in host and not _HOST_NAME.fullmatch(host)):
        raise InvalidUrlError(msg("must have a valid host"))
    return parsed


def _is_plain_ipv4(host: str) -> bool:
    try:
        IPv4Address(host)
    except ValueError:
        return False
    return True
