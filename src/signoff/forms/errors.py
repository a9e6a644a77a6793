from signoff.platform.errors import Conflict
from signoff.platform.messages import msg


class VersionConflict(Conflict):
    code, title = "version_conflict", msg("Review type changed")


class AgentGone(Conflict):
    code, title = "agent_gone", msg("Agent deleted")
