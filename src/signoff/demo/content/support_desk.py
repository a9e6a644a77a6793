"""What the Support desk asked: replies, refunds, entries in the guestbook; and what people wished for by a form."""

from typing import Final

from signoff.demo.content.people import EDDA, INES, JONAS, TOMAS
from signoff.demo.content.telling import OWNER, STUDIO, Again, Case, Data

REPLY: Final = "Support reply"
REFUND: Final = "Goodwill refund"
GUESTBOOK: Final = "Guestbook entry"
COMMISSION: Final = "Commission request"


def ticket(subject: str, question: str, reply: str, action: str = "close", amount: float | None = None) -> Data:
    sum_ = {} if amount is None else {"amount": amount}
    return {"subject": subject, "question": question, "reply": reply, "action": action, **sum_}


def refund(customer: str, story: str, amount: float, words: str) -> Data:
    return {"customer": customer, "story": story, "amount": amount, "words": words}


def entry(text: str, author: str, severity: int, action: str = "keep", rule: str = "spam", notice: str = "") -> Data:
    reports = ["Spam"] if action != "keep" else ["Off topic"]
    assessment = {
        "severity": severity,
        "action": action,
        "violations": [rule],
        "notice": notice or "Your entry was removed.",
    }
    return {"content": {"text": text, "author": author}, "reports": reports, "assessment": assessment}


def wish(name: str, email: str, text: str, pieces: int, glaze: str) -> Data:
    return {"name": name, "email": email, "wish": text, "pieces": pieces, "glaze": glaze}


_PARCEL: Final = ticket(
    "Where is my parcel?",
    "Order 20418 should have come on Monday. The tracking has not moved since.",
    "Your parcel is on its way and will surely arrive soon. Please be patient.",
)

REPLIES: Final = (
    Case(
        REPLY,
        ticket(
            "Handle broke after a week",
            "The handle of my mug came off. I love it, can it be replaced?",
            "We are sorry! Handles should hold longer than a week. We refund you today, and send a new mug along.",
            "refund",
            28,
        ),
        by=TOMAS,
    ),
    Case(
        REPLY,
        _PARCEL,
        again=Again(
            "Never tell anybody to be patient. Look up where it is and say so.",
            {
                **_PARCEL,
                "reply": "Your parcel has been in the depot in Leipzig since Monday. We have asked them to send it on, "
                "and will write again tomorrow at noon, whatever they say.",
            },
            ("reply",),
        ),
        by=INES,
    ),
    Case(
        REPLY,
        ticket(
            "Is the glaze safe for children?",
            "We would like to buy the small bowls for our nursery.",
            "All our glazes are free of lead and tested every year. The bowls are yours; the floor is not our fault.",
        ),
        edits={"reply": "All our glazes are free of lead and tested every year. We are glad to send you the report."},
        by=TOMAS,
    ),
    Case(
        REPLY,
        ticket(
            "Wrong colour delivered",
            "I ordered moss and got rust. It is pretty, but not what I wanted.",
            "Sorry, that was us. Keep the rust one; moss leaves today.",
            "close",
        ),
    ),
    Case(
        REPLY,
        ticket(
            "Invoice with our VAT number",
            "Please send the invoice again with our number, ATU 1234 5678.",
            "Of course. We have handed this to our bookkeeping, and the new invoice comes tomorrow.",
            "escalate",
        ),
        handed_on_by=TOMAS,
        asked=(EDDA,),
        by=EDDA,
        note="I may not touch invoices.",
    ),
    Case(
        REPLY,
        ticket(
            "Can I visit the workshop?",
            "We are in town next week, four people, one of them very small.",
            "Please do! Thursday afternoon is best. The very small one may press a thumb into something.",
        ),
        taken=True,
    ),
    Case(
        REPLY,
        ticket(
            "It smells of the sea",
            "My bowl smells of seaweed when it is warm. Is that on purpose?",
            "It is not on purpose. It is the wax we seal the foot with; two hot washes, and it is gone.",
        ),
    ),
    Case(
        REPLY,
        ticket(
            "Discount for a wedding?",
            "We need sixty cups in May. Is there a discount?",
            "Sixty cups! We give you 40 percent off, and a cup for the officiant.",
        ),
        ends="rejected",
        by=EDDA,
        reason="Forty percent is below what the clay costs us. This goes to the wholesale list, 15 percent at most.",
    ),
    Case(
        REPLY,
        ticket(
            "Microwave?",
            "Can the night blue bowl go into the microwave?",
            "It can. The rim gets warmer than the soup, so please use a cloth.",
        ),
        by=INES,
    ),
    Case(
        REPLY,
        ticket(
            "A chip on the rim",
            "The mug came with a small chip. I do not mind much, but my grandmother would.",
            "We mind too. Please keep it for pens; a new one is on its way, for you and for your grandmother.",
            "refund",
            14,
        ),
        edits={"amount": 0},
        reason="She gets a new one; both would be too much.",
        by=JONAS,
    ),
    Case(
        REPLY,
        ticket(
            "Do you repair?",
            "Something of my aunt's broke, not yours. Can you glue it?",
            "We do not repair what others made, but Lina on Canal Street does, with gold if you like.",
        ),
    ),
    Case(
        REPLY,
        ticket(
            "Unsubscribe",
            "Please stop writing to me. The mugs are fine.",
            "Done, and thank you for the fine mugs. You will not hear from us again unless you write first.",
        ),
        edits={"reply": "Done. You will not hear from us again unless you write first. Enjoy the mugs!"},
        by=TOMAS,
    ),
    Case(
        REPLY,
        ticket(
            "Lid does not fit",
            "The lid of my teapot rattles like a tram.",
            "A lid should sit quietly. Please send us a photo from above, and we throw you one that fits.",
        ),
        ends=None,
        hours_ago=0.6,
    ),
    Case(
        REPLY,
        ticket(
            "Forty mugs for a bakery",
            "We open in six weeks and would like forty mugs with our name. Is that possible?",
            "Six weeks is just enough. We would like to show you two samples next Friday; shall we say ten o'clock?",
            "escalate",
        ),
        ends=None,
        asked=(STUDIO,),
        hours_ago=2.1,
    ),
    Case(
        REPLY,
        ticket(
            "Refund has not arrived",
            "You promised my money back ten days ago. I am getting grumpy.",
            "You have every reason to. We have sent 36 € once more today, by express, and are sorry for the wait.",
            "refund",
            36,
        ),
        ends=None,
        asked=(OWNER,),
        hours_ago=4.2,
    ),
)

