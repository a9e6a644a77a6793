"""The demo's agent: a small program that uses Signoff the way yours would, over HTTP and nothing else.

It plays three agents of a small pottery. Read it in this order:

- `asking.py` asks for reviews now and then, as an agent does that has drafted something;
- `listening.py` hears webhooks, and takes nothing for true that is not signed;
- `hearing.py` does what follows: publishes what was approved, learns from what was rejected, drafts anew on a retry;
- `chatting.py` answers people who write, in pieces, and asks for a review inside the chat;
- `service.py` makes the calls, and tries again while the service is away.

`drafts.py`, `revising.py` and `small_talk.py` stand in for a language model, and `terminal.py` says aloud what happens.
It is started with everything in the environment:

- `SIGNOFF_URL` and `SIGNOFF_API_KEY`: the service, and a key with the two scopes of every new key;
- `DEMO_PORT`: where to hear webhooks, on this machine;
- `DEMO_SECRETS`: the agents' webhook secrets, `{"<agentId>": "whsec_…"}`;
- `DEMO_PACE`: seconds between two requests for a review, 40 unless it is set;
- `DEMO_PARENT`: the process to end with, if there is one.
"""
