from typing import Annotated

from fastapi import APIRouter, Query, Response

from signoff.accounts.dependencies import CanRead
from signoff.accounts.schemas import Timestamp
from signoff.agents.schemas import AgentFilter
from signoff.forms.schemas import FormFilter
from signoff.notifications.mail.errors import MailContentGone, MailSent, MailUnderWay
from signoff.outgoing_messages import actions, queries
from signoff.outgoing_messages.queries import MessageFilter
from signoff.outgoing_messages.schemas import (
    ChannelName,
    MessageChoice,
    MessageCursor,
    MessageId,
    MessageOutcomes,
    OutgoingMessage,
    OutgoingMessageRow,
)
from signoff.platform.http.documentation import document_errors, document_response
from signoff.platform.http.json_routes import JsonRoute, allow_query
from signoff.platform.outbox.errors import (
    MessageNotCancelable,
    MessageUnderWay,
    nothing_to_cancel,
    nothing_to_retry,
)
from signoff.platform.outbox.retry_policy import State
from signoff.platform.schemas import Limit, Page, sparse_page_response
from signoff.webhooks.errors import delivery_settled, delivery_under_way
from signoff.webhooks.schemas import EventFilter, TargetFilter

router = APIRouter(route_class=JsonRoute, tags=["Outgoing messages"])


@router.get(
    "/outgoingMessages",
    operation_id="listOutgoingMessages",
    summary="List outgoing messages",
    responses=document_response(Page[OutgoingMessageRow]),
)
async def list_outgoing_messages(
    caller: CanRead,
    channel: Annotated[ChannelName | None, Query(description="Only messages sent through this channel.")] = None,
    state: Annotated[State | None, Query(description="Only messages in this state.")] = None,
    destination: Annotated[
        str | None, Query(max_length=400, description="Only messages with exactly this `destination`.")
    ] = None,
    agent_id: AgentFilter = None,
    form_id: FormFilter = None,
    target: TargetFilter = None,
    event: EventFilter = None,
    since: Annotated[
        Timestamp | None,
        Query(description="Only messages created at or after this time.", examples=["2026-11-01T00:00:00Z"]),
    ] = None,
    until: Annotated[
        Timestamp | None,
        Query(description="Only messages created before this time.", examples=["2026-12-01T00:00:00Z"]),
    ] = None,
    cursor: MessageCursor = None,
    limit: Limit = 50,
) -> Response:
    """Returns webhook deliveries, emails, posts in chat apps, and copies of files, newest first. Only admins can see
    emails and posts.

    `agentId`, `formId`, `target`, and `event` only match webhook deliveries. A page can have fewer messages than
    `limit` even if more follow.
    """
    only = MessageFilter(channel, state, destination, since, until, agent_id, form_id, target, event)
    return sparse_page_response(await queries.list_messages(caller, only, cursor or None, limit))


@router.get(
    "/outgoingMessages/{messageId}",
    operation_id="getOutgoingMessage",
    summary="Get an outgoing message",
    response_model_exclude_none=True,
)
@allow_query("")
async def get_outgoing_message(caller: CanRead, message_id: MessageId) -> OutgoingMessage:
    """Returns a message with its attempts."""
    return await queries.get_message(caller, message_id)


@router.post(
    "/outgoingMessages/retry",
    operation_id="retryOutgoingMessages",
    summary="Retry outgoing messages",
    response_model_exclude_none=True,
)
async def retry_outgoing_messages(caller: CanRead, choice: MessageChoice) -> MessageOutcomes:
    """Retries each message in the list."""
    return await actions.act_on_messages(caller, choice.message_ids, "retry")


@router.post(
    "/outgoingMessages/cancel",
    operation_id="cancelOutgoingMessages",
    summary="Cancel outgoing messages",
    response_model_exclude_none=True,
)
async def cancel_outgoing_messages(caller: CanRead, choice: MessageChoice) -> MessageOutcomes:
    """Stops automatic attempts for each message in the list."""
    return await actions.act_on_messages(caller, choice.message_ids, "cancel")


@router.post(
    "/outgoingMessages/{messageId}/retry",
    operation_id="retryOutgoingMessage",
    summary="Retry an outgoing message",
    response_model_exclude_none=True,
    responses=document_errors(
        delivery_under_way(), MailUnderWay(), MailSent(), MailContentGone(), MessageUnderWay(), nothing_to_retry()
    ),
)
async def retry_outgoing_message(caller: CanRead, message_id: MessageId) -> OutgoingMessage:
    """Sends a message again. You need the permission for the message's channel, and the rules of that channel apply. A
    webhook delivery gets one more attempt. Emails, posts, and copies of files get all their attempts again.
    """
    return await actions.act_on_message(caller, message_id, "retry")


@router.post(
    "/outgoingMessages/{messageId}/cancel",
    operation_id="cancelOutgoingMessage",
    summary="Cancel an outgoing message",
    response_model_exclude_none=True,
    responses=document_errors(
        delivery_settled("succeeded"),
        MailUnderWay(),
        MessageUnderWay(),
        nothing_to_cancel("sent"),
        MessageNotCancelable(),
    ),
)
async def cancel_outgoing_message(caller: CanRead, message_id: MessageId) -> OutgoingMessage:
    """Stops automatic attempts. You need the permission for the message's channel, and the rules of that channel
    apply.
    """
    return await actions.act_on_message(caller, message_id, "cancel")
