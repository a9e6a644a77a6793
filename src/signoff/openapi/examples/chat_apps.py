"""Connected Slack and Mattermost workspaces."""

from typing import Any

from signoff.platform.examples import AGENT_ID, BEGAN_AT, FORM_ID, OWNER, REQUESTED_AT

EXAMPLES: dict[str, Any] = {
    "SlackCredentials": {"botToken": "xoxb-example-token", "signingSecret": "0123456789abcdef"},
    "MattermostCredentials": {"serverUrl": "https://chat.example.com", "botToken": "9xuqwrwgstrb3mzrxb83nb357a"},
    "ChatApps": {
        "items": [
            {
                "app": "slack",
                "state": "connected",
                "code": None,
                "why": None,
                "since": BEGAN_AT,
                "workspace": "Acme",
                "connectedBy": OWNER,
                "canUpdate": True,
                "canDecide": True,
                "troubledChannels": [
                    {
                        "channel": "C024BE91L",
                        "code": "is_archived",
                        "why": "This channel is archived. Choose another.",
                        "since": REQUESTED_AT,
                    }
                ],
            }
        ]
    },
    "Channels": {"default": "C024BE7LR", "agents": {AGENT_ID: "C024BE91L"}, "forms": {FORM_ID: ""}},
    "ChatAppTest": {"channel": "C024BE91L"},
    "ChatAppTestOutcome": {
        "delivered": True,
        "channel": "C024BE91L",
        "code": None,
        "detail": "Check C024BE91L for the test message.",
        "durationMs": 184,
    },
}
