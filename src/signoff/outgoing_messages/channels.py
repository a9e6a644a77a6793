"""The channels as the list of outgoing messages sees them: who may see their messages, and what people can do."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from signoff.accounts.actors import Permission
from signoff.accounts.context import Caller
from signoff.media.copies import COPY_CHANNEL
from signoff.notifications.chat_apps.post_actions import cancel_post, retry_post
from signoff.notifications.chat_apps.posts import POST_CHANNEL
from signoff.notifications.mail.actions import cancel_mail, resend_mail
from signoff.notifications.mail.mail_types import mail_type_name
from signoff.outgoing_messages.schemas import ChannelName, MessageSubject
from signoff.platform.db import Row
from signoff.platform.mail_outbox import MAIL_CHANNEL
from signoff.platform.messages import Message, msg, msgs, verbatim
from signoff.platform.outbox.errors import MessageNotCancelable
from signoff.platform.sql import Sql
from signoff.reviews.media_retry import retry_copy
from signoff.webhooks.deliveries import cancel_delivery, retry_delivery
from signoff.webhooks.delivery_status import IS_CANCELED
from signoff.webhooks.events import WEBHOOK_CHANNEL

Act = Callable[[Caller, str], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class ListedChannel:
    name: ChannelName
    id_prefix: str
    read: Permission
    act: Permission
    details: Sql[Row]
    """A query for what the content of the message `o` says: see `queries.py`. Payloads and secrets stay out of it."""
    text: Callable[[Mapping[str, Any]], Message]
    """What a message is, in words, from its `facts`."""
    retry: Act
    cancel: Act


async def _refuse_cancel(caller: Caller, message_id: str) -> None:
    raise MessageNotCancelable()


def _post_text(facts: Mapping[str, Any]) -> Message:
    count, title = facts["reviews"], facts["title"]
    if facts["kind"] == "summary":
        return msgs("Summary of {count} review", "Summary of {count} reviews", count=count)
    return msg("Post about {title}", title=title) if title else msg("Post about a deleted review")


def _copy_text(facts: Mapping[str, Any]) -> Message:
    return msg("Copy of an image") if facts["kind"] == "image" else msg("Copy of a video")


_CHANNELS: Final = (
    ListedChannel(
        WEBHOOK_CHANNEL,
        "whd",
        Permission.READ,
        Permission.DELIVER,
        Sql(
            """
            select case when o.state = 'sending' and o.is_stopped then 'failed' else o.state end as state,
                o.destination, {is_canceled} as canceled, o.state in ('sent', 'failed') as can_retry,
                o.state in ('queued', 'sending') and not o.is_stopped as can_cancel,
                d.review_id, d.agent_id, d.form_name,
                jsonb_build_object('event', d.event, 'target', d.target) as facts
            from deliveries d where o.channel = 'webhook' and d.delivery_id = o.message_id
            """,
            is_canceled=IS_CANCELED,
        ),
        lambda facts: verbatim(facts["event"]),
        retry_delivery,
        cancel_delivery,
    ),
    ListedChannel(
        MAIL_CHANNEL,
        "mal",
        Permission.ADMINISTER,
        Permission.ADMINISTER,
        Sql(
            """
            select o.state, m.to_email, o.is_stopped,
                m.context is not null and o.state <> 'sent' and (o.state <> 'sending' or o.handed_over_at is null),
                o.state = 'queued' or (o.state = 'sending' and o.handed_over_at is null), null, null, null,
                jsonb_build_object('kind', m.kind)
            from mails m where o.channel = 'mail' and m.mail_id = o.message_id
            """
        ),
        lambda facts: mail_type_name(facts["kind"]),
        resend_mail,
        cancel_mail,
    ),
    ListedChannel(
        POST_CHANNEL,
        "cpo",
        Permission.ADMINISTER,
        Permission.ADMINISTER,
        Sql(
            """
            select o.state, p.channel, o.is_stopped, o.state in ('queued', 'failed', 'unclear'), o.state = 'queued',
                r.review_id, r.agent_id, r.form_name,
                jsonb_build_object('kind', p.kind, 'app', p.app, 'reviews', r.reviews, 'title', r.title)
            from chat_posts p cross join lateral (
                select count(*) as reviews,
                    case when p.kind = 'review' then min(r.review_id) end as review_id,
                    case when p.kind = 'review' then min(r.agent_id) end as agent_id,
                    case when p.kind = 'review' then min(r.form_name) end as form_name,
                    min(coalesce(r.title, r.form_name)) as title
                from chat_posted_reviews x join reviews r using (account_id, review_id)
                where x.post_id = p.post_id
            ) as r
            where o.channel = 'chat' and p.post_id = o.message_id
            """
        ),
        _post_text,
        retry_post,
        cancel_post,
    ),
    ListedChannel(
        COPY_CHANNEL,
        "cpy",
        Permission.READ,
        Permission.DECIDE,
        Sql(
            """
            select o.state, o.destination, o.is_stopped,
                o.state <> 'sending' and (c.state = 'failed' or c.next_try_at is not null), false,
                c.review_id, r.agent_id, r.form_name,
                jsonb_build_object('kind', c.kind, 'url', substring(c.url from '^[^?#]*'))
            from media_copies c join reviews r using (account_id, review_id)
            where o.channel = 'media' and c.copy_id = o.message_id
            """
        ),
        _copy_text,
        retry_copy,
        _refuse_cancel,
    ),
)
CHANNELS: Final[Mapping[str, ListedChannel]] = {channel.name: channel for channel in _CHANNELS}


def describe_subject(
    channel: ListedChannel,
    message_id: str,
    facts: Mapping[str, Any],
    review_id: str | None,
    agent_id: str | None,
    form_name: str | None,
) -> MessageSubject:
    return MessageSubject(
        text=channel.text(facts),
        event=facts.get("event"),
        target=facts.get("target"),
        delivery_id=message_id if channel.name == WEBHOOK_CHANNEL else None,
        mail_id=message_id if channel.name == MAIL_CHANNEL else None,
        mail_kind=facts["kind"] if channel.name == MAIL_CHANNEL else None,
        chat_app=facts.get("app"),
        url=facts.get("url"),
        review_id=review_id,
        agent_id=agent_id,
        form_name=form_name,
    )
