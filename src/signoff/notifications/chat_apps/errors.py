from signoff.platform.errors import Conflict, ServiceUnavailable, Unauthenticated
from signoff.platform.messages import msg


class ChatAppNotConnected(Conflict):
    code, title = "chat_app_not_connected", msg("Chat app not connected")


class ChatAppNotReached(ServiceUnavailable):
    code, title = "chat_app_not_reached", msg("Chat app unreachable")


class SlackSignatureInvalid(Unauthenticated):
    code, title = "slack_signature_invalid", msg("Invalid Slack signature")
