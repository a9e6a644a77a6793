"""An office to take pictures of: three agents, their review types, and reviews in every state. All over the API."""

import itertools
from dataclasses import dataclass
from typing import Any

import httpx

from signoff.demo.content.drawn import mug
from signoff.demo.content.people import AGENTS
from signoff.demo.content.review_types import INVOICE, PRODUCT, REPLY, SOCIAL

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
class Office:
    """Clients of one empty workspace."""

    agent: httpx.AsyncClient
    manager: httpx.AsyncClient
    owner: httpx.AsyncClient

    async def fill(self, receiver: str) -> list[str]:
        """Makes it all; returns the IDs of the reviews that are still open, oldest first."""
        newsroom, support, back_office = [
            await self._agent(agent.name, agent.description, receiver) for agent in AGENTS
        ]
        social = await self._form(SOCIAL, newsroom)
        reply = await self._form(REPLY, support)
        product, invoice = await self._form(PRODUCT, back_office), await self._form(INVOICE, back_office)
        photos = [await self._photo(number) for number in range(6)]
        reviews: list[str] = []
        for round_, ((headline, text), ticket) in enumerate(zip(POSTS, itertools.cycle(TICKETS), strict=False)):
            photo = photos[round_ % len(photos)]
            reviews.append(await self._request(invoice, _invoice(round_)))
            reviews.append(await self._request(reply, _reply(ticket)))
            reviews.append(await self._request(product, _product(round_, photos), run=f"shop-{round_ // 2}"))
            reviews.append(await self._request(social, _post(round_, headline, text, photo)))
        return reviews

    async def _agent(self, name: str, description: str, receiver: str) -> str:
        body = {"name": name, "description": description, "webhookUrl": receiver}
        return (await _ok(self.manager.post("/agents", json=body)))["agentId"]

    async def _form(self, form: dict[str, Any], agent_id: str) -> str:
        return (await _ok(self.manager.post("/forms", json={**form, "agentId": agent_id})))["formId"]

    async def _photo(self, number: int) -> str:
        files = {"file": (f"mug-{number}.png", mug(number, scene=number), "image/png")}
        return (await _ok(self.agent.post("/uploadFiles", files=files)))["files"][0]["downloadURL"]

    async def _request(self, form_id: str, data: dict[str, Any], run: str | None = None) -> str:
        meta = {"_svcWorkflow": {"runId": run, "runName": f"Shop update {run}"}} if run else None
        body = {"formId": form_id, "data": data, **({"meta": meta} if meta else {})}
        return (await _ok(self.agent.post("/requestReview", json=body)))["reviewId"]

    async def decide(self, review_id: str, response: str, **members: Any) -> None:
        await _ok(self.owner.post(f"/reviews/{review_id}/response", json={"response": response, **members}))


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
