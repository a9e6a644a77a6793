"""Answers to what people write, by keywords. In real life the conversation would go to a language model."""

import re
from dataclasses import dataclass
from typing import Any

ORDER = re.compile(r"\b\d{4,8}\b")


@dataclass(frozen=True)
class Reply:
    text: str
    """Markdown."""
    draft: dict[str, Any] | None = None
    """Something to send to a customer, which a person is to look at before."""


def reply_to(text: str, *, asked_before: bool) -> Reply:
    order = found[0] if (found := ORDER.search(text)) else "20418"
    for keywords, reply in ANSWERS:
        if re.search(keywords, text, re.IGNORECASE):
            return _about(order, reply)
    return _about(order, AGAIN if asked_before else UNSURE)


def _about(order: str, reply: Reply) -> Reply:
    draft = None if reply.draft is None else {name: _filled(value, order) for name, value in reply.draft.items()}
    return Reply(_filled(reply.text, order), draft)


def _filled(value: Any, order: str) -> Any:
    return value.replace("{order}", order) if isinstance(value, str) else value


ANSWERS: list[tuple[str, Reply]] = [
    (
        r"\bbroke|\bbroken|\brefund|\bcrack|\bmoney back|\bpieces\b",
        Reply(
            "Oh no. That is covered: what breaks **within 30 days** is replaced or refunded, as the customer likes.\n\n"
            "I have drafted a reply with a refund. I never send money without one of you looking at it, so:",
            {
                "subject": "Something broke, order {order}",
                "reply": "Thank you for telling us, and sorry about the pieces! We have refunded order {order} today.",
                "action": "refund",
                "amount": 28,
            },
        ),
    ),
    (
        r"\bparcel|\bdeliver|\bshipp|\btrack|\bwhere is|\barriv|\border",
        Reply(
            "Order **{order}** left us on Monday:\n\n"
            "| when | where |\n|---|---|\n| Monday | packed, in straw |\n| Tuesday | on the van |\n"
            "| today | *out for delivery* |\n\n"
            "Should I tell the customer? I have a reply ready.",
            {
                "subject": "Where is order {order}?",
                "reply": "Good news: order {order} is on the van and should reach you today, packed in straw.",
                "action": "close",
            },
        ),
    ),
    (
        r"\bdraft|\breply|\bwrite (?:to|back)|\bcustomer|\bapolog|\bcomplain",
        Reply(
            "Gladly. Here is what I would write; change what you like, and approve it when it is right.",
            {
                "subject": "Your message to us",
                "reply": "Thank you for writing to us. We have looked into it and will make it right by tomorrow.",
                "action": "close",
            },
        ),
    ),
    (
        r"\bglaze|\bsafe|\bdishwash|\bmicrowave|\blead\b",
        Reply(
            "Short answer: yes.\n\n- **food safe**: all glazes, tested every year\n"
            "- **dishwasher**: yes, except gold rims\n- **microwave**: yes, but the handle gets *hot*\n\n"
            "The test reports are in the folder `glazes/2026`."
        ),
    ),
    (
        r"\bvisit|\bworkshop|\bopen(?:ing)?\b|\bhours|\bcourse|\bclass",
        Reply(
            "The workshop is open **Tuesday to Saturday, 10 to 6**. Evening courses are on Thursdays:\n\n"
            "1. wheel for beginners (2 seats left)\n2. glazing (full)\n3. *teapots, for the brave* (5 seats left)"
        ),
    ),
    (
        r"\bprice|\bcost|\bdiscount|\bcheap|\bhow much",
        Reply("A mug is **28 €**, a bowl **34 €**, a teapot **92 €**. From 24 pieces on there is 12 % off."),
    ),
    (
        r"\bthank|\bthanks|\bgreat|\bperfect|\bwell done",
        Reply("You are welcome! I am here day and night; it is the kiln that needs sleep."),
    ),
    (
        r"^\W*(?:hi|hello|hey|good (?:morning|evening|day)|moin|hallo)\b|\bwho are you|\bhelp\b|what can you",
        Reply(
            "Hello! I am the *support desk* of the demo: a small program behind a signed webhook. Try me with\n\n"
            "- `Where is order 20418?`\n- `A mug arrived broken, what now?`\n- `Is the glaze safe for children?`\n"
            "- `Draft a reply to an angry customer`"
        ),
    ),
]
UNSURE = Reply(
    "I am only a demo, and know a few things by heart: **parcels**, **refunds**, **glazes** and **prices**. "
    "Your own agent would ask its language model here, with the last 20 messages that came along in the webhook."
)
AGAIN = Reply(
    "That one is beyond me. Shall I draft a reply for a customer instead? Say *draft a reply*, and you get it as a "
    "review, right here in the chat."
)
