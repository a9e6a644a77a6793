"""Add pages from the repository's root to the site.

In the repository, `../ARCHITECTURE.md` is one folder above `docs/`. On the site, all pages are in one tree. So these
pages are added to it, and links between them and `docs/` are rewritten.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
# The path of each on the site. `SECURITY.md` can't keep its name: `docs/security.md` exists, and some file systems
# ignore case.
PLACES = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "reporting-a-vulnerability.md",
    "LICENSE": "LICENSE.txt",
}
NAMES = {place: name for name, place in PLACES.items()}

# The target of a link or an image, in Markdown or in raw HTML.
TARGET = re.compile(r'(\]\(|\b(?:src|srcset|href)=")([^)"\s#:]+)')
FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, place in PLACES.items():
        files.append(File.generated(config, place, content=(ROOT / name).read_text()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return moved(markdown, page.file.src_uri)


def moved(markdown: str, place: str) -> str:
    """Return the page with its links rewritten for the site. Code blocks stay as they are."""
    kept, at = list[str](), 0
    for fence in FENCE.finditer(markdown):
        kept += [_prose(markdown[at : fence.start()], place), fence[0]]
        at = fence.end()
    return "".join((*kept, _prose(markdown[at:], place)))


def _prose(text: str, place: str) -> str:
    return TARGET.sub(lambda found: found[1] + target(found[2], place), text)


def target(link: str, place: str) -> str:
    """Return the site's version of a relative link on the page at `place`."""
    here = posixpath.dirname(NAMES.get(place) or f"docs/{place}")
    there = posixpath.normpath(posixpath.join(here, link))
    on_site = PLACES.get(there) or there.removeprefix("docs/")
    if on_site == there:
        return link  # Not on the site: the strict build reports it.
    return posixpath.relpath(on_site, posixpath.dirname(place) or ".")
