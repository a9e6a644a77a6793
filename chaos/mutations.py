"""Faults that are put into the service on purpose: the reconciliation has to find each of them.

A mutation replaces one piece of the service's source in a copy of it. The cluster then runs that copy.
"""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import signoff

SOURCE = Path(signoff.__file__).parent


@dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    """Relative to the package."""
    old: str
    """Occurs once."""
    new: str


EMIT = "await emit_event(tx, event, "

MUTATIONS = [
    Mutation(
        "rejections arrive as approvals",
        "reviews/events.py",
        '{"response": decision.response}',
        '{"response": "approved"}',
    ),
    Mutation(
        "the event names somebody else",
        "reviews/events.py",
        '"respondingUserId": decision.by.id',
        '"respondingUserId": review["agent_id"]',
    ),
    Mutation(
        "the event has the values before the edits",
        "reviews/events.py",
        "**result_values(decision.outcome, decision.response),",
        '**result_values(decision.outcome, decision.response) | {"data": review["data"]},',
    ),
    Mutation(
        "the approved arguments are empty",
        "reviews/events.py",
        '"approvedArguments": outcome.arguments',
        '"approvedArguments": {}',
    ),
    Mutation("the event has no meta", "reviews/events.py", '"meta": review["meta"]', '"meta": {}'),
    Mutation(
        "half of the decisions are not told",
        "reviews/decisions.py",
        "{events} as e join decision using (account_id, review_id)",
        "{events} as e join decision using (account_id, review_id) where hashtext(review_id) % 2 = 0",
    ),
    Mutation(
        "half of the retries are not told",
        "reviews/events.py",
        f"    {EMIT}",
        f'    if sum(review["review_id"].encode()) % 2:\n        {EMIT}',
    ),
    Mutation(
        "a third of the messages is not told",
        "sessions/events.py",
        f"    {EMIT}",
        f"    if number % 3:\n        {EMIT}",
    ),
    Mutation(
        "the tool is called for rejections",
        "reviews/decisions.py",
        'form.tool_webhook_url is not None and response == "approved"',
        "form.tool_webhook_url is not None",
    ),
    Mutation(
        "tool results are mixed up",
        "webhooks/channel.py",
        "is_over, outcome.result)",
        "is_over, outcome.result and '\"of another review\"')",
    ),
    Mutation(
        "half of the audit copies are missing",
        "webhooks/subscriptions.py",
        "if audit_url is not None:",
        'if audit_url is not None and __import__("random").random() < 0.5:',
    ),
    Mutation("signatures are wrong", "webhooks/signatures.py", "at, body)", "at, body[:-1])"),
    Mutation(
        "every delivery is made twice",
        "webhooks/channel.py",
        "        try:\n            answer = await self._client.post(\n",
        "        await self._client.post(delivery.url, body=body, headers=headers, timeout=5, max_answer_bytes=1000)\n"
        "        try:\n            answer = await self._client.post(\n",
    ),
    Mutation("attempts are recorded as failed", "platform/outbox/sender.py", '"ok": error is None,', '"ok": False,'),
    Mutation(
        "the audit log says approved",
        "reviews/decisions.py",
        "f\"review.{response or 'submitted'}\"",
        "f\"review.{'approved' if response else 'submitted'}\"",
    ),
    Mutation(
        "the review names somebody else",
        "reviews/decisions.py",
        "responding_user_id = d.actor_id, responded_at",
        "responding_user_id = d.agent_delivery_id, responded_at",
    ),
    Mutation(
        "the second decision counts too",
        "reviews/permissions.py",
        'if review["state"] == "responded":',
        'if review["state"] == "decided":',
    ),
    Mutation(
        "requests are metered twice",
        "accounts/usage/meter.py",
        "{this_month}, requests, bytes from",
        "{this_month}, requests * 2, bytes from",
    ),
    Mutation(
        "live streams miss some of what happens",
        "inbox/account_feed.py",
        "        if messages:\n",
        "        if messages and self.position % 3:\n",
    ),
    Mutation(
        "automatic approvals are somebody's",
        "accounts/actors.py",
        'Actor("system", account_id, "system"',
        'Actor("system", account_id, "robot"',
    ),
]


def mutate(folder: Path, mutations: Iterable[Mutation]) -> Path:
    """A folder to import the mutated service from, below `folder`, which is made if it isn't there."""
    folder.mkdir(exist_ok=True)
    folder.parent.chmod(0o711)  # as root, the database has a user of its own, who must be able to get here
    copy = folder / "mutated" / "signoff"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for mutation in mutations:
        file = copy / mutation.file
        file.write_text(apply(mutation, file.read_text()))
    return copy.parent


def apply(mutation: Mutation, text: str) -> str:
    if (count := text.count(mutation.old)) != 1:
        raise ValueError(f"{mutation.name}: {mutation.file} has {mutation.old!r} {count} times")
    return text.replace(mutation.old, mutation.new)
