"""Chats with the Support agent: with a table, with a photo, and with a review in the chat."""

from typing import Final

from signoff.demo.seed.content.models import SeedChat, SeedMessage, SeedReview
from signoff.demo.seed.content.support_desk import REPLY, ticket
from signoff.demo.seed.content.users import EDDA, INES, JONAS, SUPPORT, TOMAS

AGENT: Final = "agent"

_WEEK: Final = """Here's this week:

| | messages | answered within an hour |
|---|---|---|
| shipping | 14 | 12 |
| breakage | 5 | 5 |
| the cat | 2 | **none** |

Two people asked if the cat is *for sale*. I haven't replied because I don't know what to say."""

_STEPS: Final = """It's the wax on the base, and it's harmless:

1. Wash it **hot**, twice.
2. Let it dry upside down.
3. If it still smells, send it back and we'll fire it again.

```
order 20391 · breakfast bowl, midnight · fired on the 3rd
```"""

CHATS: Final = (
    SeedChat(
        "How was this week?",
        SUPPORT.name,
        74,
        (
            SeedMessage(EDDA, "How was this week? Anything I should know before Monday?"),
            SeedMessage(AGENT, _WEEK),
            SeedMessage(EDDA, "She's not for sale. Tell them she's the *manager*."),
            SeedMessage(AGENT, "Done. One of them asked for the manager's office hours."),
            SeedMessage(JONAS, "Around noon, on the warm side of the kiln."),
        ),
    ),
    SeedChat(
        "The bowl that smells like the ocean",
        SUPPORT.name,
        27,
        (
            SeedMessage(INES, "A customer sent this. Is it the wax again?", attached="bowl"),
            SeedMessage(AGENT, _STEPS),
            SeedMessage(
                INES, 'Could you reply to her? Keep it friendly, and don\'t say "harmless." It worries people.'
            ),
            SeedMessage(
                AGENT,
                "Here's a draft:",
                review=SeedReview(
                    REPLY,
                    ticket(
                        "Your bowl and the ocean",
                        "It smells like low tide. Is that me or the bowl?",
                        "It's the bowl! We seal the base with wax. Wash it hot, twice, and the tide goes out.",
                    ),
                    by=INES,
                    edits={
                        "reply": "It's the bowl, not you! We seal the base with wax. Wash it hot, twice, and the tide "
                        "goes out for good."
                    },
                ),
            ),
            SeedMessage(INES, "Approved with a small edit. Thank you!"),
        ),
    ),
    SeedChat(
        "Forty mugs for the bakery",
        SUPPORT.name,
        2.6,
        (
            SeedMessage(TOMAS, "The bakery wants to know if we can make forty mugs in six weeks. Can we?"),
            SeedMessage(
                AGENT,
                "**Just barely**:\n\n- Clay: enough\n- Kiln: two open firings, in weeks 3 and 5\n"
                "- Ines: you'd have to ask Ines\n\nHere's how full the kiln is:",
                attached="chart",
            ),
            SeedMessage(TOMAS, "Ines says yes, as long as nobody talks to her in week 5. Please draft a reply."),
            SeedMessage(
                AGENT,
                "Sure. I'd like someone to check it before it goes out:",
                review=SeedReview(
                    REPLY,
                    ticket(
                        "Forty mugs with our name",
                        "Hi there, is that possible in six weeks?",
                        "It is! You'll get two samples next Friday. Pick one, and five weeks later you'll have forty.",
                    ),
                    ends=None,
                ),
            ),
        ),
        with_owner=True,
    ),
)
