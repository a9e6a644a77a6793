"""Reviews of the Support agent: replies, refunds and guestbook posts. And custom orders, submitted with a form."""

from typing import Final

from signoff.demo.seed.content.models import OWNER, STUDIO, Data, SeedRetry, SeedReview
from signoff.demo.seed.content.users import EDDA, INES, JONAS, TOMAS

REPLY: Final = "Support reply"
REFUND: Final = "Goodwill refund"
GUESTBOOK: Final = "Guestbook post"
COMMISSION: Final = "Custom order"


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
        "notice": notice or "We removed your post.",
    }
    return {"content": {"text": text, "author": author}, "reports": reports, "assessment": assessment}


def wish(name: str, email: str, text: str, pieces: int, glaze: str) -> Data:
    return {"name": name, "email": email, "wish": text, "pieces": pieces, "glaze": glaze}


_PARCEL: Final = ticket(
    "Where is my package?",
    "Order 20418 was supposed to arrive Monday, and the tracking hasn't changed since.",
    "Your package is on its way and should arrive soon. Thanks for your patience!",
)

REPLIES: Final = (
    SeedReview(
        REPLY,
        ticket(
            "Handle broke after a week",
            "The handle came off my mug. I love it. Can I get a replacement?",
            "We're so sorry! A handle should last longer than a week. We've refunded you, and a new mug is on its way.",
            "refund",
            28,
        ),
        by=TOMAS,
    ),
    SeedReview(
        REPLY,
        _PARCEL,
        again=SeedRetry(
            "Don't ask them to be patient. Look up where it is and tell them.",
            {
                **_PARCEL,
                "reply": "Your package has been at the depot in Columbus since Monday. We've asked the carrier to move "
                "it and will email you by noon tomorrow either way.",
            },
            ("reply",),
        ),
        by=INES,
    ),
    SeedReview(
        REPLY,
        ticket(
            "Is the glaze safe for kids?",
            "We'd like to buy the small bowls for our preschool.",
            "All our glazes are lead-free and tested yearly. The bowls are safe. Your floor may not be.",
        ),
        edits={"reply": "All our glazes are lead-free and tested every year. Happy to send you the report."},
        by=TOMAS,
    ),
    SeedReview(
        REPLY,
        ticket(
            "Wrong color delivered",
            "I ordered moss and got rust. It's pretty, but not what I wanted.",
            "Sorry, our mistake! Keep the rust one. Your moss ships today.",
            "close",
        ),
    ),
    SeedReview(
        REPLY,
        ticket(
            "Invoice with our tax ID",
            "Could you resend the invoice with our tax ID, 12-3456789?",
            "Of course. I've passed this on to accounting, and you'll get a new invoice tomorrow.",
            "escalate",
        ),
        handed_on_by=TOMAS,
        assignees=(EDDA,),
        by=EDDA,
        note="I'm not allowed to edit invoices.",
    ),
    SeedReview(
        REPLY,
        ticket(
            "Can I visit the workshop?",
            "There are four of us in town next week, one of them very small.",
            "Please do! Thursday afternoon is best. The very small one can leave a thumbprint in something.",
        ),
        is_taken=True,
    ),
    SeedReview(
        REPLY,
        ticket(
            "It smells like the ocean",
            "My bowl smells like seaweed when it's warm. Is that on purpose?",
            "Not on purpose! It's the wax we use to seal the base. Two hot washes and it's gone.",
        ),
    ),
    SeedReview(
        REPLY,
        ticket(
            "Discount for a wedding?",
            "We need sixty cups in May. Do you offer a discount?",
            "Sixty cups! You get 40% off, plus a cup for the officiant.",
        ),
        ends="rejected",
        by=EDDA,
        reason="40% off is less than we pay for the clay. Use the wholesale list: 15% at most.",
    ),
    SeedReview(
        REPLY,
        ticket(
            "Microwave?",
            "Can the midnight blue bowl go in the microwave?",
            "It can. The rim gets hotter than the soup, so use a towel.",
        ),
        by=INES,
    ),
    SeedReview(
        REPLY,
        ticket(
            "A chip on the rim",
            "The mug came with a small chip. I don't mind much, but my grandmother would.",
            "We mind too. Keep it for pens. New ones are on the way for you and your grandmother.",
            "refund",
            14,
        ),
        edits={"amount": 0},
        reason="Send one replacement. Two is too generous.",
        by=JONAS,
    ),
    SeedReview(
        REPLY,
        ticket(
            "Do you do repairs?",
            "My aunt broke a bowl, not one of yours. Can you glue it?",
            "We only repair our own pieces, but Lina on Canal Street can fix it, with gold if you like.",
        ),
    ),
    SeedReview(
        REPLY,
        ticket(
            "Unsubscribe",
            "Please stop emailing me. The mugs are great.",
            "Done, and thank you for the great mugs. You won't hear from us again unless you email us first.",
        ),
        edits={"reply": "Done. You won't hear from us again unless you email us first. Enjoy the mugs!"},
        by=TOMAS,
    ),
    SeedReview(
        REPLY,
        ticket(
            "Lid doesn't fit",
            "The lid on my teapot rattles like a train.",
            "It shouldn't! Send us a photo from above and we'll throw one that fits.",
        ),
        ends=None,
        hours_ago=0.6,
    ),
    SeedReview(
        REPLY,
        ticket(
            "Forty mugs for a bakery",
            "We open in six weeks and would like forty mugs with our name on them. Is that possible?",
            "Six weeks is just enough time. We'd like to show you two samples next Friday. Does 10 a.m. work?",
            "escalate",
        ),
        ends=None,
        assignees=(STUDIO,),
        hours_ago=2.1,
    ),
    SeedReview(
        REPLY,
        ticket(
            "Refund hasn't arrived",
            "You promised me a refund ten days ago. I'm getting grumpy.",
            "You have every right to be. We sent the $36 again today by instant transfer. Sorry for the wait.",
            "refund",
            36,
        ),
        ends=None,
        assignees=(OWNER,),
        hours_ago=4.2,
    ),
)

