"""Plan the posts for entries of the audit log: create one for a new review, update the existing one otherwise.

Planning makes no calls. It runs in the transaction that moves the subscriber's position, so that every entry is planned
once; and planning one twice has no effect.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from signoff.notifications.chat_apps.adapter import BOT_TOKEN
from signoff.platform.db import Executor, Row
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue_sql, wake_workers

POST_JOB: Final = "chat.post"
REQUESTED, OF_REVIEWS = "review.requested", "review."
DEFAULT_BURST: Final = 20
SUMMARY_GOES_ON: Final = 600
"""Seconds in which the next burst in a channel reuses the existing summary."""
SUMMARY_WAITS: Final = 3
"""Seconds between two updates of a summary, so that a burst doesn't cause one update per review after all."""
SUMMARY_COLLECTS: Final = 30
"""Seconds before posting a summary that can't be edited later: it also counts what arrives in this time."""
LEFT: Final = "left"
"""`shown` of a post that is no longer updated: someone deleted it, or it can't be found."""


class LogEntry(Protocol):
    """The parts of an audit log entry that planning needs."""

    @property
    def account_id(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def object_id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class NewPost:
    account_id: str
    review_id: str
    app: str
    channel: str


async def plan_posts(tx: Executor, entries: Sequence[LogEntry], burst: int = DEFAULT_BURST) -> None:
    """Enqueue the posts for these entries, and updates of posts, in the caller's transaction."""
    of_reviews = [entry for entry in entries if entry.action.startswith(OF_REVIEWS)]
    if not of_reviews:
        return
    accounts = sorted({entry.account_id for entry in of_reviews})
    # Locked first and in order, as when connecting and disconnecting, because posts refer to them.
    apps = await tx.fetch(
        """
        select account_id, app, state from chat_connections where account_id = any($1)
        order by account_id, app for key share
        """,
        accounts,
    )
    if not apps:
        return
    connected = {row["account_id"] for row in apps}
    of_reviews = [entry for entry in of_reviews if entry.account_id in connected]
    # Existing ones first: new ones in this batch need to be looked at only once.
    await _replan(tx, [entry for entry in of_reviews if entry.action != REQUESTED])
    called_for = await _new_posts(tx, [entry for entry in of_reviews if entry.action == REQUESTED], apps)
    if new := await _without_post(tx, called_for):
        await _order(tx, new, burst)


async def enqueue_post_updates(tx: Executor, post_ids: Sequence[str]) -> None:
    """Enqueue a comparison of the posts with their reviews, which updates them if they differ. One job per post is
    enough, however much has changed.
    """
    await tx.execute(
        f"""
        with before as (
            select post_id, queued, kind, c.credentials ? $2 as can_update
            from chat_posts p join chat_connections c using (account_id, app)
            where post_id = any($1) order by post_id for update of p
        ), wanted as (
            update chat_posts p set wanted = p.wanted + 1, queued = true, touched_at = now()
            from before b where p.post_id = b.post_id
        )
        {enqueue_sql(POST_JOB, f"select post_id, now() + {_WAIT} from before where not queued")}
        """,  # noqa: S608
        list(post_ids),
        BOT_TOKEN,
        float(SUMMARY_WAITS),
        float(SUMMARY_COLLECTS),
    )
    wake_workers(tx)


_WAIT: Final = """
    make_interval(secs => case when kind <> 'summary' then 0 when can_update then $3 else $4 end::float8)
"""


async def _replan(tx: Executor, entries: Sequence[LogEntry]) -> None:
    if not entries:
        return
    rows = await tx.fetch(
        """
        select distinct p.post_id
        from unnest($1::text[], $2::text[]) as e (account_id, review_id)
        join chat_posted_reviews p using (account_id, review_id)
        """,
        [entry.account_id for entry in entries],
        [entry.object_id for entry in entries],
    )
    if rows:
        await enqueue_post_updates(tx, [row["post_id"] for row in rows])


async def _new_posts(tx: Executor, entries: Sequence[LogEntry], apps: Sequence[Row]) -> list[NewPost]:
    """Create posts for undecided reviews. Nobody is notified of reviews that were auto-approved, or decided in the
    meantime.
    """
    if not entries:
        return []
    reviews = await tx.fetch(
        """
        select distinct r.account_id, r.review_id, r.agent_id, r.form_id
        from unnest($1::text[], $2::text[]) as e (account_id, review_id)
        join reviews r using (account_id, review_id)
        where r.phase in ('open', 'waiting')
        order by r.review_id
        """,
        [entry.account_id for entry in entries],
        [entry.object_id for entry in entries],
    )
    channels = await _channels(tx, sorted({review["account_id"] for review in reviews}))
    return [
        NewPost(review["account_id"], review["review_id"], app["app"], channel)
        for review in reviews
        for app in apps
        if app["account_id"] == review["account_id"] and app["state"] == "connected"
        if (channel := channel_for(channels.get((app["account_id"], app["app"]), {}), review))
    ]


async def _without_post(tx: Executor, posts: Sequence[NewPost]) -> list[NewPost]:
    """Return those that haven't been planned before."""
    rows = await tx.fetch(
        """
        select n.place
        from unnest($1::text[], $2::text[], $3::text[]) with ordinality as n (account_id, review_id, app, place)
        left join chat_posted_reviews p using (account_id, review_id, app)
        where p.post_id is null order by n.place
        """,
        [post.account_id for post in posts],
        [post.review_id for post in posts],
        [post.app for post in posts],
    )
    return [posts[row["place"] - 1] for row in rows]


Scoped = Mapping[tuple[str, str], str]
"""Channels by scope and the ID of their object."""


async def _channels(tx: Executor, accounts: Sequence[str]) -> dict[tuple[str, str], dict[tuple[str, str], str]]:
    channels: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for row in await tx.fetch(
        "select account_id, app, scope, subject_id, channel from chat_channels where account_id = any($1)", accounts
    ):
        of_app = channels.setdefault((row["account_id"], row["app"]), {})
        of_app[row["scope"], row["subject_id"]] = row["channel"]
    return channels


def channel_for(channels: Scoped, review: Mapping[str, str] | Row) -> str:
    """Return the channel: the review type's overrides the agent's, which overrides the default. Empty means none."""
    for scope in (("form", review["form_id"]), ("agent", review["agent_id"]), ("default", "")):
        if (channel := channels.get(scope)) is not None:
            return channel
    return ""


async def _order(tx: Executor, new: Sequence[NewPost], burst: int) -> None:
    """Enqueue one post each, or a single one if more than `burst` reviews arrive in a channel within a minute."""
    coming = Counter((post.account_id, post.app, post.channel) for post in new)
    summaries: dict[tuple[str, str, str], str] = {}
    for place, count in coming.items():
        recent = await tx.fetchval(
            """
            select count(*) from chat_posted_reviews
            where account_id = $1 and app = $2 and channel = $3 and created_at > now() - interval '1 minute'
            """,
            *place,
        )
        if recent + count > burst:
            summaries[place] = await _summary(tx, *place)
    singles: list[tuple[str, NewPost]] = []
    summarised: list[tuple[str, NewPost]] = []
    for post in new:
        summary = summaries.get((post.account_id, post.app, post.channel))
        if summary is None:
            singles.append((new_id("cpo"), post))
        else:
            summarised.append((summary, post))
    await _insert_singles(tx, singles)
    if summarised:
        await _insert_reviews(tx, summarised)
        await enqueue_post_updates(tx, sorted(set(summaries.values())))


async def _summary(tx: Executor, account_id: str, app: str, channel: str) -> str:
    """Return the channel's summary if its last review arrived recently, otherwise a new one. Its job is enqueued
    with the reviews it counts. If posts can't be edited, only an unposted summary can count more.
    """
    post_id = await tx.fetchval(
        f"""
        select p.post_id from chat_posts p
        where p.account_id = $1 and p.app = $2 and p.channel = $3 and p.kind = 'summary'
          and p.shown is distinct from $4 and p.created_at > now() - interval '1 day'
          and (select max(r.created_at) from chat_posted_reviews r where r.post_id = p.post_id)
              > now() - interval '{SUMMARY_GOES_ON} seconds'
          and (p.queued and p.posting_at is null or exists (
              select from chat_connections c where c.account_id = $1 and c.app = $2 and c.credentials ? $5))
        order by p.created_at desc limit 1 for update
        """,  # noqa: S608
        account_id,
        app,
        channel,
        LEFT,
        BOT_TOKEN,
    )
    return post_id or await tx.fetchval(
        """
        insert into chat_posts (post_id, account_id, app, channel, kind, wanted, queued)
        values ($1, $2, $3, $4, 'summary', 0, false) returning post_id
        """,
        new_id("cpo"),
        account_id,
        app,
        channel,
    )


async def _insert_singles(tx: Executor, posts: Sequence[tuple[str, NewPost]]) -> None:
    if not posts:
        return
    await tx.execute(
        f"""
        with made as (
            insert into chat_posts (post_id, account_id, app, channel, kind)
            select *, 'review' from unnest($1::text[], $2::text[], $3::text[], $4::text[]) returning post_id
        )
        {enqueue_sql(POST_JOB, "select post_id, now() from made")}
        """,  # noqa: S608
        [post_id for post_id, _ in posts],
        [post.account_id for _, post in posts],
        [post.app for _, post in posts],
        [post.channel for _, post in posts],
    )
    wake_workers(tx)
    await _insert_reviews(tx, posts)


async def _insert_reviews(tx: Executor, posts: Sequence[tuple[str, NewPost]]) -> None:
    await tx.execute(
        """
        insert into chat_posted_reviews (post_id, account_id, review_id, app, channel)
        select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
        on conflict do nothing
        """,
        [post_id for post_id, _ in posts],
        [post.account_id for _, post in posts],
        [post.review_id for _, post in posts],
        [post.app for _, post in posts],
        [post.channel for _, post in posts],
    )
