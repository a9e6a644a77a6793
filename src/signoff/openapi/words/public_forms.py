"""The operations under "Public forms"."""

from signoff.openapi.words.common_problems import FAIR_USE_EXCEEDED
from signoff.openapi.words.triggers import FORM_CHANGED
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import NotFound
from signoff.triggers import errors as triggers

_PUBLIC = (NotFound("public form", "at this address"), triggers.FormClosed(), triggers.TooManySubmissions("address", 1))

OPERATIONS: Operations = {
    ("get", "/public/triggers/{token}"): Words("getPublicTrigger", "Get a public form", problems=_PUBLIC),
    ("post", "/public/triggers/{token}/challenge"): Words("getChallenge", "Create a challenge", problems=_PUBLIC),
    ("post", "/public/triggers/{token}/submissions"): Words(
        "submitPublicTrigger",
        "Submit a public form",
        problems=(
            *_PUBLIC,
            FORM_CHANGED,
            triggers.ChallengeExpired("The challenge is older than 30 minutes. Ask for a new one."),
            triggers.ChallengeUsed("This challenge paid for another submission. Ask for a new one."),
            invalid("solution", "not_solved", "does not solve the challenge: the hash must begin with 16 zero bits"),
            FAIR_USE_EXCEEDED,
        ),
    ),
}
