"""`python -m signoff.demo.agent`. Exits with 0 when its key is rejected, because then the demo was removed."""

import asyncio
import json
import os
import signal

import aiohttp

from signoff.demo.agent.api_client import ApiClient, ApiKeyRejected, RequestRejected
from signoff.demo.agent.chat import ChatHandler
from signoff.demo.agent.console import print_line
from signoff.demo.agent.context import load_context
from signoff.demo.agent.event_handlers import EventHandler
from signoff.demo.agent.review_requester import ReviewRequester
from signoff.demo.agent.webhook_receiver import Events, Inbox, serve_webhooks

DEFAULT_PACE = 40.0
POLL_INTERVAL = 1.0


async def run() -> None:
    secrets = json.loads(os.environ["DEMO_SECRETS"])
    pace = float(os.environ.get("DEMO_PACE") or DEFAULT_PACE)
    inbox = Inbox(secrets.values())
    async with (
        serve_webhooks(inbox, int(os.environ["DEMO_PORT"])),
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session,
    ):
        api = ApiClient(session, os.environ["SIGNOFF_URL"], os.environ["SIGNOFF_API_KEY"])
        context = await load_context(api, agent_ids=set(secrets))
        print_line("Demo", f"Demo agents running: {', '.join(context.agents.values())}")
        async with asyncio.TaskGroup() as at_once:
            at_once.create_task(ReviewRequester(api, context).request_repeatedly(pace))
            at_once.create_task(handle_events(inbox.reviews, EventHandler(api, context)))
            at_once.create_task(handle_events(inbox.messages, ChatHandler(api, context)))
            if parent := os.environ.get("DEMO_PARENT"):
                at_once.create_task(exit_with_parent(int(parent)))


async def handle_events(events: Events, handler: EventHandler | ChatHandler) -> None:
    """Handle events in order. Skip those that the server rejects because someone changed or deleted the review."""
    while True:
        event = await events.get()
        try:
            await handler.handle(event)
        except RequestRejected as refusal:
            print_line("Demo", f"couldn't handle {event['event']}: {refusal}")


async def exit_with_parent(parent: int) -> None:
    """Stop when the parent is gone: if it's killed, it can't send a signal."""
    while os.getppid() == parent:  # noqa: ASYNC110
        await asyncio.sleep(POLL_INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    try:
        asyncio.run(run())
    except* ApiKeyRejected:
        print_line("Demo", "API key rejected: the demo was removed or the key was revoked. Stopping.")


if __name__ == "__main__":
    main()
