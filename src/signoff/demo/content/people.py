"""Who works at the pottery. Nobody of them can sign in: they have no password, and their addresses belong to nobody."""

from typing import Final

from signoff.demo.content.telling import Agent, Colleague

EDDA: Final = "edda"
JONAS: Final = "jonas"
INES: Final = "ines"
TOMAS: Final = "tomas"

COLLEAGUES: Final = {
    EDDA: Colleague("Edda Brandt", "edda.brandt@example.com", "admin"),
    JONAS: Colleague("Jonas Vik", "jonas.vik@example.com", "editor"),
    INES: Colleague("Ines Moreau", "ines.moreau@example.com", "reviewer"),
    TOMAS: Colleague("Tomas Reyes", "tomas.reyes@example.com", "reviewer"),
}
GROUP: Final = "Studio"
IN_THE_GROUP: Final = (EDDA, INES)

NEWSROOM: Final = Agent("Newsroom", "Drafts what we publish: posts, newsletters, pictures, translations.")
SUPPORT: Final = Agent("Support desk", "Answers customers, and asks before it promises anything.", chat="on")
BACK_OFFICE: Final = Agent("Back office", "Reads invoices and receipts, prepares the shop, looks for new customers.")
AGENTS: Final = (NEWSROOM, SUPPORT, BACK_OFFICE)
