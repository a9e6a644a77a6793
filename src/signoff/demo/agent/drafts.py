"""The agents' drafts. In production, a language model would write them. Here, they're prepared."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from signoff.demo.agent.context import AgentContext, ReviewType


@dataclass(frozen=True)
class SampleDraft:
    review_type: ReviewType
    title: str
    data: dict[str, Any]


def next_draft(context: AgentContext, waiting: list[str], counts: Counter[str]) -> SampleDraft | None:
    """The draft requested least often, preferably of a review type with few pending. Never one that's pending."""
    drawer = [
        SampleDraft(context.review_types[name], title, data)
        for name, title, data in _build_drafts(context.pictures, datetime.now(UTC))
        if name in context.review_types
    ]
    left = [draft for draft in drawer if draft.title not in waiting]
    in_line = [draft.review_type.name for draft in drawer if draft.title in waiting]
    # Start with a different draft each minute, so that a restart doesn't repeat the same ones.
    start = int(datetime.now(UTC).timestamp() // 60) % len(left) if left else 0
    return min(
        left[start:] + left[:start],
        key=lambda draft: (counts[draft.title], in_line.count(draft.review_type.name)),
        default=None,
    )


def _build_drafts(pictures: list[str], now: datetime) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Review type, title and data of each draft."""
    for number, (headline, text) in enumerate(POSTS):
        yield "Social post", headline, _post(headline, text, number, pictures, now)
    for subject, question, reply, action in TICKETS:
        amount = 28 if action == "refund" else None
        data = {"subject": subject, "question": question, "reply": reply, "action": action, "amount": amount}
        yield "Support reply", subject, data
    for number, (product, alt) in enumerate(PRODUCTS):
        photos = [{"photo": address} for address in _pick_pictures(pictures, number, 3)]
        yield "Product photos", product, {"product": product, "photos": photos, "alt": alt}
    for number, (supplier, lines) in enumerate(INVOICES):
        yield "Invoice approval", supplier, _invoice(supplier, lines, number, now)


def _post(headline: str, text: str, number: int, pictures: list[str], now: datetime) -> dict[str, Any]:
    morning = (now + timedelta(days=1 + number)).replace(hour=9, minute=0, second=0, microsecond=0)
    return {
        "headline": headline,
        "text": text,
        "photo": next(iter(_pick_pictures(pictures, number, 1)), None),
        "channel": ["mastodon", "blog"] if number % 2 else ["linkedin"],
        "when": morning.isoformat().replace("+00:00", "Z"),
        "confidence": 2 + number % 4,
    }


def _invoice(supplier: str, lines: list[tuple[str, int, float]], number: int, now: datetime) -> dict[str, Any]:
    total = sum(pieces * price for _, pieces, price in lines)
    return {
        "supplier": supplier,
        "due": (now + timedelta(days=10 + number)).date().isoformat(),
        "lines": [{"what": what, "pieces": pieces, "price": price} for what, pieces, price in lines],
        "raw": {"supplier": supplier, "total": round(total, 2), "currency": "USD", "pages": 1 + number % 2},
    }


def _pick_pictures(pictures: list[str], start: int, how_many: int) -> list[str]:
    return [pictures[(start + step) % len(pictures)] for step in range(min(how_many, len(pictures)))]


POSTS = [
    (
        "Our kiln has a name",
        "You voted, and it was close. Meet **Gertrude**. She'd like a heads-up before anything over 2,200 °F.",
    ),
    (
        "Seconds sale on Saturday",
        "Tiny bubbles, bold drips, one handle on the wrong side: everything with character is *half off*, 10 to 2.",
    ),
    (
        "What makes a good teapot",
        "Pour without dripping, keep the lid on, stay cool to hold. It took us nine tries.\n\n"
        "1. The spout\n2. The lid\n3. The handle",
    ),
    (
        "We now ship without plastic",
        "Every package ships in paper, straw and hope. So far, **all of them** have arrived in one piece.",
    ),
    (
        "Meet Moss, our quietest color",
        "Gray in the morning, green by four in the afternoon. We didn't plan it, but we're keeping it.",
    ),
    (
        "A bowl for a hundred soups",
        "Deep enough for noodles, wide enough for bread. Back in the shop this week.",
    ),
]
TICKETS = [
    (
        "Lid missing from my teapot",
        "The teapot came today and it's lovely, but there's no lid in the box. I looked twice.",
        "I'm so sorry! Your lid is on its way and should arrive Thursday. A saucer will do until then.",
        "close",
    ),
    (
        "Two mugs arrived in five pieces",
        "I counted. The box looked fine from the outside. Can I get a refund, or new mugs?",
        "Thanks for counting, and sorry about the mess. I've refunded both. Keep the pieces for your plants.",
        "refund",
    ),
    (
        "Engraving on a wedding gift",
        "Could you engrave two names and a date on the bottom of six plates? The wedding is on the 12th.",
        "We'd love to! Engraving takes eight days, so we'd start tomorrow. Which names, and in what order?",
        "close",
    ),
    (
        "Does the rust glaze scratch spoons?",
        "Or do the spoons scratch the glaze? One of them is losing, and I'd like to know which.",
        "The spoons are losing, very slowly. A little baking soda takes off the gray marks. The glaze won't mind.",
        "close",
    ),
    (
        "Mugs for our whole office",
        "There are forty of us, and we'd each like a mug in the same blue. Is there a discount for that?",
        "There is! Orders of 24 or more get 12% off. I've passed this on to Edda. You'll get a quote by noon tomorrow.",
        "escalate",
    ),
]
PRODUCTS = [
    ("Soup bowl, moss", "A deep bowl with a gray-green glaze, side view"),
    ("Egg cups, set of two", "Two small cups on one base, with a rust glaze"),
    ("Creamer, midnight", "A dark blue creamer with a light rim"),
    ("Salt cellar, sun", "A round, open, warm yellow jar"),
]
INVOICES = [
    ("Hearth Bricks & Co", [("Kiln shelf, 16 in", 4, 38.5), ("Kiln wash, 10 lb", 1, 21.9)]),
    ("Prairie Straw Co.", [("Packing straw, bale", 12, 6.4)]),
    ("Blue Mountain Pigments", [("Cobalt oxide, 1 lb", 2, 84.0), ("Red iron oxide, 2 lb", 3, 9.5)]),
    ("Handle with Care Couriers", [("Package up to 10 lb", 61, 4.9), ("Package up to 20 lb", 8, 7.2)]),
]
