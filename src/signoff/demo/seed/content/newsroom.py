"""Reviews of the Content agent: posts, newsletters, cover images and translations."""

from typing import Final

from signoff.demo.seed.content.models import OWNER, STUDIO, Data, SeedRetry, SeedReview, picture, time_after
from signoff.demo.seed.content.users import EDDA, INES, JONAS

POST: Final = "Social post"
NEWSLETTER: Final = "Newsletter"
COVER: Final = "Cover image"
TRANSLATION: Final = "Translation"
LAUNCH: Final = "Fall glaze launch"
MARKET: Final = "Winter market"


def post(headline: str, text: str, photo: str, channel: list[str], confidence: int = 4, days: int = 3) -> Data:
    return {
        "headline": headline,
        "text": text,
        "photo": picture(photo),
        "channel": channel,
        "when": time_after(days),
        "confidence": confidence,
    }


def letter(subject: str, paragraphs: list[str], why: str) -> Data:
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return {"email": {"to": "friends@pottery.example", "subject": subject, "body_html": body}, "context": why}


def cover(prompt: str, purpose: str, pictures: list[str], choice: str) -> Data:
    letters = "abcd"[: len(pictures)]
    return {
        "brief": {"prompt": prompt, "purpose": purpose},
        "pictures": [
            {"name": f"Version {letter_name.upper()}", "picture": picture(name)}
            for letter_name, name in zip(letters, pictures, strict=True)
        ],
        "choice": {
            "options": [{"id": letter, "label": f"Version {letter.upper()}"} for letter in letters],
            "default": choice,
        },
    }


def build_translation(title: str, languages: str, pairs: list[tuple[str, str]], quality: int, **terms: str) -> Data:
    return {
        "source": {"title": title, "text": " ".join(source for source, _ in pairs)},
        "languages": languages,
        "translation": {
            "text": " ".join(target for _, target in pairs),
            "segments": [{"source": source, "target": target} for source, target in pairs],
            "glossary": [{"term": term, "translated": translation} for term, translation in terms.items()],
        },
        "quality": quality,
    }


_POTTER: Final = post(
    "We're hiring a second potter",
    "Three days a week, your own shelf, and a cat who thinks she's the boss. Apply by the end of the month.",
    "workshop",
    ["linkedin"],
    5,
)
_DROPPED: Final = post(
    "The mug that survived four falls",
    "Ada told us about hers. It still holds tea. We asked the mug for its secret, but it wouldn't talk.",
    "mug-1",
    ["mastodon"],
)

POSTS: Final = (
    SeedReview(
        POST,
        post(
            "Our fall glazes are here",
            "Five new colors, fired twice.\n\n- **Rust** and *moss* are back\n- All dishwasher safe",
            "mug-0",
            ["linkedin", "blog"],
        ),
        run=LAUNCH,
        after=("Tea mug, rust",),
    ),
    SeedReview(
        POST,
        post(
            "Behind the scenes: opening the kiln",
            "We open the door at 6 a.m. Here's what we found on Tuesday, including one thing we didn't expect.",
            "workshop",
            ["blog"],
        ),
        edits={"headline": "6 a.m.: we open the kiln"},
    ),
    SeedReview(
        POST,
        post(
            "Free shipping until Sunday",
            "Free shipping on every order over $40. *Until Sunday at midnight.*",
            "mug-2",
            ["mastodon"],
            3,
        ),
        ends="rejected",
        by=EDDA,
        reason="We agreed on $50, US only. Please check the price list before you promise anything.",
    ),
    SeedReview(
        POST,
        _DROPPED,
        edits={"text": "Ada told us about hers. It still holds tea. We asked Ada for her secret."},
        by=INES,
    ),
    SeedReview(
        POST,
        _POTTER,
        again=SeedRetry(
            "Love it, but please add the pay. Nobody applies to a mystery.",
            {
                **_POTTER,
                "text": "Three days a week, $24 an hour, your own shelf, and a cat who thinks she's the boss. "
                "Apply by the end of the month.",
            },
            ("text",),
        ),
        by=EDDA,
    ),
    SeedReview(
        POST,
        post(
            "Five winters, one teapot",
            "The oldest piece of ours still in daily use. It has outlived three dishwashers.",
            "vase",
            ["blog", "linkedin"],
        ),
    ),
    SeedReview(
        POST,
        post(
            "Workshop dates for January",
            "Two evenings, six spots each. Just bring an apron. And clothes.",
            "workshop",
            ["mastodon", "blog"],
        ),
        edits={"text": "Two evenings, six spots each. Just bring an apron. We have the rest."},
    ),
    SeedReview(
        POST,
        post(
            "Seconds aren't second best",
            "A stray drop of glaze, a tilted rim: half the price, all of the tea. Saturday at 10.",
            "bowl",
            ["mastodon"],
        ),
        is_taken=True,
    ),
    SeedReview(
        POST,
        post(
            "What happens at 2,300 °F",
            "Mostly glass. A quick tour of the four hours that turn sand into blue.",
            "chart",
            ["blog"],
            5,
        ),
    ),
    SeedReview(
        POST,
        post(
            "Our mugs are unbreakable!",
            "Drop them, throw them, let the cat have them. **Guaranteed.**",
            "mug-3",
            ["linkedin", "mastodon", "blog"],
            2,
        ),
        ends="rejected",
        by=JONAS,
        reason="They're stoneware. We'd be replacing mugs until spring.",
    ),
    SeedReview(
        POST,
        post(
            "Meet Ines, our glazer",
            "11 years and about 40,000 pieces. Her favorites are still the ones that go wrong in a good way.",
            "workshop",
            ["linkedin"],
        ),
        handed_on_by=JONAS,
        assignees=(INES,),
        by=INES,
        note="It's about you, so you get the last word.",
    ),
    SeedReview(
        POST,
        post(
            "We'll be at the winter market",
            "Stall 14, next to the roasted almonds. Follow your nose, then follow the blue.",
            "mug-5",
            ["mastodon", "blog"],
        ),
        run=MARKET,
        after=("The stall, seen from the front",),
    ),
    SeedReview(
        POST,
        post(
            "Why our blue changed",
            "The mine closed, so we made 214 test tiles. Number 187 won.",
            "before-after",
            ["blog", "linkedin"],
            5,
        ),
        ends=None,
        assignees=(OWNER,),
        hours_ago=1.2,
    ),
)

