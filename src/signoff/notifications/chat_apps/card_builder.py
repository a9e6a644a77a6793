"""What a post has to say at this moment, read from what it tells of."""

from typing import Any, Final

from signoff.forms.values import Suggestion, ValueFaults, prepare, submit
from signoff.forms.versions import FormVersion, pinned_version
from signoff.notifications.chat_apps.adapter import ChatApp, Connection
from signoff.notifications.chat_apps.cards import Card, Standing
from signoff.platform.db import Executor, Row
from signoff.platform.settings import Settings
from signoff.reviews.summary import Summary, shortened, summarize
from signoff.reviews.urls import review_link

MOST_AGENTS: Final = 3


async def card_of(db: Executor, settings: Settings, post: Row, app: ChatApp, connection: Connection) -> Card:
    if post["kind"] == "summary":
        return await _summary_card(db, settings, post)
    review_id = await db.fetchval("select review_id from chat_posted_reviews where post_id = $1", post["post_id"])
    review = await _review(db, post["account_id"], review_id)
    if review is None:
        return await _deleted_card(db, settings, post, review_id, connection)
    form = await pinned_version(db, review["form_id"], review["form_version"])
    suggestion = prepare(form.definition, review["data"], review["config"])
    summary = summarize(form.definition, suggestion, review["data"], title_of(review))
    standing, words = how_it_stands(review)
    decide = (
        standing == "open"
        and app.can_decide
        and bool(connection.credentials.get("signingSecret"))
        and can_decide_from_post(form, summary)
        and _is_valid_as_it_is(form, review["data"], suggestion)
    )
    return Card(
        post_id=post["post_id"],
        title=title_of(review),
        about=f"{shortened(form.name)} · {shortened(review['agent_name'])}",
        values=tuple((each["label"], each["text"]) for each in summary.values),
        standing=standing,
        words=words,
        link=review_link(settings, review_id),
        link_label="Open review",
        click=f"{review_id}:{review['revision']}" if decide else None,
    )


def how_it_stands(review: Row) -> tuple[Standing, str]:
    who = shortened(review["responding_name"] or review["responding_user"] or "")
    match review["phase"]:
        case "open":
            return "open", "Waiting for people"
        case "waiting":
            return "waiting", "Waiting for the agent, which was asked for changes"
        case "rejected":
            return "rejected", "Rejected: nobody decided in time" if review["timed_out"] else f"Rejected by {who}"
        case "submitted":
            return "approved", f"Submitted by {who}"
        case "approved" if review["auto_approved"]:
            return "approved", "Approved automatically"
        case _:
            return "approved", "Approved: nobody decided in time" if review["timed_out"] else f"Approved by {who}"


def title_of(review: Row) -> str:
    return shortened(review["title"] or review["form_name"])


def can_decide_from_post(form: FormVersion, summary: Summary) -> bool:
    """Nobody approves or rejects what the post doesn't show: whatever was cut or left out is for the inbox."""
    return form.decide_from_chat and not form.trigger and summary.is_complete


def _is_valid_as_it_is(form: FormVersion, data: dict[str, Any], suggestion: Suggestion) -> bool:
    """Whether the review can be approved without a change. If something has to be corrected or chosen, that needs the
    inbox.
    """
    try:
        submit(form.definition, suggestion, data, None, "approved")
    except ValueFaults:
        return False
    return True


async def _review(db: Executor, account_id: str, review_id: str) -> Row | None:
    return await db.fetchrow(
        """
        select r.form_id, r.form_version, r.form_name, r.title, r.revision, r.phase, r.auto_approved, r.timed_out,
               r.responding_user, u.name as responding_name, a.name as agent_name, v.data, v.config
        from reviews r
        join review_revisions v using (account_id, review_id, revision)
        join agents a on a.agent_id = r.agent_id
        left join users u on u.user_id = r.responding_user_id and u.account_id = r.account_id
        where r.account_id = $1 and r.review_id = $2
        """,
        account_id,
        review_id,
    )


async def _deleted_card(db: Executor, settings: Settings, post: Row, review_id: str, connection: Connection) -> Card:
    """What was in the review is gone, also from the channel, as far as the app lets us. Where it does not, the title is
    there anyway, and says what was deleted.
    """
    entry = await db.fetchrow(
        """
        select actor_name, details from audit_log
        where account_id = $1 and object_id = $2 and action = 'review.deleted' order by entry_id desc limit 1
        """,
        post["account_id"],
        review_id,
    )
    who = shortened(entry["actor_name"]) if entry else ""
    details: dict[str, Any] = (entry["details"] if entry else None) or {}
    title = None if connection.can_update else details.get("title")
    return Card(
        post_id=post["post_id"],
        title=shortened(title or "A review that was deleted"),
        about="There is nothing to decide any more.",
        values=(),
        standing="deleted",
        words=f"Deleted by {who}" if who else "Deleted",
        link=settings.url,
        link_label="Open the inbox",
    )


async def _summary_card(db: Executor, settings: Settings, post: Row) -> Card:
    rows = await db.fetch(
        """
        select coalesce(a.name, '') as agent, count(*) as all, count(*) filter (where r.phase = 'open') as open
        from chat_posted_reviews p
        left join reviews r using (account_id, review_id)
        left join agents a on a.agent_id = r.agent_id
        where p.post_id = $1 group by 1 order by 2 desc
        """,
        post["post_id"],
    )
    count, left = sum(row["all"] for row in rows), sum(row["open"] for row in rows)
    agents = [f"{shortened(row['agent'])}: {row['all']}" for row in rows if row["agent"]]
    more = [f"and {len(agents) - MOST_AGENTS} other agents"] if len(agents) > MOST_AGENTS else []
    return Card(
        post_id=post["post_id"],
        title=f"{count} new reviews at once",
        about=", ".join([*agents[:MOST_AGENTS], *more]) or "They were all deleted.",
        values=(),
        standing="summary",
        words=f"{left} of them wait for people" if left else "None of them waits for people any more",
        link=settings.url,
        link_label="Open the inbox",
    )
