"""Ann and Eda sign in; Ann's profile."""

from typing import Any

from signoff.accounts.actors import ROLES, Permission
from signoff.platform.examples import (
    ACCOUNT_ID,
    AGENT_ID,
    EDITOR,
    GROUP_ID,
    OWNER,
    REQUESTED_AT,
    RESPONDED_AT,
    TOKEN,
    URL,
    USER_ID,
)

_me = {
    "user": {"userId": USER_ID, "email": OWNER, "name": "Ann", "pendingEmail": None, "language": "de"},
    "role": "owner",
    "account": {"accountId": ACCOUNT_ID, "name": "Acme", "plan": "self-hosted", "language": "en"},
    "permissions": [permission.value for permission in Permission if permission in ROLES["owner"]],
    "hasPassword": True,
    "preferences": {
        "email": "daily",
        "emailIsDefault": False,
        "digestHour": 8,
        "digestHourIsDefault": True,
        "agents": {AGENT_ID: "each"},
        "shortcuts": True,
        "theme": "dark",
        "timeZone": "Europe/Berlin",
        "browserNotifications": False,
    },
    "groups": [{"groupId": GROUP_ID, "name": "Editors"}],
    "standingInFor": [],
}

EXAMPLES: dict[str, Any] = {
    "SignInMethods": {
        "password": True,
        "oidc": {"name": "Acme account", "startUrl": f"{URL}/api/v1/auth/oidc/start"},
        "mail": True,
        "firstRun": False,
    },
    "ForgottenPassword": {"email": OWNER},
    "LinkOrdered": {"accepted": True},
    "LinkQuestion": {"token": TOKEN},
    "LinkInfo": {"purpose": "invitation", "email": EDITOR, "accountName": "Acme", "hasPassword": False},
    "OpenSessions": {
        "items": [
            {
                "sessionId": "sis_5f0c1e7a94d2b8360c17ae52f981",
                "current": True,
                "createdAt": REQUESTED_AT,
                "lastSeenAt": RESPONDED_AT,
                "ip": "203.0.113.7",
                "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            }
        ]
    },
    "Credentials": {"email": OWNER, "password": "correct horse battery staple"},
    "LinkUse": {"token": TOKEN, "password": "correct horse battery staple"},
    "EmailConfirmation": {"token": TOKEN},
    "ProfileChange": {"name": "Ann", "preferences": {"theme": "dark", "timeZone": "Europe/Berlin"}, "language": "de"},
    "Me": _me,
}
