from signoff.platform.errors import Conflict, ServiceUnavailable, Unauthenticated
from signoff.platform.messages import Message, msg


class ChatAppNotConnected(Conflict):
    code, title = "chat_app_not_connected", msg("Chat app not connected")

    def __init__(self, app_name: str) -> None:
        super().__init__(msg("{app} isn't connected. Connect it in Settings → Chat apps.", app=app_name.capitalize()))


class ChatAppNotReached(ServiceUnavailable):
    code, title = "chat_app_not_reached", msg("Chat app unreachable")

    def __init__(self, why: Message) -> None:
        super().__init__(msg("{error} Nothing was changed.", error=why))


class SlackSignatureInvalid(Unauthenticated):
    code, title = "slack_signature_invalid", msg("Invalid Slack signature")
