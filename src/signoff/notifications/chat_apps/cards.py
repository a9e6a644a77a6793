"""What a post says, whatever the app: apps write it each in their own form."""

import hashlib
from dataclasses import dataclass
from typing import Literal

Standing = Literal["open", "waiting", "approved", "rejected", "deleted", "summary"]


@dataclass(frozen=True, slots=True)
class Card:
    """Everything in it may come from an agent or a person: it is text, and never markup."""

    post_id: str
    """By which an app that can look for posts finds it."""
    title: str
    about: str
    """The review type and the agent, in a line."""
    values: tuple[tuple[str, str], ...]
    """Label and text of each, shortened."""
    standing: Standing
    words: str
    """How the review stands, as people read it."""
    link: str
    link_label: str
    click: str | None = None
    """What the buttons to approve and reject send along. None: there are none."""

    @property
    def ended(self) -> bool:
        return self.standing in {"approved", "rejected", "deleted"}

    @property
    def digest(self) -> str:
        """The same for cards that look the same."""
        parts = (self.title, self.about, self.values, self.standing, self.words, self.link, self.click)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def test_card(workspace: str, asked_by: str, link: str) -> Card:
    return Card(
        post_id="test",
        title="Reviews can be posted here",
        about=f"{asked_by} tests what {workspace} posts to this channel.",
        values=(),
        standing="summary",
        words="Nothing to do",
        link=link,
        link_label="Open Signoff",
    )
