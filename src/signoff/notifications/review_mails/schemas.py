from typing import Literal

from pydantic import Field

from signoff.platform.schemas import Answer


class NextMail(Answer):
    """When one would be told of reviews by mail, as one's choices are now."""

    each: bool = Field(description="Whether there is a mail for each review, of one agent at least.")
    collect_seconds: float = Field(description="For how long such news is collected before a mail tells of it.")
    news_at: str | None = Field(description="Null: no news is collected at this moment.")
    digest: Literal["hourly", "daily"] | None = Field(description="Which digest comes next, if one does.")
    digest_at: str | None = Field(description="When it comes, if something waits then.")
    time_zone: str = Field(description="By whose clock: one's own, else the account's, else UTC.")
