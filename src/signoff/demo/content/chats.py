"""Conversations with the Support desk: with a table, with a photo, and with a review between the lines."""

from typing import Final

from signoff.demo.content.people import EDDA, INES, JONAS, SUPPORT, TOMAS
from signoff.demo.content.support_desk import REPLY, ticket
from signoff.demo.content.telling import Case, Chat, Said

AGENT: Final = "agent"

_WEEK: Final = """This was the week:

| | messages | answered within an hour |
|---|---|---|
| parcels | 14 | 12 |
| broken things | 5 | 5 |
| the cat | 2 | **none** |

Two people asked whether the cat is *for sale*. I have not answered, as I do not know what to say."""

_STEPS: Final = """It is the wax on the foot, and harmless:

1. wash it **hot**, twice;
2. let it dry upside down;
3. if it still smells, send it back, and we fire it again.

```
order 20391 · breakfast bowl, night · kiln of the 3rd
```"""

CHATS: Final = (
    Chat(
        "How was the week?",
        SUPPORT.name,
        74,
        (
            Said(EDDA, "How was the week? Anything I should know before Monday?"),
            Said(AGENT, _WEEK),
            Said(EDDA, "She is not for sale. Please tell them that she is the *manager*."),
            Said(AGENT, "Done. One of them asked for the manager's opening hours."),
            Said(JONAS, "Mostly around noon, on the warm side of the kiln."),
        ),
    ),
    Chat(
        "The bowl that smells of the sea",
        SUPPORT.name,
        27,
        (
            Said(INES, "A customer sent this. Is that the wax again?", attached="bowl"),
            Said(AGENT, _STEPS),
            Said(INES, "Could you write to her? Friendly, and without the word “harmless”. It worries people."),
            Said(
                AGENT,
                "Here is a draft, please have a look:",
                review=Case(
                    REPLY,
                    ticket(
                        "Your bowl and the sea",
                        "It smells like low tide. Is that me or the bowl?",
                        "It is the bowl! We seal its foot with wax. Wash it hot, twice, and the tide goes out.",
                    ),
                    by=INES,
                    edits={
                        "reply": "It is the bowl, not you! We seal its foot with wax. Wash it hot, twice, and the tide "
                        "goes out for good."
                    },
                ),
            ),
            Said(INES, "Sent with one word more. Thank you!"),
        ),
    ),
    Chat(
        "Forty mugs for the bakery",
        SUPPORT.name,
        2.6,
        (
            Said(TOMAS, "The bakery asks whether forty mugs in six weeks are possible. Are they?"),
            Said(
                AGENT,
                "With what is in the books, **just**:\n\n- clay: enough\n- kiln: two firings free, in weeks 3 and 5\n"
                "- Ines: you would have to ask Ines\n\nThis is how full the kiln is:",
                attached="chart",
            ),
            Said(TOMAS, "Ines says yes, if nobody talks to her in week 5. Please draft an answer."),
            Said(
                AGENT,
                "Gladly. I would rather have somebody read it before it goes out:",
                review=Case(
                    REPLY,
                    ticket(
                        "Forty mugs with our name",
                        "Dear potters, is it possible in six weeks?",
                        "It is! Two samples come next Friday. Choose one, and five weeks later there are forty.",
                    ),
                    ends=None,
                ),
            ),
        ),
        with_owner=True,
    ),
)
