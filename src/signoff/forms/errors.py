from signoff.platform.errors import Conflict


class VersionConflict(Conflict):
    code, title = "version_conflict", "Somebody else changed the review type"


class AgentGone(Conflict):
    code, title = "agent_gone", "The review type's agent was deleted"
