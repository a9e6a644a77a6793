"""Base64 to a file: every format that clients send is accepted, and nothing else."""

import base64
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from signoff.media import base64_decoder
from signoff.media.base64_decoder import BadBase64, Base64TooLarge, write_decoded

LARGE = 1_000_000


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small, so that the boundaries between pieces are tested."""
    monkeypatch.setattr(base64_decoder, "PIECE", 7)


contents = st.binary(min_size=1, max_size=60)


@st.composite
def spellings(draw: st.DrawFn) -> tuple[bytes, str]:
    content = draw(contents)
    encode = draw(st.sampled_from([base64.b64encode, base64.urlsafe_b64encode]))
    text = encode(content).decode()
    if draw(st.booleans()):
        text = text.rstrip("=")
    for place in sorted(draw(st.lists(st.integers(0, len(text)), max_size=5)), reverse=True):
        text = text[:place] + draw(st.sampled_from([" ", "\n", "\r\n", "\t"])) + text[place:]
    prefix = draw(st.sampled_from(["", "data:image/png;base64,", "data:image/jpeg;name=a.jpg;base64,"]))
    return content, prefix + text


@pytest.mark.usefixtures("small_pieces")
class TestDecoding:
    @given(spellings())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_every_spelling(self, tmp_path: Path, case: tuple[bytes, str]) -> None:
        content, text = case
        write_decoded(text, tmp_path / "file", LARGE)
        assert (tmp_path / "file").read_bytes() == content

    @given(contents, st.sampled_from("!%:,.é€*~\x00"), st.data())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_invalid_character_anywhere(self, tmp_path: Path, content: bytes, wrong: str, data: st.DataObject) -> None:
        text = base64.b64encode(content).decode()
        place = data.draw(st.integers(0, len(text)))
        with pytest.raises(BadBase64):
            write_decoded(text[:place] + wrong + text[place:], tmp_path / "file", LARGE)

    @pytest.mark.parametrize(
        "text",
        ["QUJDRA=", "QUJDRA===", "QUJD=", "QUJD==", "QUJDR", "QUJDR===", "QU=JDRA=", "QUJDRA==QUJD"],
    )
    def test_wrong_padding(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(BadBase64):
            write_decoded(text, tmp_path / "file", LARGE)

    @given(contents, st.integers(0, 59))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_never_exceeds_the_limit(self, tmp_path: Path, content: bytes, most: int) -> None:
        text = base64.b64encode(content).decode()
        if len(content) <= most:
            write_decoded(text, tmp_path / "file", most)
        else:
            with pytest.raises(Base64TooLarge):
                write_decoded(text, tmp_path / "file", most)
            assert (tmp_path / "file").stat().st_size <= most + 16


def test_trailing_white_space(tmp_path: Path) -> None:
    write_decoded("QUJDRA==" + "\n" * 1000, tmp_path / "file", LARGE)
    assert (tmp_path / "file").read_bytes() == b"ABCD"
