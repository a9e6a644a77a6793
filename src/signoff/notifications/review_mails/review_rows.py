"""Reviews as shown in mails."""

from typing import Final

from signoff.forms.suggestion import read_suggestion
from signoff.forms.versions import get_form_version
from signoff.notifications.mail.mail_types import News, ShownReview, ShownValue
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.reviews.summary import summarize_values, truncate_line

# For `reviews r` and its agent `g`.
REVIEW_COLUMNS: Final = """
    r.account_id, r.review_id, r.title, r.form_id, r.form_version, r.revision, r.created_at, g.name as agent_name
"""


async def to_row(db: Executor, review: Row, language: str, news: News = "requested") -> ShownReview:
    """Return a line of a list. `review` has the columns of `REVIEW_COLUMNS`."""
    form = await get_form_version(db, review["form_id"], review["form_version"])
    return ShownReview(
        review_id=review["review_id"],
        title=truncate_line(review["title"]) if review["title"] else None,
        form_name=truncate_line(form.localized_name(language)),
        agent_name=truncate_line(review["agent_name"]),
        waiting_since=iso(review["created_at"]),
        news=news,
    )


async def to_full_row(tx: Executor, review: Row, language: str, news: News) -> ShownReview:
    """Include the first values."""
    shown = await to_row(tx, review, language, news)
    content = await tx.fetchrow(
        "select data, config from review_revisions where account_id = $1 and review_id = $2 and revision = $3",
        review["account_id"],
        review["review_id"],
        review["revision"],
    )
    if content is None:
        return shown  # replaced at this very moment
    form = await get_form_version(tx, review["form_id"], review["form_version"])
    suggestion = read_suggestion(form.definition, content["data"], content["config"])
    values = summarize_values(form.definition, suggestion, language)
    return shown.model_copy(update={"values": tuple(ShownValue(**value) for value in values)})
