import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.forms.fields.patterns import MAX_INPUT, PatternError, compile_pattern


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("", [""], ["a"]),
        ("abc", ["abc"], ["ab", "abcd", "xabc"]),
        ("^abc$", ["abc"], ["^abc$"]),
        (r"a\$", ["a$"], ["a", "a\\"]),
        (r"a\\$", ["a\\"], ["a", "a\\$"]),
        ("a|bc", ["a", "bc"], ["ac", "b", ""]),
        ("(a|b)*c", ["c", "abbac"], ["ab"]),
        (r"\d{3}-\d{4}", ["555-1234"], ["55-1234", "\u0665\u0665\u0665-1234"]),
        ("[a-z0-9]+(?:-[a-z0-9]+)*", ["a", "a-b-c9"], ["-a", "a--b", "A"]),
        (r"[^\d\s]{2,3}", ["ab", "abc"], ["a", "abcd", "a1", "a "]),
        (r"[\D]", ["a", "😀"], ["1"]),
        ("x{2,}", ["xx", "xxxxx"], ["x"]),
        ("x{0,2}?y", ["y", "xxy"], ["xxxy"]),
        (".", ["a", "😀", "\t"], ["\n", "\r", "\u2028", "ab"]),
        (r"[\]\-a]+", ["]-a"], ["b"]),
        ("[-a]", ["-", "a"], ["b"]),
        ("[a-]", ["-", "a"], ["b"]),
        (r"\/\.\(\)", ["/.()"], ["/x()"]),
        ("(|a)b", ["b", "ab"], ["a"]),
        ("()*", [""], ["a"]),
    ],
)
def test_matches_the_whole_text(pattern: str, matching: list[str], others: list[str]) -> None:
    compiled = compile_pattern(pattern)
    assert [text for text in matching if not compiled.matches(text)] == []
    assert [text for text in others if compiled.matches(text)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        *["(", ")", "a)", "[", "[a", "[]", "[z-a]", r"[\d-x]", r"[a-\w]", "*a", "a**", "a{2,1}", "a{", "a{x}"],
        *["a{1,2", "a{,3}", "}", "]", "a^b", "a$b", r"\1", r"\b", r"\k", "\\", "(?=a)", "(?!a)", "(?<n>a)"],
        *["(?P<n>a)", r"\-", "a{9999}", "(a{100}){100}", "a" * 501, "(" * 30 + ")" * 30],
    ],
)
def test_refuses_what_it_cannot_run(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a|aa)+b", "(a*)*b", "a*a*a*a*a*a*a*a*b", "(.*){20}b"])
def test_no_input_makes_it_slow(pattern: str) -> None:
    compiled = compile_pattern(pattern)
    started = time.perf_counter()
    assert not compiled.matches("a" * MAX_INPUT)
    assert time.perf_counter() - started < 1


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
def test_any_text_is_a_pattern_or_refused(pattern: str, text: str) -> None:
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        return
    compiled.matches(text)
