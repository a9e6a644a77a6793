"""The examples, which all tell the same story: Acme's agent drafts a newsletter, Ann and her editors sign it off.

An example belongs to a schema, by its name in the document; every request or response with the schema shows it. There
is one file per tag, and two for review types.
"""

from typing import Any

from signoff.openapi.examples import (
    account,
    agents,
    audit_log,
    chat_apps,
    deliveries,
    demo,
    events,
    form_editing,
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
from signoff.openapi.merging import merged

EXAMPLES: dict[str, Any] = merged(
    reviews.EXAMPLES,
    sessions.EXAMPLES,
    inbox.EXAMPLES,
    media.EXAMPLES,
    memory.EXAMPLES,
    insights.EXAMPLES,
    deliveries.EXAMPLES,
    forms.EXAMPLES,
    form_editing.EXAMPLES,
    triggers.EXAMPLES,
    public_forms.EXAMPLES,
    agents.EXAMPLES,
    signing_in.EXAMPLES,
    people.EXAMPLES,
    groups.EXAMPLES,
    keys.EXAMPLES,
    account.EXAMPLES,
    mails.EXAMPLES,
    chat_apps.EXAMPLES,
    audit_log.EXAMPLES,
    demo.EXAMPLES,
    events.EXAMPLES,
)
