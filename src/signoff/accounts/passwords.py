"""Passwords: Argon2id, off the event loop, and with the same work for every outcome."""

import asyncio
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import urandom
from typing import TypeVar

from argon2 import Parameters, PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from argon2.profiles import RFC_9106_LOW_MEMORY

MIN_LENGTH = 8
MAX_LENGTH = 200
MAX_CONCURRENT = 2
"""Each computation takes 64 MiB and a core for a moment. A flood of sign-ins queues here and affects nothing else."""

Result = TypeVar("Result")


class Passwords:
    def __init__(self, profile: Parameters = RFC_9106_LOW_MEMORY) -> None:
        self._hasher = PasswordHasher.from_parameters(profile)
        self._nobodys_hash = _build_dummy_hash(profile)
        # Dedicated threads: the loop's shared ones also resolve names for outgoing calls.
        self._workers = ThreadPoolExecutor(MAX_CONCURRENT, thread_name_prefix="passwords")

    async def hash(self, password: str) -> str:
        return await self._run(lambda: self._hasher.hash(_canonical(password)))

    async def matches(self, password: str, stored: str | None) -> bool:
        """Check a password. Without a stored hash it does the same work and returns False, so timing doesn't reveal
        which emails exist.
        """
        return await self._run(lambda: self._verify(password, stored or self._nobodys_hash))

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash uses outdated parameters. If so, hash the password again while it's known."""
        return self._hasher.check_needs_rehash(stored)

    def _verify(self, password: str, stored: str) -> bool:
        try:
            return self._hasher.verify(stored, _canonical(password))
        except (VerifyMismatchError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)


def _canonical(password: str) -> bytes:
    """Normalize Unicode: keyboards compose accented letters differently, but it's the same password."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def _build_dummy_hash(profile: Parameters) -> str:
    """Return a hash that no password has, in the format of a real one, so that checking against it takes as long."""
    salt, digest = (b64encode(urandom(n)).decode().rstrip("=") for n in (profile.salt_len, profile.hash_len))
    costs = f"m={profile.memory_cost},t={profile.time_cost},p={profile.parallelism}"
    return f"$argon2id$v={profile.version}${costs}${salt}${digest}"


passwords = Passwords()
