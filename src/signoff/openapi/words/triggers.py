"""The operations under "Trigger forms"."""

from signoff.openapi.words.common_problems import FAIR_USE_EXCEEDED, KEY_REUSED
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.messages import msg
from signoff.triggers import errors as triggers

_NOT_A_TRIGGER = triggers.not_a_trigger()
_NO_AGENT = triggers.no_agent()
FORM_CHANGED = triggers.form_changed(2)
_NO_PUBLIC_LINK = triggers.LinkNotFound()

OPERATIONS: Operations = {
    ("get", "/triggers"): Words("listTriggers", "List trigger forms"),
    ("get", "/triggers/{formId}"): Words("getTrigger", "Get a trigger form", problems=(_NOT_A_TRIGGER, _NO_AGENT)),
    ("post", "/triggers/{formId}/submissions"): Words(
        "submitTrigger",
        "Submit a trigger form",
        problems=(
            FORM_CHANGED,
            _NOT_A_TRIGGER,
            _NO_AGENT,
            KEY_REUSED,
            FAIR_USE_EXCEEDED,
            invalid("data.draft.headline", "required", msg("can't be empty")),
        ),
    ),
    ("get", "/forms/{formId}/publicLink"): Words("getPublicLink", "Get a public link", problems=(_NO_PUBLIC_LINK,)),
    ("put", "/forms/{formId}/publicLink"): Words(
        "publishForm", "Turn on a public link", problems=(_NOT_A_TRIGGER, _NO_AGENT)
    ),
    ("delete", "/forms/{formId}/publicLink"): Words("unpublishForm", "Turn off a public link"),
    ("post", "/forms/{formId}/publicLink/rotate"): Words(
        "rotatePublicLink", "Replace a public link", problems=(_NO_PUBLIC_LINK,)
    ),
}
