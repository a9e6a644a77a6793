from signoff.platform.errors import Conflict
from signoff.platform.messages import msg, msgs


class ChatOff(Conflict):
    code, title = "chat_off", msg("Chat turned off")

    def __init__(self) -> None:
        super().__init__(msg("Chat is turned off for this agent."))


class ChatReplyOnly(Conflict):
    code, title = "chat_reply_only", msg("Only the agent can start a chat")

    def __init__(self) -> None:
        super().__init__(msg("You can reply to this agent, but only the agent can start a chat."))


class SessionOfAnotherAgent(Conflict):
    code, title = "session_of_another_agent", msg("Session belongs to another agent")

    def __init__(self, session_id: str, agent_id: str) -> None:
        super().__init__(
            msg(
                "Session '{id}' belongs to agent '{agent}'. Use that agent, or another session ID.",
                id=session_id,
                agent=agent_id,
            )
        )


class NotStreaming(Conflict):
    code, title = "not_streaming", msg("Message already complete")

    def __init__(self, length: int) -> None:
        super().__init__(msg("This message is complete. Send a new message instead."), length=length)


class MessageOfMember(NotStreaming):
    def __init__(self, length: int) -> None:
        Conflict.__init__(self, msg("A member wrote this message, so you can't append to it."), length=length)


class WrongOffset(Conflict):
    code, title = "wrong_offset", msg("Wrong chunk offset")

    def __init__(self, length: int) -> None:
        super().__init__(
            msgs(
                "The message has {count} character. Send the next chunk with `offset` {offset}.",
                "The message has {count} characters. Send the next chunk with `offset` {offset}.",
                count=length,
                offset=str(length),
            ),
            length=length,
        )