REFUNDS: Final = (
    Case(
        REFUND,
        refund("Ada Lindgren", "Two cups of six arrived in eleven pieces.", 32, "Sorry! Tea is on us."),
        by=TOMAS,
    ),
    Case(
        REFUND,
        refund("Café Sonne", "The glaze of a whole crate came out a shade too dark.", 120, "We should have seen it."),
        edits={"amount": 80},
        reason="They keep the crate, so two thirds it is.",
        by=EDDA,
    ),
    Case(
        REFUND,
        refund("Piotr Nowak", "Says the mug leaks. The photo shows a flower pot.", 24, "Please accept our apologies."),
        ends="rejected",
        by=INES,
        reason="It has a hole in the bottom because it is a flower pot. I have written to him, and he laughed too.",
    ),
    Case(
        REFUND,
        refund("Sara Kim", "The parcel came two days after the birthday.", 15, "And a happy birthday, late."),
        by=JONAS,
    ),
    Case(
        REFUND,
        refund("Old Mill Inn", "Wants money back for cups they bought four years ago.", 90, "With our thanks."),
        ends="rejected",
        by="time-out",
    ),
    Case(REFUND, refund("Noor Haddad", "Ordered twice by mistake, noticed at once.", 42, "No harm done!"), taken=True),
    Case(
        REFUND,
        refund(
            "Greta Holm", "A saucer arrived without its cup. The cup arrived without its saucer.", 18, "Together again."
        ),
        ends=None,
        hours_ago=30,
        asked=(INES,),
    ),
    Case(
        REFUND,
        refund("Bakery on Mill Street", "One crate of forty was packed without straw.", 150, "Breakfast is on us."),
        ends=None,
        hours_ago=2.8,
    ),
)

ENTRIES: Final = (
    Case(GUESTBOOK, entry("I have drunk from nothing else since March. My other cups are jealous.", "ada-l", 3)),
    Case(
        GUESTBOOK,
        entry(
            "CHEAP MUGS here cheap cheap cheap",
            "mugs4less",
            88,
            "remove",
            "spam",
            "Your entry advertises something else.",
        ),
        by=TOMAS,
    ),
    Case(
        GUESTBOOK,
        entry(
            "Your cat bit me.",
            "anonymous",
            41,
            "remove",
            "harassment",
            "Your entry was removed as it harasses our staff.",
        ),
        edits={"assessment": {"action": "keep"}},
        reason="It did. It stays.",
        by=INES,
    ),
    Case(GUESTBOOK, entry("Is it normal that I talk to my teapot?", "five-o-clock", 2), by=JONAS),
    Case(
        GUESTBOOK,
        entry(
            "Followers! Ten thousand for 9.99",
            "fast-growth-77",
            95,
            "ban",
            "spam",
            "Offers like this are not welcome here.",
        ),
        edits={"ban_days": 30},
        by=TOMAS,
    ),
    Case(GUESTBOOK, entry("The workshop was the best evening of my year, and my bowl is a plate.", "hannes", 1)),
    Case(
        GUESTBOOK,
        entry("Overpriced mud.", "critic", 35, "limit", "harassment", "We show entries like this less often."),
        ends="rejected",
        by=EDDA,
        reason="Rude is not against the rules, and “overpriced mud” is what we are going to print on a bag.",
    ),
    Case(GUESTBOOK, entry("Do you ship to Iceland? The sheep ask.", "vik", 2), ends=None, hours_ago=1.7),
)

WISHES: Final = (
    Case(
        COMMISSION,
        wish("Lena Fox", "lena.fox@example.net", "Twelve plates, none of them round.", 12, "moss"),
        "submitted",
    ),
    Case(
        COMMISSION, wish("Otto Berg", "otto@example.net", "An urn for a very large goldfish.", 1, "night"), "submitted"
    ),
    Case(
        COMMISSION,
        wish("Bakery Krume", "hello@krume.example", "Forty mugs with our name, please.", 40, "rust"),
        "submitted",
    ),
    Case(
        COMMISSION,
        wish("Mia Sol", "mia@example.net", "A teapot that does not drip. Is that a thing?", 1, "surprise"),
        "submitted",
    ),
    Case(
        COMMISSION, wish("Sam O.", "sam.o@example.net", "Six egg cups that look worried.", 6, "surprise"), "submitted"
    ),
)

CASES: Final = (*REPLIES, *REFUNDS, *ENTRIES, *WISHES)
