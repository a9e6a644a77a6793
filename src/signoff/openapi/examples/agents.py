"""The agent that writes the newsletter."""

from typing import Any

from signoff.platform.examples import ACCOUNT_ID, AGENT_ID, BEGAN_AT, SECRET, TOOL_DELIVERY_ID, WEBHOOK

AGENT = {
    "agentId": AGENT_ID,
    "name": "Newsletter writer",
    "description": "Drafts the monthly newsletter.",
    "webhookUrl": WEBHOOK,
    "webhookEvents": ["review.completed", "review.retry_requested", "review.deleted"],
    "chat": "off",
    "createdAt": BEGAN_AT,
    "updatedAt": BEGAN_AT,
}

EXAMPLES: dict[str, Any] = {
    "NewAgent": {name: AGENT[name] for name in ("name", "description", "webhookUrl")},
    "AgentChange": {"webhookUrl": "https://agent.example.com/v2/hooks/signoff"},
    "Agent": AGENT,
    "AgentWithSecret": {**AGENT, "webhookSecret": SECRET},
    "TestOutcome": {
        "deliveryUrl": WEBHOOK,
        "request": {
            "headers": {
                "content-type": "application/json",
                "webhook-id": TOOL_DELIVERY_ID,
                "webhook-timestamp": "1794735375",
                "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
            },
            "body": f'{{"event":"test","accountId":"{ACCOUNT_ID}","agentId":"{AGENT_ID}"}}',
        },
        "response": {
            "statusCode": 200,
            "statusText": "OK",
            "headers": {"content-type": "text/plain"},
            "body": "ok",
            "bodyCut": False,
        },
        "error": None,
        "durationMs": 48,
        "ok": True,
    },
}
