"""What the Newsroom asked: posts, newsletters, cover pictures, translations."""

from typing import Final

from signoff.demo.content.people import EDDA, INES, JONAS
from signoff.demo.content.telling import OWNER, STUDIO, Again, Case, Data, moment, picture

POST: Final = "Social post"
NEWSLETTER: Final = "Newsletter"
COVER: Final = "Cover picture"
TRANSLATION: Final = "Translation"
LAUNCH: Final = "Launch of the autumn glazes"
MARKET: Final = "Winter market"


def post(headline: str, text: str, photo: str, channel: list[str], confidence: int = 4, days: int = 3) -> Data:
    return {
        "headline": headline,
        "text": text,
        "photo": picture(photo),
        "channel": channel,
        "when": moment(days),
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
            {"name": f"Version {letter.upper()}", "picture": picture(name)}
            for letter, name in zip(letters, pictures, strict=True)
        ],
        "choice": {
            "options": [{"id": letter, "label": f"Version {letter.upper()}"} for letter in letters],
            "default": choice,
        },
    }


def translated(title: str, languages: str, pairs: list[tuple[str, str]], quality: int, **terms: str) -> Data:
    return {
        "source": {"title": title, "text": " ".join(source for source, _ in pairs)},
        "languages": languages,
        "translation": {
            "text": " ".join(target for _, target in pairs),
            "segments": [{"source": source, "target": target} for source, target in pairs],
            "glossary": [{"term": term, "translated": word} for term, word in terms.items()],
        },
        "quality": quality,
    }


_POTTER: Final = post(
    "We are looking for a second potter",
    "Three days a week, your own shelf, and a cat who thinks she is in charge. Apply by the end of the month.",
    "workshop",
    ["linkedin"],
    5,
)
_DROPPED: Final = post(
    "A mug that was dropped four times",
    "Ada wrote to us about hers. It still holds tea, and we asked it why. It did not say.",
    "mug-1",
    ["mastodon"],
)

POSTS: Final = (
    Case(
        POST,
        post(
            "Our autumn glazes are here",
            "Five new colours, fired twice.\n\n- **Rust** and *moss*\n- all dishwasher safe",
            "mug-0",
            ["linkedin", "blog"],
        ),
        run=LAUNCH,
        after=("Tea mug, rust",),
    ),
    Case(
        POST,
        post(
            "Behind the scenes: opening the kiln",
            "At six in the morning the door opens. This is what we found on Tuesday, and one thing we did not expect.",
            "workshop",
            ["blog"],
        ),
        edits={"headline": "Six in the morning: we open the kiln"},
    ),
    Case(
        POST,
        post(
            "Free shipping until Sunday",
            "Every order above 40 € travels for free. *Until Sunday, midnight.*",
            "mug-2",
            ["mastodon"],
            3,
        ),
        ends="rejected",
        by=EDDA,
        reason="We decided on 50 €, and only within the country. Please read the price list before you promise things.",
    ),
    Case(POST, _DROPPED, edits={"text": "Ada wrote to us about hers. It still holds tea. We asked her how."}, by=INES),
    Case(
        POST,
        _POTTER,
        again=Again(
            "Lovely, but please say what we pay. Nobody applies to a mystery.",
            {
                **_POTTER,
                "text": "Three days a week, 19 € an hour, your own shelf, and a cat who thinks she is in charge. "
                "Apply by the end of the month.",
            },
            ("text",),
        ),
        by=EDDA,
    ),
    Case(
        POST,
        post(
            "Five winters, one teapot",
            "The story of the oldest piece we know of that is still in daily use. It has met three dishwashers.",
            "vase",
            ["blog", "linkedin"],
        ),
    ),
    Case(
        POST,
        post(
            "Workshop dates for January",
            "Two evenings, six seats each. Bring an apron and nothing else. Well, clothes.",
            "workshop",
            ["mastodon", "blog"],
        ),
        edits={"text": "Two evenings, six seats each. Bring an apron, we have the rest."},
    ),
    Case(
        POST,
        post(
            "Seconds are not second best",
            "A drop of glaze in the wrong place, a rim that leans: half the price, all of the tea. Saturday, from ten.",
            "bowl",
            ["mastodon"],
        ),
        taken=True,
    ),
    Case(
        POST,
        post(
            "What happens at 1260 degrees",
            "Glass, mostly. A short tour of the four hours in which sand becomes blue.",
            "chart",
            ["blog"],
            5,
        ),
    ),
    Case(
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
        reason="They are stoneware. We would be replacing mugs until spring.",
    ),
    Case(
        POST,
        post(
            "Meet Ines, who glazes",
            "Eleven years, some forty thousand pieces, and still a favourite: the ones that go wrong in a good way.",
            "workshop",
            ["linkedin"],
        ),
        handed_on_by=JONAS,
        asked=(INES,),
        by=INES,
        note="It is about you, so you should have the last word.",
    ),
    Case(
        POST,
        post(
            "We will be at the winter market",
            "Stall 14, next to the roasted almonds. Follow your nose, then follow the blue.",
            "mug-5",
            ["mastodon", "blog"],
        ),
        run=MARKET,
        after=("The stall, seen from the front",),
    ),
    Case(
        POST,
        post(
            "Why our blue changed",
            "The mine closed, so we mixed 214 test tiles. Number 187 it is.",
            "before-after",
            ["blog", "linkedin"],
            5,
        ),
        ends=None,
        asked=(OWNER,),
        hours_ago=1.2,
    ),
)

