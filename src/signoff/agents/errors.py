from signoff.platform.errors import Conflict
from signoff.platform.messages import Message, msg, msgs


class AgentInUse(Conflict):
    code, title = "agent_in_use", msg("Agent has review types")


def agent_in_use(count: int) -> AgentInUse:
    return AgentInUse(
        msgs(
            "This agent still has {count} review type. Archive the review type or move it to another agent first.",
            "This agent still has {count} review types. Archive them or move them to another agent first.",
            count=count,
        )
    )


def unknown_agent(agent_id: str) -> Message:
    return msg("must be the ID of an agent, not '{id}'", id=agent_id)
