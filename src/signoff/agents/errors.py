from signoff.platform.errors import Conflict


class AgentInUse(Conflict):
    code, title = "agent_in_use", "The agent still has review types"
