"""The operations under "Public forms"."""

from signoff.openapi.words.common_problems import FAIR_USE_EXCEEDED
from signoff.openapi.words.triggers import FORM_CHANGED
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.triggers import errors as triggers
from signoff.triggers.challenges import not_solved

_PUBLIC = (triggers.FormNotFound(), triggers.FormClosed(), triggers.TooManySubmissions("address", 1))

OPERATIONS: Operations = {
    ("get", "/public/triggers/{token}"): Words("getPublicTrigger", "Get a public form", problems=_PUBLIC),
    ("post", "/public/triggers/{token}/challenge"): Words("getChallenge", "Create a challenge", problems=_PUBLIC),
    ("post", "/public/triggers/{token}/submissions"): Words(
        "submitPublicTrigger",
        "Submit a public form",
        problems=(
            *_PUBLIC,
            FORM_CHANGED,
            triggers.challenge_expired(),
            triggers.challenge_used(),
            invalid("solution", "not_solved", not_solved(16)),
            FAIR_USE_EXCEEDED,
        ),
    ),
}
