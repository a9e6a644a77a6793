"""Realistic content: three agents, their review types and pending reviews, created over the API."""

import itertools
from dataclasses import dataclass
from typing import Any

import httpx

from screenshots.languages import LocalizedPost
from signoff.demo.seed.content.forms import INVOICE, PRODUCT, REPLY, SOCIAL
from signoff.demo.seed.content.images import mug
from signoff.demo.seed.content.users import AGENTS
from signoff.demo.seed.content.users import NEWSROOM as CONTENT_AGENT

POSTS = [
    (
        "Our fall glazes are here",
        "Five new colors, fired twice.\n\n- **Rust** and *moss* are back\n- All dishwasher safe",
    ),
    ("Behind the scenes: opening the kiln", "We open the door at 6 a.m. Here's what we found on Tuesday."),
    ("Free shipping until Sunday", "Free shipping on every order over $40. *Until Sunday at midnight.*"),
    ("The mug that survived four falls", "Ada told us about hers. It still holds tea. We asked for its secret."),
    (
        "We're hiring a second potter",
        "Three days a week, your own shelf. Apply by **December 1**.",
    ),
    ("Five winters, one teapot", "The oldest piece of ours still in daily use. It has outlived three dishwashers."),
    ("Workshop dates for January", "Two evenings, six spots each. Just bring an apron."),
    ("Why our blue changed", "The mine closed, so we made 214 test tiles. Number 187 won."),
]
TICKETS = [
    (
        "Handle broke after a week",
        "The handle came off my mug. I love it. Can I get a replacement?",
        "refund",
    ),
    ("Where is my package?", "Order 20418 was supposed to arrive Monday. The tracking hasn't changed since.", "close"),
    ("Is the glaze safe for kids?", "We'd like to buy the small bowls for our preschool.", "close"),
    ("Wrong color delivered", "I ordered moss and got rust. It's pretty, but not what I wanted.", "refund"),
    ("Invoice with our tax ID", "Could you resend the invoice with our tax ID, 12-3456789?", "escalate"),
    ("Can I visit the workshop?", "There are four of us in town next week, one of them very small.", "close"),
]
SUPPLIERS = ["Ridgeline Clay", "Kiln & Sons", "Northern Oxides", "Linden Paper Co.", "Freight 48"]


@dataclass
class Content:
    """Fills an empty workspace through its API clients."""

    agent: httpx.AsyncClient
    manager: httpx.AsyncClient
    owner: httpx.AsyncClient

    async def create(self, receiver: str) -> list[str]:
        """Return the IDs of the pending reviews, oldest first."""
        content, support, back_office = [await self._agent(agent.name, agent.description, receiver) for agent in AGENTS]
        social = await self._form(SOCIAL, content)
        reply = await self._form(REPLY, support)
        product, invoice = await self._form(PRODUCT, back_office), await self._form(INVOICE, back_office)
        photos = [await self._photo(number) for number in range(6)]
        reviews: list[str] = []
        for number, ((headline, text), ticket) in enumerate(zip(POSTS, itertools.cycle(TICKETS), strict=False)):
            photo = photos[number % len(photos)]
            reviews.append(await self._request(invoice, _invoice(number)))
            reviews.append(await self._request(reply, _reply(ticket)))
            reviews.append(await self._request(product, _product(number, photos), run=number // 2 + 1))
            reviews.append(await self._request(social, _post(number, headline, text, photo)))
        return reviews

    async def decide(self, review_id: str, response: str, **members: Any) -> None:
        await _ok(self.owner.post(f"/reviews/{review_id}/response", json={"response": response, **members}))

    async def add_post(self, post: LocalizedPost) -> None:
        """Request a review of it by the content agent."""
        agents = (await _ok(self.manager.get("/agents")))["items"]
        agent_id = next(agent["agentId"] for agent in agents if agent["name"] == CONTENT_AGENT.name)
        form_id = await self._form(post.form, agent_id)
        await self._request(form_id, {**post.data, "photo": await self._photo(1)})

    async def _agent(self, name: str, description: str, receiver: str) -> str:
        body = {"name": name, "description": description, "webhookUrl": receiver}
        return (await _ok(self.manager.post("/agents", json=body)))["agentId"]

    async def _form(self, form: dict[str, Any], agent_id: str) -> str:
        return (await _ok(self.manager.post("/forms", json={**form, "agentId": agent_id})))["formId"]

    async def _photo(self, number: int) -> str:
        files = {"file": (f"mug-{number}.png", mug(number, scene=number), "image/png")}
        return (await _ok(self.agent.post("/uploadFiles", files=files)))["files"][0]["downloadURL"]

    async def _request(self, form_id: str, data: dict[str, Any], run: int | None = None) -> str:
        meta = {"_svcWorkflow": {"runId": f"shop-{run}", "runName": f"Shop update {run}"}} if run else None
        body = {"formId": form_id, "data": data, **({"meta": meta} if meta else {})}
        return (await _ok(self.agent.post("/requestReview", json=body)))["reviewId"]


def _post(number: int, headline: str, text: str, photo: str) -> dict[str, Any]:
    return {
        "headline": headline,
        "text": text,
        "photo": photo,
        "channel": ["linkedin", "blog"] if number % 2 else ["mastodon"],
        "when": f"2026-12-{number + 1:02d}T09:00:00Z",
        "confidence": 3 + number % 3,
    }


def _reply(ticket: tuple[str, str, str]) -> dict[str, Any]:
    subject, question, action = ticket
    reply = "Thanks for reaching out, and sorry for the trouble. We've looked into it and will make it right today."
    return {"subject": subject, "question": question, "reply": reply, "action": action, "amount": 28}


def _product(number: int, photos: list[str]) -> dict[str, Any]:
    names = ("Tea mug, moss", "Espresso cup, rust", "Breakfast bowl, midnight", "Latte mug, sun")
    chosen = [{"photo": photos[(number + each) % len(photos)]} for each in range(4)]
    return {"product": names[number % len(names)], "photos": chosen, "alt": "A hand-thrown mug on a wooden table"}


def _invoice(number: int) -> dict[str, Any]:
    lines = [
        {"what": "Stoneware clay, 50 lb", "pieces": 12 + number, "price": 31.5},
        {"what": "Shipping", "pieces": 1, "price": 48},
    ]
    return {
        "supplier": SUPPLIERS[number % len(SUPPLIERS)],
        "due": f"2026-12-{10 + number:02d}",
        "lines": lines,
        "raw": {"page": 1, "confidence": 0.93, "currency": "USD"},
    }


async def _ok(call: Any) -> Any:
    answer = await call
    answer.raise_for_status()
    return answer.json() if answer.content else None
