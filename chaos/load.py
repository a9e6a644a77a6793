"""The load: agents that request reviews, and people who decide and chat. Each records what it sent and got."""

import asyncio
import random
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Self

from yarl import URL

from chaos.client import Client, ClientResponse, RetriesExhausted
from chaos.cluster import EMAIL, PASSWORD, Cluster
from chaos.embedded import EmbeddedService
from chaos.evidence import Decision, Evidence, RequestedReview, RetryRequest, SentMessage, UpdatedReview
from chaos.receiver import Receiver
from signoff.accounts.actors import DEFAULT_SCOPES
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.passwords import passwords
from signoff.accounts.setup import create_account
from signoff.platform.db import Database

FORM: dict[str, Any] = {
    "name": "Draft",
    "titleField": "headline",
    "allowRetry": True,
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "required": True},
        {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
        {"id": "photos", "type": "list", "label": "Photos", "item": [{"id": "photo", "type": "image"}]},
    ],
}
AGENTS, PEOPLE, SESSIONS = 4, 3, 4
API_RATE, API_BURST = 1, 10
"""The rate limit of plans: calls per second, and calls at once."""


@dataclass
class Person:
    user_id: str
    client: Client


@dataclass
class Load:
    """Set up by `async with`, before any failure; runs until `stop` is called."""

    cluster: Cluster | EmbeddedService
    evidence: Evidence
    receiver: Receiver
    chance: random.Random
    pace: float = 0.1
    """Average pause of each agent between two requests, in seconds."""

    async def __aenter__(self) -> Self:
        self._stack = AsyncExitStack()
        self._stopping = asyncio.Event()
        self._number = 0
        self._pending: asyncio.Queue[tuple[str, str] | None] = asyncio.Queue()
        """Review type and review."""
        workspace = self.cluster.workspace
        self.agent, self.manager = self._client(workspace["apiKey"]), self._client(workspace["manageKey"])
        self.owner = self._client()
        await _ok(self.owner.send("POST", "/auth/login", {"email": EMAIL, "password": PASSWORD}))
        wishes = {"name": "Agent", "webhookUrl": f"{self.receiver.url}/agent", "chat": "on"}
        agent = await _ok(self.manager.send("POST", "/agents", wishes))
        self.receiver.secrets.append(agent["webhookSecret"])
        self.agent_id = agent["agentId"]
        form = await _ok(self.manager.send("POST", "/forms", {**FORM, "agentId": self.agent_id}))
        self.form_id = form["formId"]
        with_tool = {**FORM, "name": "Draft for the tool", "toolWebhookUrl": f"{self.receiver.url}/tool"}
        form = await _ok(self.manager.send("POST", "/forms", {**with_tool, "agentId": self.agent_id}))
        self.tool_form_id = form["formId"]
        await _ok(self.owner.send("PATCH", "/account", {"auditWebhookUrl": f"{self.receiver.url}/audit"}))
        rotated = await _ok(self.owner.send("POST", "/account/rotateAuditSecret"))
        self.receiver.secrets.append(rotated["auditWebhookSecret"])
        self.people = [await self._person(number) for number in range(PEOPLE)]
        self.sessions = [f"chat-{number}" for number in range(SESSIONS)]
        for session_id in self.sessions:
            wishes = {"agentId": self.agent_id, "sessionId": session_id}
            await _ok(self.people[0].client.send("POST", "/sessions", wishes))
        self._rated = self._client(await self._rated_key())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def _client(self, key: str | None = None) -> Client:
        made = Client(self.cluster.url, self.evidence, key)
        self._stack.push_async_callback(made.close)
        return made

    async def _person(self, number: int) -> Person:
        invitation = {"email": f"person-{number}@example.com", "name": f"Person {number}", "role": "reviewer"}
        invited = await _ok(self.owner.send("POST", "/users", invitation))
        person = Person(invited["userId"], self._client())
        token = URL(invited["invitationLink"]).query["token"]
        await _ok(person.client.send("POST", "/auth/link", {"token": token, "password": PASSWORD}))
        return person

    async def _rated_key(self) -> str:
        """A key of another account with a rate limit. No endpoint creates a second account."""
        db = await Database.connect(self.cluster.postgres.dsn, size=1, application="chaos")
        try:
            async with db.transaction() as tx:
                secret = await passwords.hash(PASSWORD)
                founding = await create_account(tx, email="rated@example.com", password_hash=secret, name="Rated")
                key = await insert_key(tx, founding.actor, "default", DEFAULT_SCOPES, founding.user_id)
                await tx.execute("update accounts set plan = 'team' where account_id = $1", founding.actor.account_id)
        finally:
            await db.close()
        return key.api_key

    async def run(self) -> None:
        """Run until `stop`, then finish what was started."""
        agents = [asyncio.create_task(self._agent()) for _ in range(AGENTS)]
        deciders = [asyncio.create_task(self._decider()) for _ in range(PEOPLE)]
        writers = [asyncio.create_task(self._writer(place)) for place in range(SESSIONS)]
        rated = asyncio.create_task(self._rated_calls())
        try:
            await asyncio.gather(*agents, *writers)
            for _ in deciders:
                self._pending.put_nowait(None)
            await asyncio.gather(rated, *deciders)
        finally:
            for task in (*agents, *deciders, *writers, rated):
                task.cancel()

    async def watch(self) -> None:
        """Read the live stream like a browser: reconnect after every disconnect, and continue. Never ends."""
        position: str | None = None
        while True:
            async for message in self.people[0].client.stream("/live", position):
                position = message.id or position
                if message.event == "reset":
                    self.evidence.live_resets += 1
                if message.event == "review":
                    row = message.data["row"]
                    self.evidence.live[message.data["reviewId"]] = row and row["state"]
            await asyncio.sleep(0.2)

    def stop(self) -> None:
        self._stopping.set()

    def _new_nonce(self) -> str:
        self._number += 1
        return f"n{self._number}"

    async def _rest(self, seconds: float) -> None:
        await asyncio.sleep(self.chance.expovariate(1 / seconds))

    # Agents -----------------------------------------------------------------------------------------------------------

    async def _agent(self) -> None:
        while not self._stopping.is_set():
            request = self._request()
            try:
                await self._send_request(request)
            except (RetriesExhausted, UnexpectedResponse) as error:
                self.evidence.unexpected_responses.append(str(error))
            await self._rest(self.pace)

    def _request(self) -> RequestedReview:
        nonce = self._new_nonce()
        request = RequestedReview(
            f"key-{nonce}", nonce, auto_approved=self.chance.random() < 0.1, uses_tool=self.chance.random() < 0.4
        )
        if not self.evidence.requests or self.chance.random() < 0.2:
            request.pictures = [
                f"{self.receiver.url}/pictures/{nonce}-{n}.png" for n in range(self.chance.randint(1, 2))
            ]
        request.data = _content(nonce, request.pictures)
        self.evidence.requests.append(request)
        return request

    async def _send_request(self, request: RequestedReview) -> None:
        form_id = self.tool_form_id if request.uses_tool else self.form_id
        body = _body(form_id, request) | ({"autoApprove": True} if request.auto_approved else {})
        times = 2 if self.chance.random() < 0.1 else 1  # at once, with one key
        calls = [self.agent.send("POST", "/requestReview", body, request.key) for _ in range(times)]
        for answer in await asyncio.gather(*calls):
            request.attempts_made += answer.attempts_made
            request.review_ids.add(_definite(answer)["reviewId"])
        if self.chance.random() < 0.05:  # and once more, later
            again = await self.agent.send("POST", "/requestReview", body, request.key)
            request.review_ids.add(_definite(again)["reviewId"])
        if not request.auto_approved:
            self._pending.put_nowait((form_id, min(request.review_ids)))

    # People -----------------------------------------------------------------------------------------------------------

    async def _decider(self) -> None:
        while (pending := await self._pending.get()) is not None:
            try:
                await self._handle(*pending)
            except (RetriesExhausted, UnexpectedResponse) as error:
                self.evidence.unexpected_responses.append(str(error))

    async def _handle(self, form_id: str, review_id: str) -> None:
        await self._rest(self.pace / 3)
        first, second = self.chance.sample(self.people, 2)
        wish = self.chance.random()
        if wish < 0.15:
            await self._request_changes(first, form_id, review_id)
        if wish > 0.7:
            responses = self.chance.sample(["approved", "rejected"], 2)
            await asyncio.gather(
                self._decide(first, review_id, responses[0], is_concurrent=True),
                self._decide(second, review_id, responses[1], is_concurrent=True),
            )
        else:
            await self._decide(first, review_id, self.chance.choice(["approved", "rejected"]))

    async def _request_changes(self, person: Person, form_id: str, review_id: str) -> None:
        nonce = self._new_nonce()
        retry = RetryRequest(review_id, person.user_id, f"Shorter, {nonce}.")
        response = await person.client.send("POST", f"/reviews/{review_id}/retry", {"instructions": retry.instructions})
        if not response.ok and not (response.attempts_made > 1 and response.code == "retry_pending"):
            raise UnexpectedResponse(response)
        self.evidence.retries.append(retry)
        update = UpdatedReview(f"key-{nonce}", nonce, review_id, _content(nonce, []))
        self.evidence.updates.append(update)
        body = _body(form_id, update) | {"updateForReviewId": review_id}
        _definite(await self.agent.send("POST", "/requestReview", body, update.key))
        update.accepted = True

    async def _decide(self, person: Person, review_id: str, response: str, is_concurrent: bool = False) -> None:
        decided = Decision(review_id, person.user_id, response, is_concurrent=is_concurrent)
        if response == "approved" and self.chance.random() < 0.5:
            decided.edits = {"headline": f"Edited {self._new_nonce()}", "score": self.chance.randint(0, 10)}
        self.evidence.decisions.append(decided)
        body = {"response": response} | ({"data": decided.edits} if decided.edits else {})
        answer = await person.client.send("POST", f"/reviews/{review_id}/response", body)
        if answer.ok:
            decided.outcome = "accepted"
        elif answer.code == "already_responded":
            # Ours, if an earlier try of ours was never answered: people would look, and see their own name.
            ours = answer.attempts_made > 1 and answer.body["respondingUserId"] == person.user_id
            decided.outcome = "accepted" if ours else "conflict"
        else:
            raise UnexpectedResponse(answer)

    # Chat -------------------------------------------------------------------------------------------------------------

    async def _writer(self, number: int) -> None:
        """One person for each session, so that it is known in which order its messages were written."""
        session_id, person = self.sessions[number], self.people[number % PEOPLE]
        place = 0
        while not self._stopping.is_set():
            place += 1
            nonce = self._new_nonce()
            written = SentMessage(session_id, f"key-{nonce}", nonce, place)
            self.evidence.sent_messages.append(written)
            path = f"/sessions/{session_id}/messages"
            try:
                answer = await person.client.send("POST", path, {"text": nonce}, written.key)
                written.message_ids.add(_definite(answer)["messageId"])
            except (RetriesExhausted, UnexpectedResponse) as error:
                self.evidence.unexpected_responses.append(str(error))
            await self._rest(self.pace * 5)

    # A plan with a rate -----------------------------------------------------------------------------------------------

    async def _rated_calls(self) -> None:
        """More calls than are allowed. While Redis is away, each process counts alone."""
        began = time.monotonic()
        rated = self.evidence.rated
        while not self._stopping.is_set():
            answer = await self._rated.once("GET", "/authCheck")
            name = "trouble" if answer is None else str(answer.status)
            rated[name] = rated.get(name, 0) + 1
            await asyncio.sleep(0.15)
        seconds = time.monotonic() - began
        # Each process that starts has a full bucket of its own, for as long as it cannot ask Redis.
        processes = len(self.cluster.apis) if isinstance(self.cluster, Cluster) else 1
        rated["allowed"] = round(processes * (seconds * API_RATE) + self.cluster.api_starts * API_BURST + API_BURST)


class UnexpectedResponse(Exception):
    """The service refused what it should have done: the run is wrong, or the service is."""

    def __init__(self, answer: ClientResponse) -> None:
        super().__init__(f"{answer.status} {answer.body}")


def _content(nonce: str, pictures: list[str]) -> dict[str, Any]:
    return {"headline": f"Draft {nonce}", "score": 7, "photos": [{"photo": picture} for picture in pictures]}


def _body(form_id: str, content: RequestedReview | UpdatedReview) -> dict[str, Any]:
    return {"formId": form_id, "data": content.data, "meta": {"nonce": content.nonce}}


async def _ok(call: Any) -> Any:
    return _definite(await call)


def _definite(answer: ClientResponse) -> Any:
    if not answer.ok:
        raise UnexpectedResponse(answer)
    return answer.body
