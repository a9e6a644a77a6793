"""The site that `make docs` builds: complete, without warnings, and without requests to other hosts."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs_site.diagrams import NotUnderstood, table
from docs_site.root_pages import moved, target

ROOT = Path(__file__).parents[2]
PATIENCE = 170.0
# What a browser loads on its own: images, scripts, styles, frames. Links aren't included.
FETCHED = re.compile(r"<(?!a\b)\w[^>]*?\b(?:src|srcset|href|poster|data)=[\"']?(?:https?:)?//[^\s\"'>]+")
FETCHED_BY_STYLES = re.compile(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\"';]+")


def build(config: Path, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--config-file", config, "--site-dir", site],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE + 10)
def test_site_builds(tmp_path: Path) -> None:
    """A single test, because building takes a while."""
    done = build(ROOT / "mkdocs.yml", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr

    pages = {str(page.relative_to(tmp_path)): page.read_text() for page in tmp_path.rglob("*.html")}
    assert {"index.html", "quickstart.html", "architecture.html", "security.html", "api/index.html"} <= set(pages)
    for name, page in pages.items():
        assert FETCHED.findall(page) == [], name
        # It makes the theme's script load a library from elsewhere.
        assert 'class="mermaid"' not in page, name
        assert "stateDiagram" not in page, name
    for style in tmp_path.rglob("*.css"):
        assert FETCHED_BY_STYLES.findall(style.read_text()) == [], style.name

    assert_every_endpoint_is_there(pages["api/index.html"])
    for name in re.findall(r'(?:href|src)="([^"#?:]+)', pages["api/index.html"]):
        assert (tmp_path / "api" / name).is_file(), name
    # A heading of a page, in the search index.
    assert "Where to add things" in (tmp_path / "search" / "search_index.json").read_text()


def assert_every_endpoint_is_there(page: str) -> None:
    printed = subprocess.run([sys.executable, "-m", "signoff", "openapi"], check=True, capture_output=True, text=True)
    document = json.loads(printed.stdout)
    operations = [
        (path, operation)
        for part in (document["paths"], document["webhooks"])
        for path, methods in part.items()
        for operation in methods.values()
    ]
    assert len(operations) > 100
    for path, operation in operations:
        assert f'id="{operation["operationId"]}"' in page, operation["operationId"]
        assert f"{path}</code>" in page.replace("<wbr>", ""), path


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ("# Sound\n\n[The map](../ARCHITECTURE.md#what-runs)", None),
        ("# Page\n\n[nowhere](nowhere.md)", "nowhere.md"),
        ("# Page\n\n[outside](../pyproject.toml)", "../pyproject.toml"),
        ("# Page\n\n[no heading](index.md#nothing)", "#nothing"),
        ("# Page\n\n[no heading](../ARCHITECTURE.md#nothing)", "#nothing"),
        ("# Page\n\n![no picture](pictures/nothing.png)", "pictures/nothing.png"),
    ],
)
def test_broken_links_fail(page: str, complaint: str | None, tmp_path: Path) -> None:
    done = build(a_small_site(tmp_path, page), tmp_path / "site")
    if complaint is None:
        assert done.returncode == 0, done.stderr
    else:
        assert done.returncode != 0
        assert complaint in done.stderr


def test_page_missing_in_the_navigation_fails(tmp_path: Path) -> None:
    config = a_small_site(tmp_path, "# Page")
    (tmp_path / "docs" / "orphan.md").write_text("# Orphan")
    done = build(config, tmp_path / "site")
    assert done.returncode != 0
    assert "orphan.md" in done.stderr


def a_small_site(folder: Path, page: str) -> Path:
    """The same rules for one page, next to those of the root, whose own links lead to pages that aren't here."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(page)
    (folder / "hook.py").write_text(
        "from docs_site.root_pages import *\n"
        "from docs_site import root_pages\n\n"
        "def on_page_markdown(markdown, page, config, files):\n"
        "    if page.file.src_uri != 'index.md':\n"
        "        return '# A page of the root\\n\\n## What runs'\n"
        "    return root_pages.on_page_markdown(markdown, page, config, files)\n"
    )
    places = ("index", "architecture", "contributing", "changes", "reporting-a-vulnerability")
    config = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": str(folder / "docs"),
        "hooks": [str(folder / "hook.py")],
        "theme": {"name": "mkdocs"},
        "plugins": [],
        "nav": [f"{place}.md" for place in places],
    }
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    return folder / "mkdocs.yml"


