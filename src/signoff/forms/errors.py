from datetime import datetime

from signoff.platform.clock import iso
from signoff.platform.errors import Conflict
from signoff.platform.messages import Message, msg


class VersionConflict(Conflict):
    code, title = "version_conflict", msg("Review type changed")

    def __init__(self, expected: int, current: int, who: str, when: datetime) -> None:
        super().__init__(
            msg(
                "{who} saved version {current} on {when}, but your changes are based on version {expected}. "
                "Reload to see their changes, then save again.",
                who=who,
                current=str(current),
                when=when,
                expected=str(expected),
            ),
            version=current,
            currentVersion=current,
            savedBy=who,
            savedAt=iso(when),
        )


class AgentGone(Conflict):
    code, title = "agent_gone", msg("Agent deleted")

    def __init__(self, agent_id: str) -> None:
        super().__init__(msg("This review type's agent was deleted. Set another `agentId` first."), agentId=agent_id)


def unknown_field(field_id: str) -> Message:
    return msg("must be the ID of a field in this review type, not '{id}'", id=field_id)
