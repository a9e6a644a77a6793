"""Why a message can't be retried or canceled, for channels that have no errors of their own for this."""

from signoff.platform.errors import Conflict
from signoff.platform.messages import msg
from signoff.platform.outbox.retry_policy import State


class MessageUnderWay(Conflict):
    code, title = "message_under_way", msg("Message being sent")

    def __init__(self) -> None:
        super().__init__(msg("This message is being sent right now. Check again in a minute."))


class MessageSettled(Conflict):
    code, title = "message_settled", msg("Message already finished")


class MessageNotCancelable(Conflict):
    code, title = "message_not_cancelable", msg("Message can't be canceled")

    def __init__(self) -> None:
        super().__init__(msg("File copies can't be canceled. They stop automatically after the last attempt."))


def nothing_to_retry() -> MessageSettled:
    return MessageSettled(msg("This message was already sent, so there's nothing to retry."))


def nothing_to_cancel(state: State) -> MessageSettled:
    if state == "sent":
        return MessageSettled(msg("This message was already sent, so there's nothing to cancel."))
    return MessageSettled(msg("This message isn't waiting to be sent, so there's nothing to cancel."))
