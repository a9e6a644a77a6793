"""Add every decision record to the navigation, so that new ones don't have to be listed in mkdocs.yml."""

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

HEADING = "Decisions"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    folder = Path(config.docs_dir) / "decisions"
    records = [f"decisions/{page.name}" for page in sorted(folder.glob("[0-9]*.md"))]
    sections: Any = config.nav
    for entry in (entry for section in sections for entries in section.values() for entry in entries):
        if isinstance(entry, dict) and HEADING in entry:
            entry[HEADING] = ["decisions/README.md", *records]
    return config
