"""HTML pages as text: one frame, escaped content, and a policy that allows only our own files."""

import hashlib
import re
from html import escape
from pathlib import Path
from typing import NamedTuple

from fastapi import Response

_BASE_POLICY = "base-uri 'none'; frame-ancestors 'none'"
DOCUMENT_POLICY = f"default-src 'none'; style-src 'self'; form-action 'none'; {_BASE_POLICY}"

MEDIA_TYPES = {".css": "text/css"}


class Asset(NamedTuple):
    content: bytes
    media_type: str
    version: str
    """Changes with the content, so that browsers can cache it forever."""


def _load(path: Path) -> Asset:
    content = path.read_bytes()
    return Asset(content, MEDIA_TYPES[path.suffix], hashlib.sha256(content).hexdigest()[:12])


ASSETS = {path.name: _load(path) for path in (Path(__file__).parent / "assets").iterdir()}


def frame(title: str, body: str, *, root: str, style: str) -> str:
    """Return a whole page. `root` is the relative path to the service's base, which may be below a proxy's path."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="stylesheet" href="{root}assets/{style}?v={ASSETS[style].version}">
</head>
<body>
{body}
</body>
</html>
"""


def html_response(page: str, *, policy: str, status: int = 200, cache: str = "no-store") -> Response:
    headers = {"content-security-policy": policy, "cache-control": cache}
    return Response(page, status, headers, "text/html")


def rich(text: str) -> str:
    """Render the subset of Markdown that our descriptions use: `code` and **strong**."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)


def paragraphs(text: str) -> str:
    return "".join(f"<p>{rich(each)}</p>" for each in text.split("\n\n") if each)
