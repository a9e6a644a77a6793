"""Parse URLs that users enter.

A URL is parsed once, by the same library that connects later, so a check and a connection can never disagree about
where its host ends.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address

from yarl import URL

from signoff.platform.guarded_http.errors import BlockedAddressError, InvalidUrlError
from signoff.platform.messages import msg

MAX_URL_LENGTH = 2048
"""Limit for URLs that users enter."""
MAX_TARGET_LENGTH = 8192
"""Limit for URLs that are called: media URLs on other sites and their redirect targets can contain a whole token."""

_SCHEME_AND_AUTHORITY = re.compile(r"https?://([^/?#]+)", re.IGNORECASE)
_HOST_NAME = re.compile(r"(?=.{1,253}\.?$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?", re.IGNORECASE)
_ENDS_IN_A_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$", re.IGNORECASE)
_URL_CHARACTERS = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+")


def check_url(url: str) -> str:
    """Return the URL unchanged, or raise `InvalidUrlError`.

    Only checks its form and resolves nothing. Whether its host may be reached is decided for each connection, because
    the answer can change in between.
    """
    _parse(url, MAX_URL_LENGTH)
    return url


@lru_cache(maxsize=4096)
def target_of(url: str) -> URL:
    """Return the checked URL in the form that the HTTP library takes."""
    try:
        parsed = _parse(url, MAX_TARGET_LENGTH)
    except InvalidUrlError as error:
        raise InvalidUrlError(msg("The URL {problem}.", problem=error.message)) from error
    host = parsed.raw_host or ""
    # `127.1`, `0x7f.1`, and `2130706433` are addresses to some resolvers and names to others.
    if ":" not in host and _ENDS_IN_A_NUMBER.search(host) and not _is_plain_ipv4(host):
        raise BlockedAddressError(msg("The host isn't a valid IPv4 address."))
    return parsed


def _parse(url: str, max_length: int) -> URL:
    """Error messages start with the name of the value, as field errors do."""
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
        # A well-formed URL is sent exactly as written: re-quoting would break signed URLs.
        parsed = URL(url, encoded=_URL_CHARACTERS.fullmatch(url) is not None)
        host = parsed.raw_host  # parsed lazily, together with the port
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
