"""Every relative link of every page leads somewhere, and every anchor is a heading there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    return FENCE.sub("", page.read_text())


def links(page: Path) -> list[str]:
    inline_code = re.compile(r"`[^`\n]*`")
    return [link for link in LINK.findall(inline_code.sub("", prose(page))) if not re.match(r"[a-z]+:", link)]


def anchors(page: Path) -> set[str]:
    """As GitHub makes them: lower case, punctuation dropped, blanks to hyphens, repetitions numbered."""
    found: set[str] = set()
    for heading in HEADING.findall(prose(page)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        number = 0
        while (made := f"{anchor}-{number}" if number else anchor) in found:
            number += 1
        found.add(made)
    return found


def test_there_are_pages_to_check() -> None:
    names = {page.name for page in PAGES}
    assert {"README.md", "agents.md", "webhooks.md", "ARCHITECTURE.md"} <= names
    assert sum(len(links(page)) for page in PAGES) > 50


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    broken: list[str] = []
    for link in links(page):
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        there = target.is_relative_to(ROOT) and target.exists()
        if not there or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_files_that_are_named_exist(page: Path) -> None:
    """`reviews/inserts.py` is a file somewhere in the source or the tests, `tests/forms/` a folder."""
    named = set(re.findall(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|sql)|tests/[\w/]*)`", prose(page))) - {"receiver.py"}
    places = [f"/{path.relative_to(ROOT)}" for top in ("src", "tests") for path in (ROOT / top).rglob("*.*")]
    missing = {name for name in named if not (ROOT / name).exists() and not any(p.endswith(f"/{name}") for p in places)}
    assert missing == set()


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_blocks_of_code_end(page: Path) -> None:
    assert "```" not in prose(page)


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        places = (link.partition("#")[0] for link in links(page))
        waiting += [found for place in places if place and (found := (page.parent / place).resolve()) in PAGES]
    lost = [str(page.relative_to(ROOT)) for page in PAGES if page not in reached]
    assert [page for page in lost if not page.startswith("docs/performance")] == []
