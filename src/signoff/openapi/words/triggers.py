"""The operations under "Trigger forms"."""

from signoff.openapi import story
from signoff.openapi.words.common_problems import FAIR_USE_EXCEEDED, KEY_REUSED
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import NotFound
from signoff.triggers import errors as triggers

_NOT_A_TRIGGER = triggers.NotATrigger("This review type is for requests of agents. Nobody starts it by hand.")
_NO_AGENT = triggers.NoAgent("There is nobody to send it to. Give the review type an agent first.")
FORM_CHANGED = triggers.FormChanged("The form is at version 2 by now.", version=2)
_NO_PUBLIC_LINK = NotFound("public link of the review type", story.FORM_ID)

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
            invalid("data.draft.headline", "required", "must not be empty"),
        ),
    ),
    ("get", "/forms/{formId}/publicLink"): Words("getPublicLink", "Get a public link", problems=(_NO_PUBLIC_LINK,)),
    ("put", "/forms/{formId}/publicLink"): Words("publishForm", "Publish a form", problems=(_NOT_A_TRIGGER, _NO_AGENT)),
    ("delete", "/forms/{formId}/publicLink"): Words("unpublishForm", "Unpublish a form"),
    ("post", "/forms/{formId}/publicLink/rotate"): Words(
        "rotatePublicLink", "Replace a public link", problems=(_NO_PUBLIC_LINK,)
    ),
}
