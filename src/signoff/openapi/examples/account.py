"""The account and its usage."""

from typing import Any

from signoff.platform.clock import iso
from signoff.platform.examples import ACCOUNT_ID, BEGAN_AT, MONTH_ENDS, SECRET

_account = {
    "accountId": ACCOUNT_ID,
    "name": "Acme",
    "plan": "self-hosted",
    "auditWebhookUrl": None,
    "notificationDefaults": {"email": "each", "digestHour": 8, "timeZone": "Europe/Berlin"},
    "language": "en",
    "createdAt": BEGAN_AT,
}

EXAMPLES: dict[str, Any] = {
    "Account": _account,
    "AccountChange": {
        "auditWebhookUrl": "https://siem.example.com/signoff",
        "notificationDefaults": {"email": "daily", "timeZone": "Europe/Berlin"},
        "language": "de",
    },
    "AccountWithSecret": {
        **_account,
        "auditWebhookUrl": "https://siem.example.com/signoff",
        "auditWebhookSecret": SECRET,
    },
    "Usage": {
        "plan": "team",
        "month": "2026-11",
        "billableSeats": 2,
        "reviewRequests": {"used": 20_412, "included": 20_000, "overage": 412},
        "dataBytes": {"used": 1_830_442_116, "included": 20_000_000_000, "overage": 0},
        "enforced": False,
        "resetsAt": iso(MONTH_ENDS),
        "limits": {"rate": {"perSecond": 1, "burst": 10}, "memoryCeiling": 100},
        "history": [
            {"month": "2026-11", "reviewRequests": 20_412, "dataBytes": 1_830_442_116},
            {"month": "2026-10", "reviewRequests": 17_003, "dataBytes": 1_519_237_540},
        ],
    },
}
