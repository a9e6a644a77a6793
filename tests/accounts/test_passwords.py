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
    async def test_matches_its_own_hash_only(self) -> None:
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
    async def test_without_a_usable_hash_nothing_matches(self, stored: str | None) -> None:
        assert not await Passwords(CHEAP).matches("correct horse battery", stored)

    async def test_an_accent_composed_differently_is_the_same_password(self) -> None:
        cheap = Passwords(CHEAP)
        assert await cheap.matches("cafe\u0301 au lait", await cheap.hash("caf\u00e9 au lait"))

    @pytest.mark.parametrize("password", ["\ud800 lone surrogate", "🔑" * 200, "x\x00y null inside"])
    async def test_any_text_can_be_hashed(self, password: str) -> None:
        cheap = Passwords(CHEAP)
        assert await cheap.matches(password, await cheap.hash(password))

    async def test_outdated_when_the_costs_changed(self) -> None:
        stored = await Passwords(CHEAP).hash("correct horse battery")
        assert not Passwords(CHEAP).is_outdated(stored)
        assert Passwords(DEARER).is_outdated(stored)
        assert await Passwords(DEARER).matches("correct horse battery", stored)

    async def test_costs_what_rfc_9106_asks_for(self) -> None:
        assert extract_parameters(await Passwords().hash("correct horse battery")) == RFC_9106_LOW_MEMORY

    async def test_the_work_is_the_same_without_a_stored_hash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whether there is a hash or not, one of the same costs is checked to its end."""
        passwords, worked_on = Passwords(DEARER), list[Parameters]()
        verify = PasswordHasher.verify

        def watched(hasher: PasswordHasher, stored: str, password: bytes) -> bool:
            with pytest.raises(VerifyMismatchError):  # only found after the whole computation
                verify(hasher, stored, password)
            worked_on.append(extract_parameters(stored))
            raise VerifyMismatchError

        monkeypatch.setattr(PasswordHasher, "verify", watched)
        for stored in (await passwords.hash("correct horse battery"), None):
            assert not await passwords.matches("wrong horse battery", stored)
        assert worked_on == [DEARER, DEARER]

    async def test_the_event_loop_goes_on(self) -> None:
        slow = Passwords(Parameters(Type.ID, 19, 16, 32, time_cost=4, memory_cost=32768, parallelism=1))
        hashing = asyncio.create_task(slow.hash("correct horse battery"))
        turns = 0
        while not hashing.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns > 10
