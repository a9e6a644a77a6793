"""Reviews as mails show them."""

from typing import Final

from signoff.forms.values import prepare
from signoff.forms.versions import pinned_version
from signoff.notifications.mail.mail_types import News, ShownReview, ShownValue
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.reviews.summary import first_values, shortened

# Of `reviews r` and its agent `g`.
SHOWN: Final = """
    r.account_id, r.review_id, r.title, r.form_id, r.form_version, r.revision, r.created_at, g.name as agent_name
"""


async def show(db: Executor, review: Row, language: str, news: News = "requested") -> ShownReview:
    """As a line of a list. `review` has the columns of `SHOWN`."""
    form = await pinned_version(db, review["form_id"], review["form_version"])
    return ShownReview(
        review_id=review["review_id"],
        title=shortened(review["title"]) if review["title"] else None,
        form_name=shortened(form.localized_name(language)),
        agent_name=shortened(review["agent_name"]),
        waiting_since=iso(review["created_at"]),
        news=news,
    )


async def show_in_full(tx: Executor, review: Row, language: str, news: News) -> ShownReview:
    """With the first of its values."""
    shown = await show(tx, review, language, news)
    content = await tx.fetchrow(
        "select data, config from review_revisions where account_id = $1 and review_id = $2 and revision = $3",
        review["account_id"],
        review["review_id"],
        review["revision"],
    )
    if content is None:
        return shown  # replaced at this very moment
    form = await pinned_version(tx, review["form_id"], review["form_version"])
    suggestion = prepare(form.definition, content["data"], content["config"])
    values = first_values(form.definition, suggestion, language)
    return shown.model_copy(update={"values": tuple(ShownValue(**value) for value in values)})
