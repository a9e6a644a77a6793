"""The pottery's members and agents. The members can't sign in: they have no password, and their emails don't exist."""

from typing import Final

from signoff.demo.seed.content.models import Agent, Colleague

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
GROUP_MEMBERS: Final = (EDDA, INES)

NEWSROOM: Final = Agent("Content agent", "Drafts social posts, newsletters, images and translations.")
SUPPORT: Final = Agent("Support agent", "Drafts replies to customers and asks before it promises anything.", chat="on")
BACK_OFFICE: Final = Agent("Back office agent", "Reads invoices and receipts, prepares product pages and finds leads.")
AGENTS: Final = (NEWSROOM, SUPPORT, BACK_OFFICE)
