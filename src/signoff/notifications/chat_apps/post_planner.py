"""Plan the posts for entries of the audit log: create one for a new review, update the existing one otherwise.

Planning makes no calls. It runs in the transaction that moves the subscriber's position, so that every entry is planned
once; and planning one twice has no effect.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from signoff.notifications.chat_apps.adapter import BOT_TOKEN
from signoff.notifications.chat_apps.posts import LEFT, POST_CHANNEL
from signoff.platform.db import Executor, Row
from signoff.platform.ids import new_id
from signoff.platform.outbox.messages import queue_updates_sql
from signoff.platform.sql import Rows, Sql

REQUESTED, OF_REVIEWS = "review.requested", "review."
DEFAULT_BURST: Final = 20
SUMMARY_GOES_ON: Final = 600
"""Seconds in which the next burst in a channel reuses the existing summary."""
SUMMARY_WAITS: Final = 3
"""Seconds between two updates of a summary, so that a burst doesn't cause one update per review after all."""
SUMMARY_COLLECTS: Final = 30
"""Seconds before posting a summary that can't be edited later: it also counts what arrives in this time."""


class LogEntry(Protocol):
    """The parts of an audit log entry that planning needs."""

    @property
    def account_id(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def object_id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _ReviewKey:
    account_id: str
    review_id: str


@dataclass(frozen=True, slots=True)
class _PlannedReview:
    """A review that's to be posted to a channel, on its own or in a summary."""

    account_id: str
    review_id: str
    app: str
    channel: str


@dataclass(frozen=True, slots=True)
class _PostedReview:
    """A review and the post that shows it."""

    account_id: str
    review_id: str
    app: str
    channel: str
    post_id: str


# Locked first and in order, as when connecting and disconnecting, because posts refer to them.
_LOCK_CONNECTIONS: Final = Sql(
    """
    select account_id, app, state from chat_connections where account_id = any(:accounts)
    order by account_id, app for key share
    """
)


async def plan_posts(tx: Executor, entries: Sequence[LogEntry], burst: int = DEFAULT_BURST) -> None:
    """Queue the posts for these entries, and updates of posts, in the caller's transaction."""
    of_reviews = [entry for entry in entries if entry.action.startswith(OF_REVIEWS)]
    if not of_reviews:
        return
    apps = await _LOCK_CONNECTIONS.fetch(tx, accounts=sorted({entry.account_id for entry in of_reviews}))
    if not apps:
        return
    connected = {row["account_id"] for row in apps}
    of_reviews = [entry for entry in of_reviews if entry.account_id in connected]
    # Existing ones first: new ones in this batch need to be looked at only once.
    await _replan(tx, [entry for entry in of_reviews if entry.action != REQUESTED])
    planned = await _new_reviews(tx, [entry for entry in of_reviews if entry.action == REQUESTED], apps)
    if new := await _without_post(tx, planned):
        await _create_posts(tx, new, burst)


_QUEUE_POSTS: Final = queue_updates_sql(
    """
    select p.post_id, p.account_id, :message_channel, p.app || ':' || p.account_id,
        now() + make_interval(secs => case
            when p.kind <> 'summary' then 0
            when c.credentials ? :bot_token then :summary_waits::float8
            else :summary_collects::float8 end)
    from chat_posts p join chat_connections c using (account_id, app)
    where p.post_id = any(:post_ids) and p.shown is distinct from :left order by p.post_id
    """
)


async def queue_posts(tx: Executor, post_ids: Sequence[str]) -> None:
    """Queue a comparison of the posts with their reviews, which creates or updates them if they differ."""
    await _QUEUE_POSTS.execute(
        tx,
        post_ids=post_ids,
        message_channel=POST_CHANNEL,
        bot_token=BOT_TOKEN,
        summary_waits=SUMMARY_WAITS,
        summary_collects=SUMMARY_COLLECTS,
        left=LEFT,
    )


_POSTS_OF_REVIEWS: Final = Sql(
    "select distinct p.post_id from {reviews} r join chat_posted_reviews p using (account_id, review_id)",
    reviews=Rows("reviews", _ReviewKey),
)


async def _replan(tx: Executor, entries: Sequence[LogEntry]) -> None:
    if not entries:
        return
    keys = [_ReviewKey(entry.account_id, entry.object_id) for entry in entries]
    if rows := await _POSTS_OF_REVIEWS.fetch(tx, reviews=keys):
        await queue_posts(tx, [row["post_id"] for row in rows])


_UNDECIDED_REVIEWS: Final = Sql(
    """
    select distinct r.account_id, r.review_id, r.agent_id, r.form_id
    from {requested} q join reviews r using (account_id, review_id)
    where r.phase in ('open', 'waiting')
    order by r.review_id
    """,
    requested=Rows("requested", _ReviewKey),
)


async def _new_reviews(tx: Executor, entries: Sequence[LogEntry], apps: Sequence[Row]) -> list[_PlannedReview]:
    """Return undecided reviews that have a channel. Nobody is notified of reviews that were auto-approved, or decided
    in the meantime.
    """
    if not entries:
        return []
    keys = [_ReviewKey(entry.account_id, entry.object_id) for entry in entries]
    reviews = await _UNDECIDED_REVIEWS.fetch(tx, requested=keys)
    channels = await _channels(tx, sorted({review["account_id"] for review in reviews}))
    return [
        _PlannedReview(review["account_id"], review["review_id"], app["app"], channel)
        for review in reviews
        for app in apps
        if app["account_id"] == review["account_id"] and app["state"] == "connected"
        if (channel := channel_for(channels.get((app["account_id"], app["app"]), {}), review))
    ]


_WITHOUT_POST: Final = Sql(
    """
    select r.account_id, r.review_id, r.app, r.channel
    from {planned} r left join chat_posted_reviews p using (account_id, review_id, app)
    where p.post_id is null order by r.review_id, r.app
    """,
    _PlannedReview,
    planned=Rows("planned", _PlannedReview),
)


async def _without_post(tx: Executor, planned: Sequence[_PlannedReview]) -> list[_PlannedReview]:
    """Return those that haven't been planned before."""
    return await _WITHOUT_POST.fetch(tx, planned=planned)


Scoped = Mapping[tuple[str, str], str]
"""Channels by scope and the ID of their object."""

_CHANNELS: Final = Sql(
    "select account_id, app, scope, subject_id, channel from chat_channels where account_id = any(:accounts)"
)


async def _channels(tx: Executor, accounts: Sequence[str]) -> dict[tuple[str, str], dict[tuple[str, str], str]]:
    channels: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for row in await _CHANNELS.fetch(tx, accounts=accounts):
        of_app = channels.setdefault((row["account_id"], row["app"]), {})
        of_app[row["scope"], row["subject_id"]] = row["channel"]
    return channels


def channel_for(channels: Scoped, review: Mapping[str, str] | Row) -> str:
    """Return the channel: the review type's overrides the agent's, which overrides the default. Empty means none."""
    for scope in (("form", review["form_id"]), ("agent", review["agent_id"]), ("default", "")):
        if (channel := channels.get(scope)) is not None:
            return channel
    return ""


@dataclass(frozen=True, slots=True)
class _NewPost:
    post_id: str
    account_id: str
    app: str
    channel: str
    kind: str


_COUNT_RECENT: Final = Sql(
    """
    select count(*) from chat_posted_reviews
    where account_id = :account_id and app = :app and channel = :channel
      and created_at > now() - interval '1 minute'
    """
)
# If posts can't be edited, only a summary that no worker has begun to post can count more reviews. Its message is
# locked, so that none begins now.
_RECENT_SUMMARY: Final = Sql(
    """
    select p.post_id from chat_posts p join outgoing_messages o on o.message_id = p.post_id
    where p.account_id = :account_id and p.app = :app and p.channel = :channel and p.kind = 'summary'
      and p.shown is distinct from :left and p.created_at > now() - interval '1 day'
      and (select max(r.created_at) from chat_posted_reviews r where r.post_id = p.post_id)
          > now() - make_interval(secs => :goes_on)
      and (o.state = 'queued' and p.posted_at is null and o.handed_over_at is null or exists (
          select from chat_connections c
          where c.account_id = :account_id and c.app = :app and c.credentials ? :bot_token))
    order by p.created_at desc limit 1 for update of o
    """
)
_INSERT_POSTS: Final = Sql(
    """
    insert into chat_posts (post_id, account_id, app, channel, kind)
    select post_id, account_id, app, channel, kind from {posts} p
    """,
    posts=Rows("posts", _NewPost),
)
_INSERT_REVIEWS: Final = Sql(
    """
    insert into chat_posted_reviews (account_id, review_id, app, channel, post_id)
    select account_id, review_id, app, channel, post_id from {reviews} r
    on conflict do nothing
    """,
    reviews=Rows("reviews", _PostedReview),
)


async def _create_posts(tx: Executor, planned: Sequence[_PlannedReview], burst: int) -> None:
    """Create one post each, or a single one if more than `burst` reviews arrive in a channel within a minute."""
    new = list[_NewPost]()
    summaries = dict[tuple[str, str, str], str]()
    for place, count in Counter((review.account_id, review.app, review.channel) for review in planned).items():
        account_id, app, channel = place
        recent = await _COUNT_RECENT.fetch_value(tx, account_id=account_id, app=app, channel=channel)
        if recent + count <= burst:
            continue
        post_id = await _find_summary(tx, account_id, app, channel)
        if post_id is None:
            post_id = new_id("cpo")
            new.append(_NewPost(post_id, account_id, app, channel, "summary"))
        summaries[place] = post_id
    posted = list[_PostedReview]()
    for review in planned:
        post_id = summaries.get((review.account_id, review.app, review.channel))
        if post_id is None:
            post_id = new_id("cpo")
            new.append(_NewPost(post_id, review.account_id, review.app, review.channel, "review"))
        posted.append(_PostedReview(review.account_id, review.review_id, review.app, review.channel, post_id))
    await _INSERT_POSTS.execute(tx, posts=new)
    await _INSERT_REVIEWS.execute(tx, reviews=posted)
    await queue_posts(tx, list({review.post_id for review in posted}))


async def _find_summary(tx: Executor, account_id: str, app: str, channel: str) -> str | None:
    """Return the channel's summary if its last review arrived recently."""
    return await _RECENT_SUMMARY.fetch_value(
        tx,
        account_id=account_id,
        app=app,
        channel=channel,
        left=LEFT,
        goes_on=SUMMARY_GOES_ON,
        bot_token=BOT_TOKEN,
    )
