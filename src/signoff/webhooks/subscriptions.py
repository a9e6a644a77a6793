"""Which webhook an event is sent to: the first one that subscribes to it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from signoff.agents.event_names import DEFAULT_EVENTS
from signoff.webhooks.events import Destination


@dataclass(frozen=True, slots=True)
class Address:
    source: Literal["request", "form", "agent"]
    url: str | None
    events: Collection[str] | None
    """The events it has subscribed to; None means the default ones."""

    def accepts(self, event: str) -> bool:
        return self.url is not None and event in (DEFAULT_EVENTS if self.events is None else self.events)


def destinations(event: str, addresses: Iterable[Address], audit_url: str | None) -> list[Destination]:
    """Return the first webhook that takes the event, and the audit webhook, which gets a copy of everything."""
    receiver = next((address for address in addresses if address.accepts(event)), None)
    destinations_: list[Destination] = []
    if receiver is not None and receiver.url is not None:
        destinations_.append(Destination("agent", receiver.source, receiver.url))
    if audit_url is not None:
        destinations_.append(Destination("audit", "account", audit_url))
    return destinations_
