"""Every kind of mail, in one place: what it has to know, its subject, and whether one can be rid of it.

A kind `x` has the templates `templates/x.html` and `templates/x.txt`. Beside the members of its context they know
`workspace`, `subject`, `url` and `settings_url`, where people choose how often they get mails; and `unsubscribe_url`,
which is None where one cannot unsubscribe.

Whoever orders a mail gives `<Context>(…).model_dump()`, or a dictionary of the same form where the context stands on a
higher floor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff.platform.settings import Settings

LONGEST_TITLE, LONGEST_VALUE, MOST_VALUES = 200, 200, 3

News = Literal["requested", "updated", "assigned", "handed_over", "handed_back", "reminded"]
# What is wrong with a context is told without what is in it: that may be a link that only its receiver may have.
CLOSED = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Context(BaseModel):
    """What one mail has to know. Anything else in it is a mistake of who ordered it."""

    model_config = CLOSED

    def subject(self, workspace: str) -> str:
        raise NotImplementedError


class ShownValue(BaseModel):
    """A value of a review, as people read it: see `reviews.first_values`, which shortens them."""

    model_config = CLOSED

    label: str
    text: str


class ShownReview(BaseModel):
    model_config = CLOSED

    review_id: str
    title: str | None
    form_name: str
    agent_name: str
    values: tuple[ShownValue, ...] = ()
    waiting_since: str | None = None
    """A moment in ISO 8601, shown in UTC."""
    news: News = "requested"

    @property
    def name(self) -> str:
        return self.title or self.form_name


class Invitation(Context):
    link: str
    invited_by: str
    role: str
    expires_at: str

    def subject(self, workspace: str) -> str:
        if self.invited_by == workspace:  # by an API key, which speaks for the workspace
            return f"You're invited to {workspace} on Signoff"
        return f"{self.invited_by} invited you to {workspace} on Signoff"


class PasswordReset(Context):
    link: str
    expires_at: str

    def subject(self, workspace: str) -> str:
        return "Reset your Signoff password"


class EmailConfirmation(Context):
    link: str
    before: str
    expires_at: str

    def subject(self, workspace: str) -> str:
        return "Confirm your new email address"


class EmailChanged(Context):
    email: str

    def subject(self, workspace: str) -> str:
        return "Your email address was changed"


class ExternalReview(Context):
    review_id: str
    """By which it is taken back when the link ends before it is sent."""
    link: str
    asked_by: str
    form_name: str
    title: str | None
    values: tuple[ShownValue, ...]
    expires_at: str
    updated: bool = False
    """Whether they were asked before, about earlier content."""

    def subject(self, workspace: str) -> str:
        if self.updated:
            return f"Updated for your review: {self.title or self.form_name}"
        return f"{self.asked_by} requested your review: {self.title or self.form_name}"


class ReviewRequested(Context):
    """One review in full, or a list. `more` counts those that the list leaves out."""

    reviews: Annotated[tuple[ShownReview, ...], Field(min_length=1)]
    more: int = Field(0, ge=0)

    @property
    def count(self) -> int:
        return len(self.reviews) + self.more

    NEWS: ClassVar[Mapping[News, str]] = {
        "requested": "Review requested",
        "updated": "Updated",
        "assigned": "Assigned to you",
        "handed_over": "Escalated to you",
        "handed_back": "Back in your queue",
        "reminded": "Reminder",
    }

    def subject(self, workspace: str) -> str:
        if self.count == 1:
            return f"{self.NEWS[self.reviews[0].news]}: {self.reviews[0].name}"
        return f"{self.count:,} reviews are waiting for you in {workspace}"


class Digest(ReviewRequested):
    every: Literal["hour", "day"]

    def subject(self, workspace: str) -> str:
        pending = "1 pending review" if self.count == 1 else f"{self.count:,} pending reviews"
        return f"You have {pending} in {workspace}"


class Reminder(ReviewRequested):
    def subject(self, workspace: str) -> str:
        if self.count == 1:
            return f"Reminder: {self.reviews[0].name}"
        return f"Reminder: {self.count:,} reviews are still waiting for you in {workspace}"


class Trial(Context):
    asked_by: str

    def subject(self, workspace: str) -> str:
        return f"Test email from {workspace}"


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    context: type[Context]
    may_unsubscribe: bool = False
    """Only what tells of reviews that wait: a link that somebody asked for is always sent."""


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("invitation", Invitation),
        Kind("password_reset", PasswordReset),
        Kind("email_confirmation", EmailConfirmation),
        Kind("email_changed", EmailChanged),
        Kind("external_review", ExternalReview),
        Kind("review_requested", ReviewRequested, may_unsubscribe=True),
        Kind("digest", Digest, may_unsubscribe=True),
        Kind("reminder", Reminder, may_unsubscribe=True),
        Kind("test", Trial),
    )
}


def addresses(settings: Settings) -> dict[str, Any]:
    """Of the service, as the templates use them."""
    return {"url": settings.url, "settings_url": f"{settings.url}/settings/profile"}
