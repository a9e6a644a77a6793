from typing import Annotated, ClassVar, Literal, get_args

from fastapi import Path
from pydantic import AfterValidator, Field

from signoff.accounts.actors import DEFAULT_SCOPES, Permission, Scope
from signoff.accounts.audit_log.schemas import EntryActor
from signoff.accounts.schemas import Timestamp
from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel, example

KeyId = Annotated[str, Path(alias="keyId", max_length=128, description="API key ID.", examples=[examples.KEY_ID])]


def _remove_duplicates(scopes: list[Scope]) -> list[Scope]:
    return [scope for scope in get_args(Scope) if scope in scopes]


Scopes = Annotated[list[Scope], Field(min_length=1, max_length=50), AfterValidator(_remove_duplicates)]


KEY_EXAMPLE = {
    "keyId": examples.KEY_ID,
    "name": "Newsletter writer",
    "scopes": list(DEFAULT_SCOPES),
    "hint": "sgn_…tXqE",
    "createdAt": examples.BEGAN_AT,
    "createdBy": examples.USER_ID,
    "expiresAt": None,
    "replaces": None,
    "lastUsedAt": examples.REQUESTED_AT,
    "revokedAt": None,
    "status": "active",
}


class NewKey(RequestModel):
    model_config = example({"name": "Newsletter writer", "scopes": list(DEFAULT_SCOPES)})

    name: Name
    scopes: Scopes = Field(list(DEFAULT_SCOPES))
    expires_at: Timestamp | None = Field(None, description="`null` if the key never expires.")
    replaces: str | None = Field(
        None,
        max_length=128,
        description="ID of the key that this one replaces, when you rotate keys. The new key can update the reviews "
        "that the old one requested.",
    )


class KeyChange(PatchModel):
    """Leave a property out to keep its value."""

    model_config = example({"expiresAt": "2027-01-31T12:00:00Z"})

    nullable: ClassVar[frozenset[str]] = frozenset({"expires_at"})

    name: Name | None = None
    scopes: Scopes | None = None
    expires_at: Timestamp | None = Field(None, description="`null` if the key never expires.")


class Key(ResponseModel):
    model_config = example(KEY_EXAMPLE)

    key_id: str
    name: str
    scopes: list[Scope]
    hint: str = Field(description="First and last characters of the key.")
    created_at: str
    created_by: str = Field(description="ID of the member or key that created it.")
    replaces: str | None = Field(description="ID of the key that this key replaced.")
    expires_at: str | None
    last_used_at: str | None = Field(description="Rounded to the minute.")
    revoked_at: str | None
    status: Literal["active", "expired", "revoked"]


class KeyWithSecret(Key):
    model_config = example({**KEY_EXAMPLE, "apiKey": "sgn_q7Wm2vXcR9tLz4KfYbN8sHdJ0pGaUe3xVoT6iMkQtXq"})

    api_key: str = Field(description="The key for the `x-api-key` header. Shown only once.")


class AuthCheck(ResponseModel):
    model_config = example(
        {
            "ok": True,
            "accountId": examples.ACCOUNT_ID,
            "accountName": "Acme",
            "actor": {"kind": "key", "id": examples.KEY_ID, "name": "Newsletter writer"},
            "permissions": ["read", "request"],
        }
    )

    ok: Literal[True] = True
    account_id: str
    account_name: str
    actor: EntryActor
    permissions: list[Permission]
