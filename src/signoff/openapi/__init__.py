"""The OpenAPI document, built on first use and then cached."""

from typing import Any

from fastapi import FastAPI

from signoff.openapi.document import build
from signoff.platform.settings import Settings


def describe(app: FastAPI, settings: Settings) -> None:
    """Make `app.openapi()` return the complete document."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = build(app, settings)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
