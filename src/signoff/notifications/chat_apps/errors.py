from signoff.platform.errors import Conflict, Unauthenticated, Unavailable


class ChatAppNotConnected(Conflict):
    code, title = "chat_app_not_connected", "The chat app is not connected"


class ChatAppNotReached(Unavailable):
    code, title = "chat_app_not_reached", "The chat app cannot be reached"


class SlackSignatureInvalid(Unauthenticated):
    code, title = "slack_signature_invalid", "The request is not signed by Slack"
