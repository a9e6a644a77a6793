"""Pages of the repository's root as pages of the site.

The same Markdown is read in the repository and on the site. There `../ARCHITECTURE.md` is one folder up; here all pages
are in one tree. So the pages of the root are added to it, and links between the two are rewritten on the way.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
# Where each is on the site. Not by its own name: `security.md` is a page of the docs already, and some disks do not
# tell upper from lower case.
PLACES = {
    "README.md": "first-review.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "reporting-a-vulnerability.md",
    "LICENSE": "LICENSE.txt",
}
NAMES = {place: name for name, place in PLACES.items()}

# The target of a link, of a picture, and of an attribute of raw HTML.
TARGET = re.compile(r'(\]\(|\b(?:src|srcset|href)=")([^)"\s#:]+)')
FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, place in PLACES.items():
        files.append(File.generated(config, place, content=(ROOT / name).read_text()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return moved(markdown, page.file.src_uri)


def moved(markdown: str, place: str) -> str:
    """The page with its links as they are on the site; blocks of code stay as they are."""
    kept, at = list[str](), 0
    for fence in FENCE.finditer(markdown):
        kept += [_prose(markdown[at : fence.start()], place), fence[0]]
        at = fence.end()
    return "".join((*kept, _prose(markdown[at:], place)))


def _prose(text: str, place: str) -> str:
    return TARGET.sub(lambda found: found[1] + target(found[2], place), text)


def target(link: str, place: str) -> str:
    """Where a relative link of the page at `place` leads on the site."""
    here = posixpath.dirname(NAMES.get(place) or f"docs/{place}")
    there = posixpath.normpath(posixpath.join(here, link))
    on_site = PLACES.get(there) or there.removeprefix("docs/")
    if on_site == there:
        return link  # It leads to nothing that is on the site, which the strict build reports.
    return posixpath.relpath(on_site, posixpath.dirname(place) or ".")
