"""The pottery's review types: its own, and templates where they fit.

The demo's agent also requests reviews of the first four, and the screenshots in the docs show them.
"""

from typing import Any, Final

from signoff.demo.seed.content.models import Agent
from signoff.demo.seed.content.users import BACK_OFFICE, NEWSROOM, SUPPORT
from signoff.forms.form_templates import load_templates

SOCIAL: dict[str, Any] = {
    "name": "Social post",
    "titleField": "headline",
    "allowRetry": True,
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "required": True, "maxLength": 90},
        {"id": "text", "type": "markdown", "label": "Post", "required": True, "maxLength": 600},
        {"id": "photo", "type": "image", "label": "Image"},
        {
            "id": "channel",
            "type": "buttons",
            "label": "Channels",
            "multiple": True,
            "options": [
                {"id": "linkedin", "label": "LinkedIn"},
                {"id": "mastodon", "label": "Mastodon"},
                {"id": "blog", "label": "Blog"},
            ],
        },
        {"id": "when", "type": "datetime", "label": "Publish on"},
        {"id": "confidence", "type": "rating", "label": "Agent confidence", "editable": False},
    ],
    "layout": [
        {"kind": "field", "field": "headline"},
        {
            "kind": "columns",
            "columns": [[{"kind": "field", "field": "text"}], [{"kind": "field", "field": "photo"}]],
        },
        {
            "kind": "group",
            "id": "publishing",
            "label": "Publish",
            "children": [
                {"kind": "field", "field": "channel"},
                {
                    "kind": "columns",
                    "columns": [[{"kind": "field", "field": "when"}], [{"kind": "field", "field": "confidence"}]],
                },
            ],
        },
    ],
}

REPLY: dict[str, Any] = {
    "name": "Support reply",
    "titleField": "subject",
    "allowRetry": True,
    "fields": [
        {"id": "subject", "type": "text", "label": "Subject", "editable": False},
        {"id": "question", "type": "longText", "label": "Customer message", "editable": False},
        {"id": "reply", "type": "longText", "label": "Reply", "required": True, "minLength": 20},
        {
            "id": "action",
            "type": "buttons",
            "label": "Next step",
            "options": [
                {"id": "close", "label": "Close ticket"},
                {"id": "refund", "label": "Refund"},
                {"id": "escalate", "label": "Escalate"},
            ],
        },
        {"id": "amount", "type": "number", "label": "Amount", "unit": "USD", "min": 0, "max": 500},
    ],
    "rules": [
        {
            "target": "amount",
            "effect": "show",
            "when": {"field": "action.value", "operation": "equal", "value": "refund"},
        }
    ],
}

PRODUCT: dict[str, Any] = {
    "name": "Product photos",
    "titleField": "product",
    "fields": [
        {"id": "product", "type": "text", "label": "Product", "required": True},
        {"id": "photos", "type": "list", "label": "Photos", "item": [{"id": "photo", "type": "image"}]},
        {"id": "alt", "type": "text", "label": "Alt text", "maxLength": 140},
    ],
}

INVOICE: dict[str, Any] = {
    "name": "Invoice approval",
    "titleField": "supplier",
    "width": "wide",
    "fields": [
        {"id": "supplier", "type": "text", "label": "Supplier", "required": True},
        {"id": "due", "type": "date", "label": "Due"},
        {
            "id": "lines",
            "type": "table",
            "label": "Line items",
            "columns": [
                {"id": "what", "type": "text", "label": "Item"},
                {"id": "pieces", "type": "number", "label": "Quantity", "integer": True, "min": 0},
                {"id": "price", "type": "number", "label": "Price", "unit": "USD"},
            ],
        },
        {"id": "raw", "type": "json", "label": "Raw extraction", "editable": False},
    ],
    "layout": [
        {
            "kind": "columns",
            "columns": [[{"kind": "field", "field": "supplier"}], [{"kind": "field", "field": "due"}]],
        },
    ],
}

REFUND: dict[str, Any] = {
    "name": "Goodwill refund",
    "titleField": "customer",
    "fields": [
        {"id": "customer", "type": "text", "label": "Customer", "editable": False},
        {"id": "story", "type": "longText", "label": "What happened", "editable": False},
        {"id": "amount", "type": "number", "label": "Amount", "unit": "USD", "min": 0, "max": 200, "required": True},
        {"id": "words", "type": "longText", "label": "Message to the customer", "maxLength": 400},
    ],
    "timeLimits": {
        "calendar": None,
        "steps": [{"afterMinutes": 4 * 60, "action": "remind"}, {"afterMinutes": 48 * 60, "action": "reject"}],
    },
}

COMMISSION: dict[str, Any] = {
    "name": "Custom order",
    "titleField": "wish",
    "trigger": True,
    "fields": [
        {"id": "name", "type": "text", "label": "Your name", "required": True},
        {"id": "email", "type": "email", "label": "Your email", "required": True},
        {
            "id": "wish",
            "type": "longText",
            "label": "What would you like us to make?",
            "required": True,
            "maxLength": 800,
        },
        {"id": "pieces", "type": "number", "label": "Quantity", "integer": True, "min": 1, "max": 200, "default": 1},
        {
            "id": "glaze",
            "type": "dropdown",
            "label": "Glaze",
            "options": [
                {"id": "rust", "label": "Rust"},
                {"id": "moss", "label": "Moss"},
                {"id": "night", "label": "Midnight"},
                {"id": "surprise", "label": "Surprise me"},
            ],
        },
    ],
}

_TEMPLATES: Final = {each.template_id: each.form for each in load_templates().items}


def _from_template(template_id: str, name: str, **members: Any) -> dict[str, Any]:
    """A template's review type with another name."""
    return {**_TEMPLATES[template_id], "name": name, **members}


NEWSLETTER: Final = _from_template("email-draft", "Newsletter")
COVER: Final = _from_template("image-choice", "Cover image")
TRANSLATION: Final = _from_template(
    "translation",
    "Translation",
    timeLimits={"calendar": None, "steps": [{"afterMinutes": 48 * 60, "action": "approve"}]},
)
GUESTBOOK: Final = _from_template("content-moderation", "Guestbook post")
EXPENSE: Final = _from_template("expense", "Expense")
INQUIRY: Final = _from_template("lead-qualification", "Wholesale lead")

REVIEW_TYPES: Final[tuple[tuple[Agent, dict[str, Any]], ...]] = (
    (NEWSROOM, SOCIAL),
    (NEWSROOM, NEWSLETTER),
    (NEWSROOM, COVER),
    (NEWSROOM, TRANSLATION),
    (SUPPORT, REPLY),
    (SUPPORT, REFUND),
    (SUPPORT, GUESTBOOK),
    (SUPPORT, COMMISSION),
    (BACK_OFFICE, PRODUCT),
    (BACK_OFFICE, INVOICE),
    (BACK_OFFICE, EXPENSE),
    (BACK_OFFICE, INQUIRY),
)
