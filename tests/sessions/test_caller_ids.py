"""Caller-supplied IDs: every string of the allowed characters, except the two that no URL can contain."""

import string

from hypothesis import example, given
from hypothesis import strategies as st

from signoff.platform.ids import CALLER_ID

LETTERS = f"{string.ascii_letters}{string.digits}._:-"


@given(st.text("a.:", max_size=5) | st.text(LETTERS, min_size=124, max_size=132))
@example(".")
@example("..")
@example("...")
@example("." * 128)
@example("." * 129)
def test_any_id_except_dot_and_dot_dot(text: str) -> None:
    assert bool(CALLER_ID.fullmatch(text)) == (1 <= len(text) <= 128 and text not in {".", ".."})


@given(st.text(max_size=10))
def test_other_ids_are_rejected(text: str) -> None:
    if not set(text) <= set(LETTERS):
        assert CALLER_ID.fullmatch(text) is None
