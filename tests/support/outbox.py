from datetime import datetime

from signoff.platform.outbox.sender import OutgoingMessage


def claimed_message(message_id: str, claimed_at: datetime) -> OutgoingMessage:
    """A message as its channel gets it, for channels that need nothing but the claim."""

    async def hand_over() -> bool:
        raise AssertionError

    return OutgoingMessage(message_id, "acc_1", "somewhere", claimed_at, 0, None, hand_over)
