"""What a route's code can't say about it: its public name, its one-line summary, and its errors.

An operation's ID is stable, because clients are generated from it. So it's defined here rather than derived from a
function's name, which may change. There is one file per tag.
"""

from signoff.openapi.merging import merged
from signoff.openapi.words import (
    account,
    agents,
    audit_log,
    chat_apps,
    deliveries,
    demo,
    events,
    forms,
    groups,
    inbox,
    insights,
    keys,
    mails,
    media,
    memory,
    people,
    public_forms,
    reviews,
    sessions,
    signing_in,
    triggers,
)
from signoff.openapi.words.parameters import PARAMETERS
from signoff.openapi.words.tags import TAGS
from signoff.openapi.words.wording import Operations, Words

OPERATIONS: Operations = merged(
    reviews.OPERATIONS,
    sessions.OPERATIONS,
    inbox.OPERATIONS,
    media.OPERATIONS,
    memory.OPERATIONS,
    insights.OPERATIONS,
    deliveries.OPERATIONS,
    forms.OPERATIONS,
    triggers.OPERATIONS,
    public_forms.OPERATIONS,
    agents.OPERATIONS,
    signing_in.OPERATIONS,
    people.OPERATIONS,
    groups.OPERATIONS,
    keys.OPERATIONS,
    account.OPERATIONS,
    mails.OPERATIONS,
    chat_apps.OPERATIONS,
    audit_log.OPERATIONS,
    demo.OPERATIONS,
    events.OPERATIONS,
)


def words_of(method: str, path: str, name: str) -> Words:
    """Return the texts defined here, or ones derived from the function's name, so that a new route is never without."""
    if known := OPERATIONS.get((method, path)):
        return known
    first, *rest = name.split("_")
    return Words(first + "".join(map(str.capitalize, rest)), " ".join((first.capitalize(), *rest)))


__all__ = ["OPERATIONS", "PARAMETERS", "TAGS", "Words", "words_of"]
