"""The operations under "Agents"."""

from signoff.agents.errors import AgentInUse
from signoff.openapi.words.wording import Operations, Words
from signoff.webhooks.errors import NoWebhook

OPERATIONS: Operations = {
    ("get", "/agents"): Words("listAgents", "List agents"),
    ("post", "/agents"): Words("createAgent", "Create an agent"),
    ("get", "/agents/{agentId}"): Words("getAgent", "Get an agent", "Returns an agent without its secret."),
    ("patch", "/agents/{agentId}"): Words("changeAgent", "Update an agent"),
    ("delete", "/agents/{agentId}"): Words(
        "deleteAgent",
        "Delete an agent",
        problems=(AgentInUse("2 review types belong to this agent. Archive them first."),),
    ),
    ("post", "/agents/{agentId}/rotateSecret"): Words("rotateAgentSecret", "Rotate an agent's signing secret"),
    ("post", "/agents/{agentId}/testEvent"): Words(
        "sendTestEvent",
        "Send a test event",
        problems=(NoWebhook("The agent has no webhook URL to send a test event to."),),
    ),
}