NEWSLETTERS: Final = (
    SeedReview(
        NEWSLETTER,
        letter(
            "Five new colors, and the story behind one of them",
            [
                "Hi friends,",
                "Our fall glazes are out of the kiln. <strong>Rust</strong> was an accident we loved so much that we "
                "learned to do it on purpose.",
                "Warmly, Mill Street Pottery",
            ],
            "Announces the **fall glazes** to everyone who ordered this year.",
        ),
        run=LAUNCH,
        after=("Tea mug, rust",),
        edits={"email": {"subject": "Five new colors, one of them an accident"}},
    ),
    SeedReview(
        NEWSLETTER,
        letter(
            "Your mug misses you",
            ["Hi friends,", "It's been a while since your last order. Was it something we said?"],
            "For customers with no order in **six months**.",
        ),
        ends="rejected",
        by=EDDA,
        reason="Too needy. Our mugs last, so of course they haven't bought another one.",
    ),
    SeedReview(
        NEWSLETTER,
        letter(
            "Come get your hands dirty",
            ["Hi friends,", "Two evenings in January, six spots each.", "Your first cup will be crooked. Keep it."],
            "Invites past **workshop** guests.",
        ),
    ),
    SeedReview(
        NEWSLETTER,
        letter(
            "The shop is closed for a week",
            [
                "Hi friends,",
                "The kiln is getting new bricks, and we're getting a week at the beach.",
                "Orders ship on the 9th.",
            ],
            "For customers with an **open order**.",
        ),
        again=SeedRetry(
            "Please put the date first. It's the one thing they need to know.",
            letter(
                "Orders ship on the 9th: the shop is closed until then",
                ["Hi friends,", "Orders ship on the <strong>9th</strong>. Until then, the kiln is getting new bricks."],
                "For customers with an **open order**.",
            ),
            ("subject",),
        ),
    ),
    SeedReview(
        NEWSLETTER,
        letter(
            "Stall 14, hot almonds, cold hands",
            [
                "Hi friends,",
                "Find us at the winter market, every day from noon.",
                "Say <em>glaze</em> and get a free postcard. It's not a secret.",
            ],
            "For everyone within **30 miles** of the market.",
        ),
        run=MARKET,
        after=("The stall, seen from the front",),
    ),
    SeedReview(
        NEWSLETTER,
        letter(
            "A gift that fits in a mailbox",
            ["Hi friends,", "A teapot won't fit in a mailbox. A gift card will."],
            "Gift cards, **two weeks** before the holidays.",
        ),
        ends=None,
        assignees=(INES, STUDIO),
        is_taken=True,
        hours_ago=5,
    ),
)

