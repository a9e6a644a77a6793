"""All mail types in one place: their context, their subject, and whether people can unsubscribe from them.

A type `x` has the templates `templates/x.html` and `templates/x.txt`. In addition to their context they have
`workspace`, `subject`, `url`, `settings_url`, where people choose how often they get mails, and `unsubscribe_url`,
which is None if there is no unsubscribing.

Code that enqueues a mail passes `<Context>(…).model_dump()`, or a dictionary of the same structure if the context is in
a higher layer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff.platform.messages import AtLeast, Message, msg, msgs
from signoff.platform.settings import Settings

MAX_TITLE_LENGTH, MAX_VALUE_LENGTH, MAX_VALUES = 200, 200, 3

News = Literal["requested", "updated", "assigned", "handed_over", "handed_back", "reminded"]
# Errors in a context are logged without its content, which may be a link for the recipient only.
CLOSED = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Context(BaseModel):
    """The context of one mail. Unknown members are a programming error."""

    model_config = CLOSED

    def subject(self, workspace: str) -> Message:
        raise NotImplementedError


class ReviewContext(Context):
    """What shows reviews: their types and values are in one language already, and the rest of the mail follows."""

    language: str | None = None


class ShownValue(BaseModel):
    """A value of a review, as people read it; `reviews.summary` shortens them."""

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
    """A time in ISO 8601, shown in UTC."""
    news: News = "requested"

    @property
    def name(self) -> str:
        return self.title or self.form_name

    def sentence(self, agent: str) -> Message:
        """Return what happened. `agent` is the agent's name, which may be markup."""
        match self.news:
            case "requested":
                return msg("{agent} requested a review.", agent=agent)
            case "updated":
                return msg("{agent} sent a new revision.", agent=agent)
            case "assigned":
                return msg("{agent} is waiting for you: the review was assigned to you.", agent=agent)
            case "handed_over":
                return msg("{agent} is waiting for you: the review was escalated to you.", agent=agent)
            case "handed_back":
                return msg("{agent} is waiting for you: the review was returned to you.", agent=agent)
            case "reminded":
                return msg("{agent} is still waiting for your decision.", agent=agent)


ROLE_PHRASES: Mapping[str, Message] = {
    "owner": msg("an owner"),
    "admin": msg("an admin"),
    "editor": msg("an editor"),
    "reviewer": msg("a reviewer"),
    "viewer": msg("a viewer"),
}


class Invitation(Context):
    link: str
    invited_by: str
    role: str
    expires_at: str

    @property
    def shown_role(self) -> str:
        return ROLE_PHRASES.get(self.role, self.role)

    def subject(self, workspace: str) -> Message:
        if self.invited_by == workspace:  # by an API key, which acts for the workspace
            return msg("You're invited to {workspace} on Signoff", workspace=workspace)
        return msg("{name} invited you to {workspace} on Signoff", name=self.invited_by, workspace=workspace)


class PasswordReset(Context):
    link: str
    expires_at: str

    def subject(self, workspace: str) -> Message:
        return msg("Reset your Signoff password")


class EmailConfirmation(Context):
    link: str
    before: str
    expires_at: str

    def subject(self, workspace: str) -> Message:
        return msg("Confirm your new email address")


class EmailChanged(Context):
    email: str

    def subject(self, workspace: str) -> Message:
        return msg("Your email address was changed")


class ExternalReview(ReviewContext):
    review_id: str
    """Used to cancel the mail if the link ends before it's sent."""
    link: str
    asked_by: str
    form_name: str
    title: str | None
    values: tuple[ShownValue, ...]
    expires_at: str
    updated: bool = False
    """Whether they were assigned before, with earlier content."""

    def subject(self, workspace: str) -> Message:
        title = self.title or self.form_name
        if self.updated:
            return msg("Updated for your review: {title}", title=title)
        return msg("{name} requested your review: {title}", name=self.asked_by, title=title)


class ReviewRequested(ReviewContext):
    """One review in full, or a list. `more` is the number of those left out of the list."""

    reviews: Annotated[tuple[ShownReview, ...], Field(min_length=1)]
    more: int = Field(0, ge=0)
    is_exact: bool = True
    """Whether all were counted. If not, there are more."""

    @property
    def count(self) -> int:
        return self._number(len(self.reviews) + self.more)

    @property
    def others(self) -> int:
        """The number of reviews except the first."""
        return self._number(len(self.reviews) + self.more - 1)

    @property
    def unlisted(self) -> int:
        return self._number(self.more)

    def _number(self, count: int) -> int:
        return count if self.is_exact else AtLeast(count)

    NEWS: ClassVar[Mapping[News, Message]] = {
        "requested": msg("Review requested"),
        "updated": msg("Updated"),
        "assigned": msg("Assigned to you"),
        "handed_over": msg("Escalated to you"),
        "handed_back": msg("Back in your queue"),
        "reminded": msg("Reminder"),
    }

    def subject(self, workspace: str) -> Message:
        if self.count == 1:
            return msg("{news}: {title}", news=self.NEWS[self.reviews[0].news], title=self.reviews[0].name)
        return msgs(
            "{count} review is waiting for you in {workspace}",
            "{count} reviews are waiting for you in {workspace}",
            count=self.count,
            workspace=workspace,
        )


class Digest(ReviewRequested):
    every: Literal["hour", "day"]

    def subject(self, workspace: str) -> Message:
        return msgs(
            "You have {count} pending review in {workspace}",
            "You have {count} pending reviews in {workspace}",
            count=self.count,
            workspace=workspace,
        )


class Reminder(ReviewRequested):
    def subject(self, workspace: str) -> Message:
        if self.count == 1:
            return msg("{news}: {title}", news=self.NEWS["reminded"], title=self.reviews[0].name)
        return msgs(
            "Reminder: {count} review is still waiting for you in {workspace}",
            "Reminder: {count} reviews are still waiting for you in {workspace}",
            count=self.count,
            workspace=workspace,
        )


class MailTest(Context):
    asked_by: str

    def subject(self, workspace: str) -> Message:
        return msg("Test email from {workspace}", workspace=workspace)


@dataclass(frozen=True, slots=True)
class MailType:
    name: str
    label: Message
    """What people call it."""
    context: type[Context]
    may_unsubscribe: bool = False
    """Only for notifications of pending reviews: a link that someone requested is always sent."""


MAIL_TYPES: Mapping[str, MailType] = {
    kind.name: kind
    for kind in (
        MailType("invitation", msg("Invite"), Invitation),
        MailType("password_reset", msg("Password reset"), PasswordReset),
        MailType("email_confirmation", msg("Email address confirmation"), EmailConfirmation),
        MailType("email_changed", msg("Email address change notice"), EmailChanged),
        MailType("external_review", msg("External review"), ExternalReview),
        MailType("review_requested", msg("Pending reviews"), ReviewRequested, may_unsubscribe=True),
        MailType("digest", msg("Digest of pending reviews"), Digest, may_unsubscribe=True),
        MailType("reminder", msg("Reminder"), Reminder, may_unsubscribe=True),
        MailType("test", msg("Test email"), MailTest),
    )
}


def mail_type_name(name: str) -> Message:
    """Return what people call a mail type, also one of another version."""
    return MAIL_TYPES[name].label if name in MAIL_TYPES else msg("Email")


def addresses(settings: Settings) -> dict[str, Any]:
    """Return the service's URLs for the templates."""
    return {"url": settings.url, "settings_url": f"{settings.url}/settings/profile"}
