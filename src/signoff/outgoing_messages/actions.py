"""Retry and cancel messages, one or many at once, each as its channel does it."""

from collections.abc import Sequence

from signoff.accounts.context import Caller
from signoff.accounts.dependencies import missing_permission
from signoff.outgoing_messages.queries import get_channel, get_message
from signoff.outgoing_messages.schemas import Action, MessageOutcome, MessageOutcomes, OutgoingMessage
from signoff.platform.errors import Forbidden
from signoff.webhooks.deliveries import act_on_each


async def act_on_message(caller: Caller, message_id: str, action: Action) -> OutgoingMessage:
    await _act(caller, message_id, action)
    return await get_message(caller, message_id)


async def act_on_messages(caller: Caller, message_ids: Sequence[str], action: Action) -> MessageOutcomes:
    async def act(caller: Caller, message_id: str) -> None:
        await _act(caller, message_id, action)

    results = await act_on_each(caller, message_ids, act)
    return MessageOutcomes(
        items=[MessageOutcome(message_id=name, ok=error is None, error=error) for name, error in results]
    )


async def _act(caller: Caller, message_id: str, action: Action) -> None:
    channel = await get_channel(caller, message_id)
    if not caller.actor.can(channel.act):
        raise Forbidden(missing_permission(caller.actor, channel.act), needed=channel.act.value)
    await (channel.retry if action == "retry" else channel.cancel)(caller, message_id)
