"""Every relative link of every page works, every anchor is a heading, and every quoted path exists."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("sdk/*/*.md")])
each_page = pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])

FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HTML_LINK = re.compile(r"<[^>]*?\b(?:href|src|srcset)=\"([^\"\s]+)\"")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)

# Source folders, without installed or built files.
CODE = ("audit", "bench", "chaos", "deploy", "docs_site", "pictures", "prose", "sdk", "src", "tests", "web/src")
FILE = r"(?:[\w.-]+/)*[\w.-]+\.(?:py|sql|tsx?)"
PATH = re.compile(rf"`({FILE}|(?:{'|'.join(CODE)})/[\w./-]*)`")
# `platform/jobs/queue.py` `enqueue`, and `record_usage` of `accounts/usage/meter.py`
NAME_AFTER_FILE = re.compile(rf"`({FILE})`\s`(\w+)`")
NAME_BEFORE_FILE = re.compile(rf"`(\w+)`\sof\s`({FILE})`")
# A file that the reader writes, and a folder that `make web` builds.
NOT_IN_THE_REPOSITORY = {"receiver.py", "src/signoff/pages/app"}


def prose(page: Path) -> str:
    """The page without its code blocks."""
    return FENCE.sub("", page.read_text())


def relative_links(text: str) -> list[str]:
    text = INLINE_CODE.sub("", text)
    return [link for link in LINK.findall(text) + HTML_LINK.findall(text) if not re.match(r"[a-z]+:", link)]


def anchors(text: str) -> set[str]:
    """Lowercase, without punctuation, with hyphens for spaces, as on GitHub and on the site.

    They number repeated headings differently, so only the first one can be linked to.
    """
    headings = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_broken(link: str, page: Path) -> bool:
    place, _, anchor = link.partition("#")
    target = (page.parent / place).resolve() if place else page
    if not (target.is_relative_to(ROOT) and target.exists()):
        return True
    return bool(anchor) and (target.suffix != ".md" or anchor not in anchors(prose(target)))


@cache
def files() -> list[Path]:
    return [path for folder in CODE for path in (ROOT / folder).rglob("*.*")]


def files_named(name: str) -> list[Path]:
    """Pages leave out parent folders: `reviews/inserts.py` is a file somewhere in the code."""
    return [path for path in files() if f"/{path}".endswith(f"/{name}")]


def missing_paths(text: str) -> set[str]:
    named = set[str](PATH.findall(text)) - NOT_IN_THE_REPOSITORY
    return {name for name in named if not (ROOT / name).exists() and not files_named(name)}


def missing_names(text: str) -> set[tuple[str, str]]:
    """Names that a page says are in a file, but aren't."""
    pairs = {*NAME_AFTER_FILE.findall(text), *((file, name) for name, file in NAME_BEFORE_FILE.findall(text))}
    return {
        (file, name)
        for file, name in pairs
        if not any(re.search(rf"\b{name}\b", path.read_text()) for path in files_named(file))
    }


def test_there_are_pages_to_check() -> None:
    names = {page.name for page in PAGES}
    assert {"README.md", "agents.md", "webhooks.md", "ARCHITECTURE.md"} <= names
    assert sum(len(relative_links(prose(page))) for page in PAGES) > 50


@each_page
def test_links_exist(page: Path) -> None:
    assert [link for link in relative_links(prose(page)) if is_broken(link, page)] == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[a](docs/agents.md#retry-safely) [b](#run-it) [c](docs/agents.md)", []),
        ("[a](docs/nowhere.md)", ["docs/nowhere.md"]),
        ("[a](docs/agents.md#nothing)", ["docs/agents.md#nothing"]),
        ("[a](#nothing)", ["#nothing"]),
        ("[a](docs/agents.md#retry-safely-1)", ["docs/agents.md#retry-safely-1"]),
        ("[a](docs/agents.md#Retry-safely)", ["docs/agents.md#Retry-safely"]),
        ('[a](docs/nowhere.md "with a title")', ["docs/nowhere.md"]),
        ("[`code`\nand more](docs/nowhere.md)", ["docs/nowhere.md"]),
        ("[![picture](docs/pictures/inbox.png)](docs/nowhere.md)", ["docs/nowhere.md"]),
        ('<img alt="" src="docs/pictures/nothing.png">', ["docs/pictures/nothing.png"]),
        ("[a](../outside.md)", ["../outside.md"]),
        ("`[code](docs/nowhere.md)` [web](https://example.com/#nothing)", []),
    ],
)
def test_broken_links_are_found(text: str, broken: list[str]) -> None:
    assert [link for link in relative_links(text) if is_broken(link, ROOT / "README.md")] == broken


@each_page
def test_quoted_paths_exist(page: Path) -> None:
    assert missing_paths(prose(page)) == set()
    assert missing_names(prose(page)) == set()


def test_missing_paths_are_found() -> None:
    text = (
        "`reviews/inserts.py` `tests/forms/` `web/src/lib` `src/gone` `gone/inserts.py` `web/src/Gone.tsx` `gone.sql`"
    )
    assert missing_paths(text) == {"src/gone", "gone/inserts.py", "web/src/Gone.tsx", "gone.sql"}
    text = "`platform/jobs/queue.py` `enqueue`, `Gone` of `platform/jobs/queue.py`"
    assert missing_names(text) == {("platform/jobs/queue.py", "Gone")}


@each_page
def test_code_blocks_are_closed(page: Path) -> None:
    assert "```" not in prose(page)


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        places = (link.partition("#")[0] for link in relative_links(prose(page)))
        waiting += [target for place in places if place and (target := (page.parent / place).resolve()) in PAGES]
    lost = [str(page.relative_to(ROOT)) for page in PAGES if page not in reached]
    assert [page for page in lost if not page.startswith(("docs/performance", "sdk/"))] == []
