"""The bot check of public forms: a small proof of work for each submission, without an external service.

A challenge is signed with the secret of its link and includes its expiry; nothing is stored for it. Its solution is any
text for which SHA-256 of `<challenge>:<solution>` starts with a number of zero bits. For a person's browser that takes
a moment, once; for someone who wants to submit thousands, it takes thousands of moments.

Pure: clock and randomness are passed in. The caller ensures that a challenge is used only once.
"""

import base64
import hashlib
import hmac
import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import Message, msg, msgs
from signoff.triggers.errors import challenge_expired

VALID_FOR: Final = timedelta(minutes=30)
NONCE_BYTES: Final = 16
MAX_EXTRA_BITS: Final = 4


@dataclass(frozen=True, slots=True)
class Challenge:
    text: str
    bits: int
    expires_at: datetime

    @property
    def nonce(self) -> str:
        """Return the part that makes the challenge unique."""
        return self.text.partition(".")[0]


def extra_bits(used: int, allowed: int) -> int:
    """Return extra difficulty: the work doubles whenever half of the hour's remaining submissions are used."""
    left = max(1 - used / allowed, 2.0**-MAX_EXTRA_BITS)
    return math.floor(-math.log2(left))


def build_challenge(secret: bytes, bits: int, now: datetime, nonce: bytes) -> Challenge:
    expires = int((now + VALID_FOR).timestamp())
    body = f"{_encode(nonce)}.{bits}.{expires}"
    return Challenge(f"{body}.{_signature(secret, body)}", bits, datetime.fromtimestamp(expires, UTC))


def check_solution(secret: bytes, text: str, solution: str, now: datetime) -> Challenge:
    """Return the challenge if we issued it for this link, it's still valid, and it's solved."""
    body, _, signature = text.rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(secret, body).encode()):
        raise InvalidRequest([ErrorDetail("challenge", "unknown_challenge", msg("wasn't issued for this form"))])
    # Anything with our signature has our format.
    _, bits, expires = body.split(".")
    challenge = Challenge(text, int(bits), datetime.fromtimestamp(int(expires), UTC))
    if challenge.expires_at <= now:
        raise challenge_expired()
    if not is_solved(text, solution, challenge.bits):
        raise InvalidRequest([ErrorDetail("solution", "not_solved", not_solved(challenge.bits))])
    return challenge


def not_solved(bits: int) -> Message:
    return msgs(
        "doesn't solve the challenge: the hash must start with {count} zero bit",
        "doesn't solve the challenge: the hash must start with {count} zero bits",
        count=bits,
    )


def is_solved(challenge: str, solution: str, bits: int) -> bool:
    digest = hashlib.sha256(f"{challenge}:{solution}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest, "big") >> (256 - bits) == 0


def _signature(secret: bytes, body: str) -> str:
    return _encode(hmac.digest(secret, body.encode("utf-8", "surrogatepass"), "sha256"))


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
