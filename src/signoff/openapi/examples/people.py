"""Eda is invited; Ann is out of office, and Eda covers for her."""

from typing import Any

from signoff.platform.examples import EDITOR, EDITOR_ID, JOINED_AT, TOKEN, URL

_user = {
    "userId": EDITOR_ID,
    "email": EDITOR,
    "name": "Eda Torres",
    "role": "reviewer",
    "disabled": False,
    "invitationHeld": False,
    "lastSignInAt": None,
    "createdAt": JOINED_AT,
    "absence": None,
}
_absence = {"from": "2036-12-20T08:00:00.000Z", "until": "2037-01-03T08:00:00.000Z", "delegate": EDITOR}

EXAMPLES: dict[str, Any] = {
    "NewAbsence": _absence,
    "OwnAbsence": _absence,
    "Invitation": {"email": EDITOR, "name": "Eda Torres", "role": "reviewer"},
    "InvitedUser": {**_user, "invitationLink": f"{URL}/sign-in?token={TOKEN}"},
    "User": _user,
    "UserChange": {"role": "editor"},
    "SignInLinkAnswer": {"signInLink": f"{URL}/sign-in?token={TOKEN}", "expiresAt": "2026-11-16T09:30:00.000Z"},
}
