"""The demo's agent: a small program that uses Signoff the way yours would, over HTTP only.

It plays three agents of a small pottery. Read it in this order:

- `review_requester.py` requests reviews of drafts at intervals;
- `webhook_receiver.py` receives webhooks and verifies their signatures;
- `event_handlers.py` acts on decisions: publishes what was approved, learns from rejections, revises drafts on request;
- `chat.py` streams replies to chat messages and requests a review in the chat;
- `api_client.py` sends the requests and retries them while the server is down.

`drafts.py`, `revisions.py` and `chat_replies.py` stand in for a language model, and `console.py` prints what happens.
All settings come from the environment:

- `SIGNOFF_URL` and `SIGNOFF_API_KEY`: the server, and a key with the two default scopes;
- `DEMO_PORT`: the local port for webhooks;
- `DEMO_SECRETS`: the agents' webhook secrets, `{"<agentId>": "whsec_…"}`;
- `DEMO_PACE`: seconds between two review requests, 40 by default;
- `DEMO_PARENT`: the process to stop with, if there is one.
"""