NEWSLETTERS: Final = (
    Case(
        NEWSLETTER,
        letter(
            "Five new colours, and a story about one of them",
            [
                "Dear friends,",
                "the autumn glazes are out of the kiln. <strong>Rust</strong> was an accident that we liked so much "
                "that we learned to repeat it.",
                "Warm regards from Mill Street",
            ],
            "The launch of the **autumn glazes**, for everybody who bought something this year.",
        ),
        run=LAUNCH,
        after=("Tea mug, rust",),
        edits={"email": {"subject": "Five new colours, one of them an accident"}},
    ),
    Case(
        NEWSLETTER,
        letter(
            "Your mug misses you",
            ["Dear friends,", "you have not bought anything for a while. Is it something we said?"],
            "People who bought nothing for **six months**.",
        ),
        ends="rejected",
        by=EDDA,
        reason="A little needy. We make mugs that last; of course they have not bought another one.",
    ),
    Case(
        NEWSLETTER,
        letter(
            "Come and get your hands dirty",
            ["Dear friends,", "two evenings in January, six seats each.", "The first cup is always crooked. Keep it."],
            "The **workshops**, for everybody who came to one before.",
        ),
    ),
    Case(
        NEWSLETTER,
        letter(
            "The shop is closed for a week",
            ["Dear friends,", "the kiln gets new bricks, and we get a week by the sea.", "Orders leave on the 9th."],
            "Everybody with an **open order**.",
        ),
        again=Again(
            "Please put the date first. It is the one thing they need to know.",
            letter(
                "Orders leave on the 9th: the shop is closed until then",
                ["Dear friends,", "orders leave on the <strong>9th</strong>. Until then the kiln gets new bricks."],
                "Everybody with an **open order**.",
            ),
            ("subject",),
        ),
    ),
    Case(
        NEWSLETTER,
        letter(
            "Stall 14, hot almonds, cold hands",
            [
                "Dear friends,",
                "find us at the winter market, every day from noon.",
                "Say the word <em>glaze</em> and get a postcard. It is not a secret.",
            ],
            "Everybody within **50 km** of the market.",
        ),
        run=MARKET,
        after=("The stall, seen from the front",),
    ),
    Case(
        NEWSLETTER,
        letter(
            "A present that fits through a letter box",
            ["Dear friends,", "we cannot send a teapot through a letter box. A voucher fits."],
            "Vouchers, **two weeks** before the holidays.",
        ),
        ends=None,
        asked=(INES, STUDIO),
        taken=True,
        hours_ago=5,
    ),
)

COVERS: Final = (
    Case(
        COVER,
        cover(
            "A mug in morning light, plain wall, no people, no spoon",
            "Cover of the autumn newsletter",
            ["mug-0", "mug-3", "mug-4"],
            "a",
        ),
        run=LAUNCH,
        after=("Tea mug, rust",),
        edits={"choice": "b"},
    ),
    Case(
        COVER,
        cover("The workshop, tidier than it is", "Page about the team", ["workshop", "vase"], "a"),
        edits={"needs_work": True, "retouching": "Please leave the dust in. People come for the dust."},
    ),
    Case(
        COVER,
        cover("Something blue for the blog", "Post about the new blue", ["mug-1", "mug-5", "bowl"], "c"),
        again=Again(
            "None of these is blue. I have looked at them in three kinds of light.",
            cover("Something blue for the blog", "Post about the new blue", ["mug-1", "bowl", "before-after"], "c"),
        ),
    ),
    Case(
        COVER,
        cover("The stall, seen from the front", "Winter market, poster and web", ["workshop", "mug-2"], "a"),
        run=MARKET,
    ),
    Case(
        COVER,
        cover("A teapot that looks patient", "Story of the month", ["vase", "bowl", "mug-4"], "a"),
        ends=None,
        hours_ago=3.4,
    ),
)

_CARE: Final = [
    ("Our glazes are free of lead.", "Unsere Glasuren sind bleifrei."),
    ("They like the dishwasher.", "Sie mögen die Spülmaschine."),
]

TRANSLATIONS: Final = (
    Case(
        TRANSLATION,
        translated("How to care for your mug", "English → German", _CARE, 5, glaze="Glasur"),
        run=LAUNCH,
        after=("Tea mug, rust",),
    ),
    Case(
        TRANSLATION,
        translated(
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
            "note": "One changes one's mind, not one's ghost.",
        },
        by=EDDA,
    ),
    Case(
        TRANSLATION,
        translated(
            "Opening hours",
            "English → French",
            [("We are open from ten to six.", "Nous sommes ouverts de dix à dix-huit heures.")],
            5,
        ),
        by="time-out",
    ),
    Case(
        TRANSLATION,
        translated(
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
    Case(
        TRANSLATION,
        translated(
            "Gift wrapping",
            "English → German",
            [("We wrap it for you.", "Wir wickeln Sie ein.")],
            4,
        ),
        ends="rejected",
        by=EDDA,
        reason="This says that we wrap the customers.",
    ),
    Case(
        TRANSLATION,
        translated(
            "Shipping abroad",
            "English → German",
            [("Parcels travel three to five days.", "Pakete reisen drei bis fünf Tage.")],
            5,
            parcel="Paket",
        ),
        by="time-out",
    ),
    Case(
        TRANSLATION,
        translated(
            "The story of our blue",
            "English → French",
            [("The mine closed in spring.", "Le mien a fermé au printemps.")],
            3,
        ),
        ends=None,
        again=Again(
            "“Le mien” is “mine” as in “not yours”. Please look at the whole text once more.", None, ("translation",)
        ),
        hours_ago=7,
    ),
)

CASES: Final = (*POSTS, *NEWSLETTERS, *COVERS, *TRANSLATIONS)
