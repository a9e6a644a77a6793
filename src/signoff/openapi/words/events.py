"""The operations under "Events"."""

from signoff.openapi.words.wording import Operations, Words

OPERATIONS: Operations = {
    ("get", "/events"): Words("listEvents", "List events"),
}
