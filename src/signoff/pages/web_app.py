"""The web app: one page for every URL of the app, and the built files (`web/`, by `make web`)."""

import gzip
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.settings import Settings

BUILT = Path(__file__).parent / "app"
PAGES = (
    "/",
    "/sign-in",
    "/signed-in",
    "/reviews/{review_id}",
    "/external/{review_id}",
    "/sessions",
    "/sessions/{session_id}",
    "/triggers/{form_id}",
    "/f/{token}",
    "/runs/{run_id}",
    "/insights",
    "/review-types",
    "/review-types/{form_id}",
    "/settings",
    "/settings/{section}",
)
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
IMMUTABLE = "public, max-age=31536000, immutable"
ONE_DAY = "public, max-age=86400"

NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Signoff</title>
<p>The web app isn't built. Run <code>make web</code>, then restart the server.</p></html>
"""


@dataclass(frozen=True)
class File:
    content: bytes
    media_type: str
    cache: str
    """Names of files in `static` change with their content."""

    @cached_property
    def compressed(self) -> bytes:
        """Compress on first use, so that the service starts without waiting for it."""
        return gzip.compress(self.content, mtime=0)


class WebApp:
    """The built app, held in memory: it's small, and its files never change while the service runs."""

    def __init__(self, settings: Settings) -> None:
        folder = settings.web_app or BUILT
        index = folder / "index.html"
        self.built = index.is_file()
        self._page = index.read_text() if self.built else NOT_BUILT
        self._root = escape(f"{urlsplit(settings.url).path.rstrip('/')}/")
        self._media_origin = escape(_media_origin(settings))
        self._policy = _policy(_media_origin(settings))
        self.files: Mapping[str, File] = _read_files(folder) if self.built else {}

    def page(self) -> Response:
        nonce = secrets.token_urlsafe(16)
        page = self._page.replace('<base href="/"', f'<base href="{self._root}"', 1)
        page = page.replace('name="csp-nonce" content=""', f'name="csp-nonce" content="{nonce}"', 1)
        page = page.replace('name="media-origin" content=""', f'name="media-origin" content="{self._media_origin}"', 1)
        headers = {
            "content-security-policy": self._policy.replace("NONCE", nonce),
            "cache-control": "no-cache, no-store",
            "cross-origin-opener-policy": "same-origin",
        }
        return Response(page, 200 if self.built else 503, headers, "text/html")

    def file(self, name: str, request: Request) -> Response:
        if (file := self.files.get(name)) is None:
            raise NotFound(msg("file"), name)
        headers = {"cache-control": file.cache, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.compressed, 200, {**headers, "content-encoding": "gzip"}, file.media_type)
        return Response(file.content, 200, headers, file.media_type)


def _read_files(folder: Path) -> dict[str, File]:
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in MEDIA_TYPES]
    return {path.relative_to(folder).as_posix(): _read_file(path) for path in paths}


def _read_file(path: Path) -> File:
    content = path.read_bytes()
    cache = IMMUTABLE if path.parent.name == "static" else ONE_DAY
    return File(content, MEDIA_TYPES[path.suffix], cache)


def _media_origin(settings: Settings) -> str:
    """Return the CDN's origin; empty if the service serves media itself."""
    cdn = urlsplit(settings.cdn)
    return "" if settings.cdn.startswith(f"{settings.url}/") else f"{cdn.scheme}://{cdn.netloc}"


def _policy(media_origin: str) -> str:
    """Build the content security policy. Scripts are only our own files. Images are only our own copies; a sound
    may be loaded from another site on a click.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self' 'nonce-NONCE'",
            f"img-src 'self' data: blob: {media_origin}".rstrip(),
            "media-src 'self' blob: https: http:",
            "connect-src 'self'",
            "font-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'self'",
            "frame-ancestors 'none'",
        )
    )


def web_app_router(settings: Settings) -> APIRouter:
    app = WebApp(settings)
    router = APIRouter(include_in_schema=False)

    async def get_page() -> Response:
        return app.page()

    async def get_file(request: Request, name: str) -> Response:
        return app.file(f"static/{name}", request)

    async def get_icon(request: Request) -> Response:
        return app.file("icon.svg", request)

    for path in PAGES:
        router.add_api_route(path, get_page, methods=["GET"])
    router.add_api_route("/static/{name}", get_file, methods=["GET"])
    router.add_api_route("/icon.svg", get_icon, methods=["GET"])
    return router
