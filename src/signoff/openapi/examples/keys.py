"""The agent's API key."""

from typing import Any

from signoff.accounts.actors import DEFAULT_SCOPES
from signoff.platform.examples import ACCOUNT_ID, BEGAN_AT, KEY_ID, REQUESTED_AT, USER_ID

_key = {
    "keyId": KEY_ID,
    "name": "Newsletter writer",
    "scopes": list(DEFAULT_SCOPES),
    "hint": "sgn_…tXqE",
    "createdAt": BEGAN_AT,
    "createdBy": USER_ID,
    "expiresAt": None,
    "replaces": None,
    "lastUsedAt": REQUESTED_AT,
    "revokedAt": None,
    "status": "active",
}

EXAMPLES: dict[str, Any] = {
    "NewKey": {"name": "Newsletter writer", "scopes": list(DEFAULT_SCOPES)},
    "KeyChange": {"expiresAt": "2027-01-31T12:00:00Z"},
    "Key": _key,
    "KeyWithSecret": {**_key, "apiKey": "sgn_q7Wm2vXcR9tLz4KfYbN8sHdJ0pGaUe3xVoT6iMkQtXq"},
    "AuthCheck": {
        "ok": True,
        "accountId": ACCOUNT_ID,
        "accountName": "Acme",
        "actor": {"kind": "key", "id": KEY_ID, "name": "Newsletter writer"},
        "permissions": ["read", "request"],
    },
}
