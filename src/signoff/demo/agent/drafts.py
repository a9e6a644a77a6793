"""What the agents have drafted. In real life a language model would have; here it is a drawer of finished ones."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from signoff.demo.agent.office import Office, ReviewType


@dataclass(frozen=True)
class Draft:
    review_type: ReviewType
    title: str
    data: dict[str, Any]


def next_draft(office: Office, waiting: list[str], asked: Counter[str]) -> Draft | None:
    """One that was seldom asked for, of a review type of which few wait; never one that waits already."""
    drawer = [
        Draft(office.review_types[name], title, data)
        for name, title, data in _drawer(office.pictures, datetime.now(UTC))
        if name in office.review_types
    ]
    left = [draft for draft in drawer if draft.title not in waiting]
    in_line = [draft.review_type.name for draft in drawer if draft.title in waiting]
    # Another one to begin with each minute, so that a restart does not bring the same again.
    start = int(datetime.now(UTC).timestamp() // 60) % len(left) if left else 0
    return min(
        left[start:] + left[:start],
        key=lambda draft: (asked[draft.title], in_line.count(draft.review_type.name)),
        default=None,
    )


def _drawer(pictures: list[str], now: datetime) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Review type, title and data of each."""
    for number, (headline, text) in enumerate(POSTS):
        yield "Social post", headline, _post(headline, text, number, pictures, now)
    for subject, question, reply, action in TICKETS:
        amount = 28 if action == "refund" else None
        data = {"subject": subject, "question": question, "reply": reply, "action": action, "amount": amount}
        yield "Support reply", subject, data
    for number, (product, alt) in enumerate(PRODUCTS):
        photos = [{"photo": address} for address in _some(pictures, number, 3)]
        yield "Product photos", product, {"product": product, "photos": photos, "alt": alt}
    for number, (supplier, lines) in enumerate(INVOICES):
        yield "Invoice check", supplier, _invoice(supplier, lines, number, now)


def _post(headline: str, text: str, number: int, pictures: list[str], now: datetime) -> dict[str, Any]:
    morning = (now + timedelta(days=1 + number)).replace(hour=9, minute=0, second=0, microsecond=0)
    return {
        "headline": headline,
        "text": text,
        "photo": next(iter(_some(pictures, number, 1)), None),
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
        "raw": {"supplier": supplier, "total": round(total, 2), "currency": "EUR", "pages": 1 + number % 2},
    }


def _some(pictures: list[str], start: int, how_many: int) -> list[str]:
    return [pictures[(start + step) % len(pictures)] for step in range(min(how_many, len(pictures)))]


POSTS = [
    (
        "The kiln has a name now",
        "You voted, and it was close. She is **Gertrude** from today on, and would like to be asked before 1,200 °C.",
    ),
    (
        "Seconds sale on Saturday",
        "Small bubbles, brave drips, one handle on the wrong side: all that has character at *half price*, 10 to 2.",
    ),
    (
        "What a teapot has to do",
        "Three things: pour without dribbling, keep its lid on, be held when hot. It took us nine tries.\n\n"
        "1. The spout\n2. The lid\n3. The handle",
    ),
    (
        "We now ship without plastic",
        "Every parcel leaves us in paper, straw and hope. So far **all of them** arrived in one piece.",
    ),
    (
        "Meet Moss, our quietest colour",
        "It looks grey in the morning and green at four in the afternoon. We did not plan that; we just keep it.",
    ),
    (
        "A bowl for one hundred soups",
        "Deep enough for noodles, wide enough for bread. Back in the shop this week.",
    ),
]
TICKETS = [
    (
        "Lid missing from my teapot",
        "The teapot came today and is lovely, but there is no lid in the box. I looked twice.",
        "I am sorry about that! The lid is on its way and should be with you on Thursday. Until then, a saucer does.",
        "close",
    ),
    (
        "Two mugs arrived as five pieces",
        "I counted. The box looked fine from outside. Can I have my money back, or new mugs?",
        "Thank you for counting, and sorry for the mess. I have refunded both today; keep the pieces for your plants.",
        "refund",
    ),
    (
        "Engraving on a wedding gift",
        "Could you put two names and a date under a set of six plates? The wedding is on the 12th.",
        "With pleasure. Engraved plates take eight days, so we would begin tomorrow. Which names, and in which order?",
        "close",
    ),
    (
        "Does the rust glaze scratch spoons?",
        "Or do the spoons scratch the glaze? Somebody is losing, and I would like to know who.",
        "The spoons are losing, very slowly. A little baking soda takes the grey lines off; the glaze does not mind.",
        "close",
    ),
    (
        "Order for our whole office",
        "We are forty people and would like a mug each, in the same blue. Is there a price for that?",
        "There is! From 24 pieces on we take 12 % off. I pass this on to Ada, who sends you an offer by tomorrow noon.",
        "escalate",
    ),
]
PRODUCTS = [
    ("Soup bowl, moss", "A deep bowl in grey-green glaze, seen from the side"),
    ("Egg cup, set of two", "Two small cups on one foot, glazed in rust"),
    ("Milk jug, night", "A jug in dark blue with a light rim"),
    ("Salt pig, sun", "A round open jar in warm yellow"),
]
INVOICES = [
    ("Hearth Bricks & Co", [("Kiln shelf, 40 cm", 4, 38.5), ("Kiln wash, 5 kg", 1, 21.9)]),
    ("Lindenhof Straw", [("Packing straw, bale", 12, 6.4)]),
    ("Blue Mountain Pigments", [("Cobalt oxide, 500 g", 2, 84.0), ("Iron oxide red, 1 kg", 3, 9.5)]),
    ("Handle with Care Couriers", [("Parcel up to 5 kg", 61, 4.9), ("Parcel up to 10 kg", 8, 7.2)]),
]
