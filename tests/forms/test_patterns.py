import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.fields.patterns import PatternError, compile_pattern

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors/patterns.json").read_text())


@pytest.mark.parametrize("case", VECTORS["patterns"], ids=lambda case: case["pattern"])
def test_matches_the_whole_text(case: dict[str, Any]) -> None:
    compiled = compile_pattern(case["pattern"])
    assert [text for text in case["matching"] if not compiled.matches(text)] == []
    assert [text for text in case["others"] if compiled.matches(text)] == []


@pytest.mark.parametrize("pattern", VECTORS["refused"])
def test_rejects_unsupported_patterns(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize("case", VECTORS["explosive"], ids=lambda case: case["pattern"])
def test_no_input_makes_it_slow(case: dict[str, Any]) -> None:
    """In a thread, because a hanging engine would never return. It gives other threads a chance to run."""
    compiled = compile_pattern(case["pattern"])
    results: list[bool] = []
    matching = threading.Thread(target=lambda: results.append(compiled.matches(case["text"])), daemon=True)
    matching.start()
    matching.join(60)
    assert len(results) == 1


pieces = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", r"\.", "[a-c1-3]", r"\D"])
patterns = st.recursive(
    pieces,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@given(patterns, st.text("ab1c.", max_size=8))
def test_agrees_with_the_standard_library(pattern: str, text: str) -> None:
    expected = re.fullmatch(pattern, text, re.ASCII) is not None
    assert compile_pattern(pattern).matches(text) is expected


@given(st.text("ab\\d[]()^$*+?{}|-,1.", max_size=12), st.text(max_size=12))
def test_any_text_is_a_pattern_or_rejected(pattern: str, text: str) -> None:
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        return
    compiled.matches(text)
