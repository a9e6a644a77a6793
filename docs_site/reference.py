"""Add the API reference to the site: the page that every server has at `/api/v1/docs`, with default settings."""

import json

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from signoff.app import create_app
from signoff.pages.api_reference import reference_page
from signoff.pages.html import ASSETS
from signoff.platform.settings import Settings


def on_files(files: Files, config: MkDocsConfig) -> Files:
    document = create_app(Settings.model_construct(), dsn="").openapi()
    files.append(File.generated(config, "api/index.html", content=reference_page(document, root="../")))
    files.append(File.generated(config, "api/openapi.json", content=json.dumps(document, indent=2)))
    for name, asset in ASSETS.items():
        files.append(File.generated(config, f"assets/{name}", content=asset.content))
    return files