COVERS: Final = (
    SeedReview(
        COVER,
        cover(
            "A mug in morning light, plain wall, no people, no spoon",
            "Cover of the fall newsletter",
            ["mug-0", "mug-3", "mug-4"],
            "a",
        ),
        run=LAUNCH,
        after=("Tea mug, rust",),
        edits={"choice": "b"},
    ),
    SeedReview(
        COVER,
        cover("The workshop, tidier than in real life", "Team page", ["workshop", "vase"], "a"),
        edits={"needs_work": True, "retouching": "Please leave the dust in. People come for the dust."},
    ),
    SeedReview(
        COVER,
        cover("Something blue for the blog", "Post about the new blue", ["mug-1", "mug-5", "bowl"], "c"),
        again=SeedRetry(
            "None of these are blue. I checked in three kinds of light.",
            cover("Something blue for the blog", "Post about the new blue", ["mug-1", "bowl", "before-after"], "c"),
        ),
    ),
    SeedReview(
        COVER,
        cover("The stall, seen from the front", "Winter market, poster and web", ["workshop", "mug-2"], "a"),
        run=MARKET,
    ),
    SeedReview(
        COVER,
        cover("A teapot that looks patient", "Story of the month", ["vase", "bowl", "mug-4"], "a"),
        ends=None,
        hours_ago=3.4,
    ),
)

_CARE: Final = [
    ("Our glazes are lead-free.", "Unsere Glasuren sind bleifrei."),
    ("They like the dishwasher.", "Sie mögen die Spülmaschine."),
]

TRANSLATIONS: Final = (
    SeedReview(
        TRANSLATION,
        build_translation("How to care for your mug", "English → German", _CARE, 5, glaze="Glasur"),
        run=LAUNCH,
        after=("Tea mug, rust",),
    ),
    SeedReview(
        TRANSLATION,
        build_translation(
            "Returns",
            "English → German",
            [("You have thirty days to change your mind.", "Sie haben dreißig Tage, Ihren Geist zu wechseln.")],
            3,
        ),
        edits={
            "translation": {
                "text": "Sie haben dreißig Tage Zeit, es sich anders zu überlegen.",
                "segments": [
                    {
                        "source": "You have thirty days to change your mind.",
                        "target": "Sie haben dreißig Tage Zeit, es sich anders zu überlegen.",
                    }
                ],
            },
            "problems": ["meaning"],
            "note": '"Geist wechseln" means swapping ghosts, not changing your mind.',
        },
        by=EDDA,
    ),
    SeedReview(
        TRANSLATION,
        build_translation(
            "Business hours",
            "English → French",
            [("We are open from ten to six.", "Nous sommes ouverts de dix à dix-huit heures.")],
            5,
        ),
        by="time-out",
    ),
    SeedReview(
        TRANSLATION,
        build_translation(
            "About us",
            "English → French",
            [
                ("Four people, one kiln, one cat.", "Quatre personnes, un four, un chat."),
                ("The cat does not throw pots.", "Le chat ne jette pas de pots."),
            ],
            4,
            kiln="four",
        ),
        edits={
            "translation": {
                "segments": [
                    {"source": "Four people, one kiln, one cat.", "target": "Quatre personnes, un four, un chat."},
                    {"source": "The cat does not throw pots.", "target": "Le chat ne tourne pas de pots."},
                ]
            },
            "problems": ["terms"],
        },
        by=INES,
    ),
    SeedReview(
        TRANSLATION,
        build_translation(
            "Gift wrapping",
            "English → German",
            [("We wrap it for you.", "Wir wickeln Sie ein.")],
            4,
        ),
        ends="rejected",
        by=EDDA,
        reason="This says we wrap the customer.",
    ),
    SeedReview(
        TRANSLATION,
        build_translation(
            "International shipping",
            "English → German",
            [("Packages take three to five days.", "Pakete sind drei bis fünf Tage unterwegs.")],
            5,
            package="Paket",
        ),
        by="time-out",
    ),
    SeedReview(
        TRANSLATION,
        build_translation(
            "The story of our blue",
            "English → French",
            [("The mine closed in the spring.", "Le mien a fermé au printemps.")],
            3,
        ),
        ends=None,
        again=SeedRetry(
            '"Le mien" means "mine" as in "not yours." Please check the whole text again.', None, ("translation",)
        ),
        hours_ago=7,
    ),
)

CASES: Final = (*POSTS, *NEWSLETTERS, *COVERS, *TRANSLATIONS)
