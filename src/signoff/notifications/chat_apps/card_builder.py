"""Build a post's card from the current state of its review."""

from typing import Any, Final

from signoff.forms.submission import apply_submission
from signoff.forms.suggestion import InvalidValues, Suggestion, read_suggestion
from signoff.forms.versions import FormVersion, get_form_version
from signoff.notifications.chat_apps.adapter import ChatApp, Connection
from signoff.notifications.chat_apps.cards import Card, CardStatus
from signoff.notifications.chat_apps.posts import Post
from signoff.platform.db import Executor, Row
from signoff.platform.messages import Message, choose_language, isolate, msg, msgs
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.reviews.summary import Summary, summarize, truncate_line
from signoff.reviews.urls import review_url

MAX_AGENTS: Final = 3


_ACCOUNT_LANGUAGE: Final = Sql("select language from accounts where account_id = :account_id")
_REVIEW_OF_POST: Final = Sql("select review_id from chat_posted_reviews where post_id = :post_id")


async def build_card(db: Executor, settings: Settings, post: Post, app: ChatApp, connection: Connection) -> Card:
    """Build the card, in the workspace's language: a channel has many readers."""
    language = await language_of_posts(db, post.account_id)
    card = await _build_review_card(db, settings, post, app, connection, language)
    return card.localize(language)


async def language_of_posts(db: Executor, account_id: str) -> str:
    return choose_language(await _ACCOUNT_LANGUAGE.fetch_value(db, account_id=account_id))


async def _build_review_card(
    db: Executor, settings: Settings, post: Post, app: ChatApp, connection: Connection, language: str
) -> Card:
    if post.kind == "summary":
        return await _summary_card(db, settings, post)
    review_id = await _REVIEW_OF_POST.fetch_value(db, post_id=post.post_id)
    review = await _READ_REVIEW.fetch_one(db, account_id=post.account_id, review_id=review_id)
    if review is None:
        return await _deleted_card(db, settings, post, review_id, connection)
    form = await get_form_version(db, review["form_id"], review["form_version"])
    suggestion = read_suggestion(form.definition, review["data"], review["config"])
    title = card_title(review, form, language)
    summary = summarize(form.definition, suggestion, review["data"], title, language)
    standing, words = review_status(review)
    decide = (
        standing == "open"
        and app.can_decide
        and bool(connection.credentials.get("signingSecret"))
        and can_decide_from_post(form, summary)
        and _is_valid_unchanged(form, review["data"], suggestion)
    )
    return Card(
        post_id=post.post_id,
        title=title,
        about=" · ".join(
            isolate(truncate_line(name), language) for name in (form.localized_name(language), review["agent_name"])
        ),
        values=tuple((each["label"], each["text"]) for each in summary.values),
        standing=standing,
        words=words,
        link=review_url(settings, review_id),
        link_label=msg("Open review"),
        click=f"{review_id}:{review['revision']}" if decide else None,
    )


_READ_REVIEW: Final = Sql(
    """
    select r.form_id, r.form_version, r.title, r.revision, r.phase, r.auto_approved, r.timed_out,
        r.responding_user, u.name as responding_name, a.name as agent_name, v.data, v.config
    from reviews r
    join review_revisions v using (account_id, review_id, revision)
    join agents a on a.agent_id = r.agent_id
    left join users u on u.user_id = r.responding_user_id and u.account_id = r.account_id
    where r.account_id = :account_id and r.review_id = :review_id
    """
)


def review_status(review: Row) -> tuple[CardStatus, Message]:
    who = truncate_line(review["responding_name"] or review["responding_user"] or "")
    match review["phase"]:
        case "open":
            return "open", msg("Pending")
        case "waiting":
            return "waiting", msg("Waiting on agent (changes requested)")
        case "rejected":
            if review["timed_out"]:
                return "rejected", msg("Auto-rejected (deadline passed)")
            return "rejected", msg("Rejected by {name}", name=who)
        case "submitted":
            return "approved", msg("Submitted by {name}", name=who)
        case "approved" if review["auto_approved"]:
            return "approved", msg("Auto-approved")
        case _ if review["timed_out"]:
            return "approved", msg("Auto-approved (deadline passed)")
        case _:
            return "approved", msg("Approved by {name}", name=who)


def card_title(review: Row, form: FormVersion, language: str) -> str:
    return truncate_line(review["title"] or form.localized_name(language))


def can_decide_from_post(form: FormVersion, summary: Summary) -> bool:
    """Whether the post has buttons. Nobody approves or rejects what a post doesn't show: reviews with truncated or
    omitted values are decided in the inbox.
    """
    return form.decide_from_chat and not form.trigger and summary.is_complete


def _is_valid_unchanged(form: FormVersion, data: dict[str, Any], suggestion: Suggestion) -> bool:
    """Whether the review can be approved unchanged. If a value has to be corrected or selected, that requires the
    inbox.
    """
    try:
        apply_submission(form.definition, suggestion, data, None, "approved")
    except InvalidValues:
        return False
    return True


_READ_DELETION: Final = Sql(
    """
    select actor_name, details from audit_log
    where account_id = :account_id and object_id = :review_id and action = 'review.deleted'
    order by entry_id desc limit 1
    """
)


async def _deleted_card(db: Executor, settings: Settings, post: Post, review_id: str, connection: Connection) -> Card:
    """Build the card of a deleted review. Its content is removed from the channel too, if the app allows edits. If
    not, the title remains visible anyway, and says what was deleted.
    """
    entry = await _READ_DELETION.fetch_one(db, account_id=post.account_id, review_id=review_id)
    who = truncate_line(entry["actor_name"]) if entry else ""
    details: dict[str, Any] = (entry["details"] if entry else None) or {}
    title = None if connection.can_update else details.get("title")
    return Card(
        post_id=post.post_id,
        title=truncate_line(title) if title else msg("Deleted review"),
        about=msg("This review no longer exists."),
        values=(),
        standing="deleted",
        words=msg("Deleted by {name}", name=who) if who else msg("Deleted"),
        link=settings.url,
        link_label=msg("Open inbox"),
    )


_COUNT_REVIEWS: Final = Sql(
    """
    select coalesce(a.name, '') as agent, count(*) as all, count(*) filter (where r.phase = 'open') as open
    from chat_posted_reviews p
    left join reviews r using (account_id, review_id)
    left join agents a on a.agent_id = r.agent_id
    where p.post_id = :post_id group by 1 order by 2 desc
    """
)


async def _summary_card(db: Executor, settings: Settings, post: Post) -> Card:
    rows = await _COUNT_REVIEWS.fetch(db, post_id=post.post_id)
    count, left = sum(row["all"] for row in rows), sum(row["open"] for row in rows)
    agents = [
        msg("{agent} ({count})", agent=truncate_line(row["agent"]), count=row["all"]) for row in rows if row["agent"]
    ]
    if (others := len(agents) - MAX_AGENTS) > 0:
        agents[MAX_AGENTS:] = [msgs("{count} other agent", "{count} other agents", count=others)]
    return Card(
        post_id=post.post_id,
        title=msgs("{count} new review", "{count} new reviews", count=count),
        about=msg("Requested by {agents}", agents=agents) if agents else msg("All of these reviews were deleted."),
        values=(),
        standing="summary",
        words=msgs("{count} pending", "{count} pending", count=left) if left else msg("All decided"),
        link=settings.url,
        link_label=msg("Open inbox"),
    )
