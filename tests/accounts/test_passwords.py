import asyncio

import pytest
from argon2 import Parameters, PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from argon2.low_level import Type
from argon2.profiles import RFC_9106_LOW_MEMORY

from signoff.accounts.passwords import Passwords

CHEAP = Parameters(Type.ID, 19, 16, 32, time_cost=1, memory_cost=64, parallelism=1)
DEARER = Parameters(Type.ID, 19, 16, 32, time_cost=2, memory_cost=64, parallelism=1)


class TestPasswords:
    async def test_matches_only_its_own_hash(self) -> None:
        cheap = Passwords(CHEAP)
        stored = await cheap.hash("correct horse battery")
        assert stored.startswith("$argon2id$")
        assert await cheap.matches("correct horse battery", stored)
        assert not await cheap.matches("correct horse batterY", stored)
        assert not await cheap.matches("", stored)

    async def test_salted(self) -> None:
        cheap = Passwords(CHEAP)
        assert await cheap.hash("correct horse battery") != await cheap.hash("correct horse battery")

    @pytest.mark.parametrize("stored", [None, "", "plain text", "$2b$12$abcdefghijklmnop"])
    async def test_invalid_hash_never_matches(self, stored: str | None) -> None:
        assert not await Passwords(CHEAP).matches("correct horse battery", stored)

    async def test_unicode_normalization_matches(self) -> None:
        cheap = Passwords(CHEAP)
        assert await cheap.matches("cafe\u0301 au lait", await cheap.hash("caf\u00e9 au lait"))

    @pytest.mark.parametrize("password", ["\ud800 lone surrogate", "🔑" * 200, "x\x00y null inside"])
    async def test_hashes_any_text(self, password: str) -> None:
        cheap = Passwords(CHEAP)
        assert await cheap.matches(password, await cheap.hash(password))

    async def test_outdated_after_costs_change(self) -> None:
        stored = await Passwords(CHEAP).hash("correct horse battery")
        assert not Passwords(CHEAP).is_outdated(stored)
        assert Passwords(DEARER).is_outdated(stored)
        assert await Passwords(DEARER).matches("correct horse battery", stored)

    async def test_costs_follow_rfc_9106(self) -> None:
        assert extract_parameters(await Passwords().hash("correct horse battery")) == RFC_9106_LOW_MEMORY

    async def test_takes_equally_long_without_a_stored_hash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whether there is a hash or not, one with the same cost is verified completely."""
        passwords, worked_on = Passwords(DEARER), list[Parameters]()
        verify = PasswordHasher.verify

        def watched(hasher: PasswordHasher, stored: str, password: bytes) -> bool:
            with pytest.raises(VerifyMismatchError):  # found only after the whole computation
                verify(hasher, stored, password)
            worked_on.append(extract_parameters(stored))
            raise VerifyMismatchError

        monkeypatch.setattr(PasswordHasher, "verify", watched)
        for stored in (await passwords.hash("correct horse battery"), None):
            assert not await passwords.matches("wrong horse battery", stored)
        assert worked_on == [DEARER, DEARER]

    async def test_does_not_block_the_event_loop(self) -> None:
        slow = Passwords(Parameters(Type.ID, 19, 16, 32, time_cost=4, memory_cost=32768, parallelism=1))
        hashing = asyncio.create_task(slow.hash("correct horse battery"))
        turns = 0
        while not hashing.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns > 10
