from typing import ClassVar

from pydantic import Field

from signoff.accounts.plans import PlanName
from signoff.accounts.sign_in.preferences import NotificationDefaults, NotificationDefaultsChange
from signoff.platform import examples
from signoff.platform.messages import Language
from signoff.platform.schemas import Name, PatchModel, ResponseModel, WebhookUrl, example

ACCOUNT_EXAMPLE = {
    "accountId": examples.ACCOUNT_ID,
    "name": "Acme",
    "plan": "self-hosted",
    "auditWebhookUrl": None,
    "notificationDefaults": {"email": "each", "digestHour": 8, "timeZone": "Europe/Berlin"},
    "language": "en",
    "createdAt": examples.BEGAN_AT,
}


class AccountChange(PatchModel):
    """Leave a property out to keep its value."""

    model_config = example(
        {
            "auditWebhookUrl": "https://siem.example.com/signoff",
            "notificationDefaults": {"email": "daily", "timeZone": "Europe/Berlin"},
            "language": "de",
        }
    )

    nullable: ClassVar[frozenset[str]] = frozenset({"audit_webhook_url", "language"})

    name: Name | None = None
    plan: PlanName | None = Field(None, description="Only owners can change the plan.")
    audit_webhook_url: WebhookUrl | None = Field(
        None, description="URL that receives a copy of every event. `null` removes it."
    )
    notification_defaults: NotificationDefaultsChange | None = Field(
        None, description="Default email settings for members who haven't chosen their own."
    )
    language: Language | None = Field(
        None,
        description="Default language for members who haven't chosen one, external reviewers, and chat. "
        "`null` for no default.",
    )


class Account(ResponseModel):
    model_config = example(ACCOUNT_EXAMPLE)

    account_id: str
    name: str
    plan: PlanName
    audit_webhook_url: str | None
    notification_defaults: NotificationDefaults
    language: Language | None = Field(
        description="Default language. `null`: the browser's language in the web app, and English in emails and chat."
    )
    created_at: str


class AccountWithSecret(Account):
    model_config = example(
        {
            **ACCOUNT_EXAMPLE,
            "auditWebhookUrl": "https://siem.example.com/signoff",
            "auditWebhookSecret": examples.SECRET,
        }
    )

    audit_webhook_secret: str = Field(
        description="Signing secret for the audit webhook (Standard Webhooks). Shown only once."
    )
