"""What a post says, for all apps: each app has its own format for it."""

import hashlib
from dataclasses import dataclass, replace
from typing import Literal

from signoff.platform.messages import ENGLISH, localize, msg, strip_direction_controls

CardStatus = Literal["open", "waiting", "approved", "rejected", "deleted", "summary"]


@dataclass(frozen=True, slots=True)
class Card:
    """A card. Its texts may come from an agent or a person: they're plain text, never markup."""

    post_id: str
    """Our ID of the post, with which apps that support it find the post."""
    title: str
    about: str
    """The review type and the agent, in a line. This, the title, and the next ones may be messages."""
    values: tuple[tuple[str, str], ...]
    """Label and text of each, shortened."""
    standing: CardStatus
    words: str
    """The review's state, as people read it."""
    link: str
    link_label: str
    click: str | None = None
    """What the approve and reject buttons send along. None means there are no buttons."""
    language: str = ENGLISH
    """The language of the post, including what the app adds around the card."""

    def localize(self, language: str) -> "Card":
        return replace(
            self,
            title=localize(self.title, language),
            about=localize(self.about, language),
            words=localize(self.words, language),
            link_label=localize(self.link_label, language),
            language=language,
        )

    @property
    def ended(self) -> bool:
        return self.standing in {"approved", "rejected", "deleted"}

    @property
    def digest(self) -> str:
        """Return the same value for cards that look the same."""
        parts = (self.title, self.about, self.values, self.standing, self.words, self.link, self.click)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def test_card(workspace: str, asked_by: str, link: str) -> Card:
    return Card(
        post_id="test",
        title=msg("Signoff is connected"),
        about=msg(
            "{name} sent this test message from {workspace}. New reviews will be posted here.",
            name=strip_direction_controls(asked_by),
            workspace=strip_direction_controls(workspace),
        ),
        values=(),
        standing="summary",
        words=msg("No action needed"),
        link=link,
        link_label=msg("Open Signoff"),
    )
