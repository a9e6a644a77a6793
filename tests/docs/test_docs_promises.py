"""Pages, screens and API texts describe this version. They don't promise anything for a later one."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROMISE = re.compile(
    r"(later|future|next|upcoming) (version|release)s? (of Signoff|brings?|will|adds?)"
    r"|(with|in) a (later|future) (version|release)"
    r"|coming soon|sends no e?-?mails? yet|not (implemented|supported) yet",
    re.IGNORECASE,
)


def texts() -> list[Path]:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("sdk/**/*.md")]
    sources = [*ROOT.glob("src/signoff/**/*.py"), *ROOT.glob("web/src/**/*.tsx"), *ROOT.glob("web/src/**/*.ts")]
    return [path for path in (*pages, *sources) if "node_modules" not in path.parts]


def test_docs_promise_no_future_features() -> None:
    results = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in texts()
        for match in PROMISE.finditer(" ".join(path.read_text().split()))
    ]
    assert not results