class TestLinks:
    """Between the pages of `docs/` and those of the root."""

    @pytest.mark.parametrize(
        ("place", "link", "wanted"),
        [
            ("concepts.md", "agents.md", "agents.md"),
            ("concepts.md", "../ARCHITECTURE.md", "architecture.md"),
            ("decisions/README.md", "../../ARCHITECTURE.md", "../architecture.md"),
            ("decisions/0001-sql.md", "../performance.md", "../performance.md"),
            ("decisions/0001-sql.md", "README.md", "README.md"),
            ("contributing.md", "docs/agents.md", "agents.md"),
            ("contributing.md", "docs/decisions/README.md", "decisions/README.md"),
            ("contributing.md", "docs/pictures/inbox.png", "pictures/inbox.png"),
            ("contributing.md", "SECURITY.md", "reporting-a-vulnerability.md"),
            ("contributing.md", "LICENSE", "LICENSE.txt"),
            ("contributing.md", "elsewhere.md", "elsewhere.md"),
            ("concepts.md", "../pyproject.toml", "../pyproject.toml"),
        ],
    )
    def test_target(self, place: str, link: str, wanted: str) -> None:
        assert target(link, place) == wanted

    def test_anchors_images_and_raw_html(self) -> None:
        page = '[a](docs/a.md#b) ![p](docs/p.png) <img src="docs/p.png"> [web](https://example.com/docs/a) [here](#b)'
        on_site = '[a](a.md#b) ![p](p.png) <img src="p.png"> [web](https://example.com/docs/a) [here](#b)'
        assert moved(page, "contributing.md") == on_site

    def test_code_is_not_changed(self) -> None:
        page = "[a](docs/a.md)\n\n```md\n[a](docs/a.md)\n```\n\n[a](docs/a.md)\n"
        assert moved(page, "contributing.md") == "[a](a.md)\n\n```md\n[a](docs/a.md)\n```\n\n[a](a.md)\n"


class TestDiagrams:
    @pytest.mark.parametrize(
        ("line", "row"),
        [
            ("a --> b", "| **a** |  → | **b** |"),
            ("[*] --> b: started", "| (start) | started → | **b** |"),
            ("a --> [*]: it <ends>", "| **a** | it &lt;ends&gt; → | (end) |"),
            (
                'a([Your agent]) -- "POST /x" --> db[(PostgreSQL)]',
                "| **Your agent** | POST /x → | **PostgreSQL** |",
            ),
            ("a -- x-api-key --> b[B]", "| **a** | x-api-key → | **B** |"),
            ('a -. "NOTIFY: come" .-> b', "| **a** | NOTIFY: come → | **b** |"),
        ],
    )
    def test_arrow(self, line: str, row: str) -> None:
        assert table(f"flowchart LR\n    {line}\n").splitlines()[2:] == [row]

    def test_one_label_for_several_arrows(self) -> None:
        assert table("flowchart LR\na --> b\nb[Box] --> a[Ann]\n").splitlines()[2] == "| **Ann** |  → | **Box** |"

    @pytest.mark.parametrize("line", ["a ==> b", "sequenceDiagram", "note right of a", "a --> b --> c"])
    def test_unknown_syntax_fails(self, line: str) -> None:
        with pytest.raises(NotUnderstood):
            table(f"flowchart LR\n{line}\n")
