"""The operations under "Agents"."""

from signoff.agents.errors import agent_in_use
from signoff.openapi.words.wording import Operations, Words
from signoff.webhooks.errors import no_webhook

OPERATIONS: Operations = {
    ("get", "/agents"): Words("listAgents", "List agents"),
    ("post", "/agents"): Words("createAgent", "Create an agent"),
    ("get", "/agents/{agentId}"): Words("getAgent", "Get an agent", "Returns an agent without its secret."),
    ("patch", "/agents/{agentId}"): Words("changeAgent", "Update an agent"),
    ("delete", "/agents/{agentId}"): Words(
        "deleteAgent",
        "Delete an agent",
        problems=(agent_in_use(2),),
    ),
    ("post", "/agents/{agentId}/rotateSecret"): Words("rotateAgentSecret", "Rotate an agent's signing secret"),
    ("post", "/agents/{agentId}/testEvent"): Words(
        "sendTestEvent",
        "Send a test event",
        problems=(no_webhook(),),
    ),
}