REFUNDS: Final = (
    SeedReview(
        REFUND,
        refund("Ada Lindgren", "Two of six cups arrived in eleven pieces.", 32, "So sorry! Tea is on us."),
        by=TOMAS,
    ),
    SeedReview(
        REFUND,
        refund(
            "Sunrise Café", "The glaze on a whole crate came out a shade too dark.", 120, "We should have caught that."
        ),
        edits={"amount": 80},
        reason="They're keeping the crate, so let's refund two-thirds.",
        by=EDDA,
    ),
    SeedReview(
        REFUND,
        refund("Piotr Nowak", "Says his mug leaks. The photo shows a flower pot.", 24, "Please accept our apologies."),
        ends="rejected",
        by=INES,
        reason="It has a hole because it's a flower pot. I emailed him, and he laughed too.",
    ),
    SeedReview(
        REFUND,
        refund("Sara Kim", "The package came two days after the birthday.", 15, "And happy belated birthday!"),
        by=JONAS,
    ),
    SeedReview(
        REFUND,
        refund("Old Mill Inn", "Wants a refund for cups they bought four years ago.", 90, "Thanks for your loyalty."),
        ends="rejected",
        by="time-out",
    ),
    SeedReview(
        REFUND,
        refund("Noor Haddad", "Ordered twice by mistake, noticed right away.", 42, "No harm done!"),
        is_taken=True,
    ),
    SeedReview(
        REFUND,
        refund(
            "Greta Holm", "A saucer arrived without its cup. The cup arrived without its saucer.", 18, "Together again."
        ),
        ends=None,
        hours_ago=30,
        assignees=(INES,),
    ),
    SeedReview(
        REFUND,
        refund("Bakery on Mill Street", "A crate of 40 mugs was packed without straw.", 150, "Breakfast is on us."),
        ends=None,
        hours_ago=2.8,
    ),
)

ENTRIES: Final = (
    SeedReview(GUESTBOOK, entry("I haven't used another cup since March. The others are jealous.", "ada-l", 3)),
    SeedReview(
        GUESTBOOK,
        entry(
            "CHEAP MUGS here cheap cheap cheap",
            "mugs4less",
            88,
            "remove",
            "spam",
            "We removed your post because it advertises other products.",
        ),
        by=TOMAS,
    ),
    SeedReview(
        GUESTBOOK,
        entry(
            "Your cat bit me.",
            "anonymous",
            41,
            "remove",
            "harassment",
            "We removed your post because it harasses our staff.",
        ),
        edits={"assessment": {"action": "keep"}},
        reason="She did. Keep the post.",
        by=INES,
    ),
    SeedReview(GUESTBOOK, entry("Is it normal to talk to my teapot?", "five-o-clock", 2), by=JONAS),
    SeedReview(
        GUESTBOOK,
        entry(
            "10,000 followers for $9.99!",
            "fast-growth-77",
            95,
            "ban",
            "spam",
            "Selling followers is against our guidelines.",
        ),
        edits={"ban_days": 30},
        by=TOMAS,
    ),
    SeedReview(GUESTBOOK, entry("Best night of my year, and my bowl came out a plate.", "hannes", 1)),
    SeedReview(
        GUESTBOOK,
        entry("Overpriced mud.", "critic", 35, "limit", "harassment", "We show posts like this less often."),
        ends="rejected",
        by=EDDA,
        reason="Rude isn't against the rules, and we're putting \"overpriced mud\" on a tote bag.",
    ),
    SeedReview(GUESTBOOK, entry("Do you ship to Iceland? Asking for the sheep.", "vik", 2), ends=None, hours_ago=1.7),
)

WISHES: Final = (
    SeedReview(
        COMMISSION,
        wish("Lena Fox", "lena.fox@example.net", "Twelve plates, none of them round.", 12, "moss"),
        "submitted",
    ),
    SeedReview(
        COMMISSION, wish("Otto Berg", "otto@example.net", "An urn for a very large goldfish.", 1, "night"), "submitted"
    ),
    SeedReview(
        COMMISSION,
        wish("Crumb Bakery", "hello@crumb.example", "Forty mugs with our name, please.", 40, "rust"),
        "submitted",
    ),
    SeedReview(
        COMMISSION,
        wish("Mia Sol", "mia@example.net", "A teapot that doesn't drip. Is that a thing?", 1, "surprise"),
        "submitted",
    ),
    SeedReview(
        COMMISSION, wish("Sam O.", "sam.o@example.net", "Six egg cups that look worried.", 6, "surprise"), "submitted"
    ),
)

CASES: Final = (*REPLIES, *REFUNDS, *ENTRIES, *WISHES)
