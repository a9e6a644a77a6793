from signoff.platform.errors import Conflict
from signoff.platform.messages import msg


class ChatOff(Conflict):
    code, title = "chat_off", msg("Chat turned off")


class ChatReplyOnly(Conflict):
    code, title = "chat_reply_only", msg("Only the agent can start a chat")


class SessionOfAnotherAgent(Conflict):
    code, title = "session_of_another_agent", msg("Session belongs to another agent")


class NotStreaming(Conflict):
    code, title = "not_streaming", msg("Message already complete")


class WrongOffset(Conflict):
    code, title = "wrong_offset", msg("Wrong chunk offset")
