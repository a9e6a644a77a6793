"""The bot check: pure functions of secret, time and randomness."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trigger_helpers import solve

from signoff.platform.errors import InvalidRequest
from signoff.triggers.challenges import (
    MAX_EXTRA_BITS,
    VALID_FOR,
    Challenge,
    build_challenge,
    check_solution,
    extra_bits,
    is_solved,
)
from signoff.triggers.errors import ChallengeExpired

SECRET, OTHER = b"s" * 32, b"t" * 32
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def made(bits: int = 6, nonce: bytes = b"n" * 16) -> Challenge:
    return build_challenge(SECRET, bits, NOW, nonce)


def code_of(error: pytest.ExceptionInfo[InvalidRequest]) -> tuple[str, str]:
    [detail] = error.value.errors
    return detail.path, detail.code


class TestSolving:
    @given(bits=st.integers(1, 10), nonce=st.binary(min_size=16, max_size=16))
    def test_a_solution_is_accepted(self, bits: int, nonce: bytes) -> None:
        challenge = made(bits, nonce)
        result = check_solution(SECRET, challenge.text, solve(challenge.text, bits), NOW)
        assert (result.bits, result.nonce) == (bits, challenge.nonce)

    @given(st.text(max_size=64))
    def test_few_texts_are_solutions(self, text: str) -> None:
        assert not is_solved(made().text, text, 200)

    def test_one_bit_too_few(self) -> None:
        challenge = made(8)
        almost = next(
            str(number)
            for number in range(100_000)
            if is_solved(challenge.text, str(number), 7) and not is_solved(challenge.text, str(number), 8)
        )
        with pytest.raises(InvalidRequest) as error:
            check_solution(SECRET, challenge.text, almost, NOW)
        assert code_of(error) == ("solution", "not_solved")

    def test_each_nonce_creates_another_challenge(self) -> None:
        assert made(nonce=b"a" * 16).nonce != made(nonce=b"b" * 16).nonce


class TestForging:
    @given(st.text(max_size=100))
    def test_foreign_tokens_are_rejected(self, text: str) -> None:
        with pytest.raises(InvalidRequest) as error:
            check_solution(SECRET, text, "0", NOW)
        assert code_of(error) == ("challenge", "unknown_challenge")

    @given(st.integers(0, 79), st.sampled_from("ABCabc019.-_"))
    def test_altered_tokens_are_rejected(self, place: int, letter: str) -> None:
        text = made(1).text
        changed = text[:place] + letter + text[place + 1 :]
        if changed == text:
            return
        with pytest.raises(InvalidRequest) as error:
            check_solution(SECRET, changed, solve(changed, 1), NOW)
        assert code_of(error) == ("challenge", "unknown_challenge")

    def test_lowered_difficulty_is_rejected(self) -> None:
        nonce, _, rest = made(20).text.partition(".")
        easier = f"{nonce}.1.{rest.partition('.')[2]}"
        with pytest.raises(InvalidRequest):
            check_solution(SECRET, easier, solve(easier, 1), NOW)

    def test_challenge_of_another_link_is_rejected(self) -> None:
        challenge = made()
        with pytest.raises(InvalidRequest):
            check_solution(OTHER, challenge.text, solve(challenge.text, 6), NOW)


class TestExpiring:
    def test_expires(self) -> None:
        challenge = made()
        solution = solve(challenge.text, 6)
        assert challenge.expires_at == NOW + VALID_FOR
        check_solution(SECRET, challenge.text, solution, NOW + VALID_FOR - timedelta(seconds=1))
        with pytest.raises(ChallengeExpired):
            check_solution(SECRET, challenge.text, solution, NOW + VALID_FOR)


class TestBusyForms:
    @pytest.mark.parametrize(
        ("used", "extra"), [(0, 0), (29, 0), (30, 1), (44, 1), (45, 2), (53, 3), (57, 4), (60, 4), (1000, 4)]
    )
    def test_work_doubles_with_every_half(self, used: int, extra: int) -> None:
        assert extra_bits(used, 60) == extra

    @given(st.integers(0, 20_000), st.integers(1, 10_000))
    def test_work_rises_up_to_a_limit(self, used: int, allowed: int) -> None:
        assert 0 <= extra_bits(used, allowed) <= extra_bits(used + 1, allowed) <= MAX_EXTRA_BITS
