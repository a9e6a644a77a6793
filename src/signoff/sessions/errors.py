from signoff.platform.errors import Conflict


class ChatOff(Conflict):
    code, title = "chat_off", "There is no chat with this agent"


class ChatReplyOnly(Conflict):
    code, title = "chat_reply_only", "Only the agent begins a chat"


class SessionOfAnotherAgent(Conflict):
    code, title = "session_of_another_agent", "The session belongs to another agent"


class NotStreaming(Conflict):
    code, title = "not_streaming", "The message is complete"


class WrongOffset(Conflict):
    code, title = "wrong_offset", "The piece does not follow on what is there"
