"""Replies to chat messages by keyword. In production, a language model would write them."""

import re
from dataclasses import dataclass
from typing import Any

ORDER = re.compile(r"\b\d{4,8}\b")


@dataclass(frozen=True)
class Reply:
    text: str
    """Markdown."""
    draft: dict[str, Any] | None = None
    """A customer reply that needs approval first."""


def reply_to(text: str, *, asked_before: bool) -> Reply:
    order = order_numbers[0] if (order_numbers := ORDER.search(text)) else "20418"
    for keywords, reply in ANSWERS:
        if re.search(keywords, text, re.IGNORECASE):
            return _fill_in_reply(order, reply)
    return _fill_in_reply(order, FALLBACK if asked_before else UNSURE)


def _fill_in_reply(order: str, reply: Reply) -> Reply:
    draft = None if reply.draft is None else {name: _fill_in_order(value, order) for name, value in reply.draft.items()}
    return Reply(_fill_in_order(reply.text, order), draft)


def _fill_in_order(value: Any, order: str) -> Any:
    return value.replace("{order}", order) if isinstance(value, str) else value


ANSWERS: list[tuple[str, Reply]] = [
    (
        r"\bbroke|\bbroken|\brefund|\bcrack|\bmoney back|\bpieces\b",
        Reply(
            "Oh no. That's covered: anything that breaks **within 30 days** gets a replacement or a refund.\n\n"
            "I've drafted a reply with a refund. I never send money without your approval, so:",
            {
                "subject": "Broken item in order {order}",
                "reply": "Thanks for letting us know, and sorry about the pieces! We've refunded order {order}.",
                "action": "refund",
                "amount": 28,
            },
        ),
    ),
    (
        r"\bparcel|\bpackage|\bdeliver|\bshipp|\btrack|\bwhere is|\barriv|\border",
        Reply(
            "Order **{order}** shipped on Monday:\n\n"
            "| Day | Status |\n|---|---|\n| Monday | Packed in straw |\n| Tuesday | In transit |\n"
            "| Today | *Out for delivery* |\n\n"
            "Want me to tell the customer? I have a reply ready.",
            {
                "subject": "Where is order {order}?",
                "reply": "Good news: order {order} is out for delivery and should reach you today, packed in straw.",
                "action": "close",
            },
        ),
    ),
    (
        r"\bdraft|\breply|\bwrite (?:to|back)|\bcustomer|\bapolog|\bcomplain",
        Reply(
            "Sure. Here's my draft. Edit anything you like and approve it when it's ready.",
            {
                "subject": "Your message to us",
                "reply": "Thanks for reaching out. We've looked into it and will make it right by tomorrow.",
                "action": "close",
            },
        ),
    ),
    (
        r"\bglaze|\bsafe|\bdishwash|\bmicrowave|\blead\b",
        Reply(
            "Short answer: yes.\n\n- **Food safe**: all glazes, tested every year\n"
            "- **Dishwasher**: yes, except gold rims\n- **Microwave**: yes, but the handle gets *hot*\n\n"
            "The test reports are in the folder `glazes/2026`."
        ),
    ),
    (
        r"\bvisit|\bworkshop|\bopen(?:ing)?\b|\bhours|\bcourse|\bclass",
        Reply(
            "We're open **Tuesday to Saturday, 10 to 6**. Evening classes are on Thursdays:\n\n"
            "1. Wheel for beginners (2 spots left)\n2. Glazing (full)\n3. *Teapots for the brave* (5 spots left)"
        ),
    ),
    (
        r"\bprice|\bcost|\bdiscount|\bcheap|\bhow much",
        Reply("Mugs are **$28**, bowls **$34**, teapots **$92**. Orders of 24 or more get 12% off."),
    ),
    (
        r"\bthank|\bthanks|\bgreat|\bperfect|\bwell done",
        Reply("You're welcome! I'm here day and night. It's the kiln that needs sleep."),
    ),
    (
        r"^\W*(?:hi|hello|hey|good (?:morning|evening|day)|moin|hallo)\b|\bwho are you|\bhelp\b|what can you",
        Reply(
            "Hi! I'm the demo's *support agent*: a small program behind a signed webhook. Try asking:\n\n"
            "- `Where is order 20418?`\n- `A mug arrived broken. What now?`\n- `Is the glaze safe for kids?`\n"
            "- `Draft a reply to an angry customer`"
        ),
    ),
]
UNSURE = Reply(
    "I'm just a demo, and I only know about **shipping**, **refunds**, **glazes** and **prices**. "
    "Your own agent would call its language model here, with the last 20 messages from the webhook."
)
FALLBACK = Reply(
    "That's beyond me. Want me to draft a customer reply instead? Say *draft a reply* and I'll send it as a review "
    "right here in the chat."
)
