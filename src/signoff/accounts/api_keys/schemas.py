from typing import Annotated, ClassVar, Literal, get_args

from fastapi import Path
from pydantic import AfterValidator, Field

from signoff.accounts.actors import DEFAULT_SCOPES, Permission, Scope
from signoff.accounts.audit_log.schemas import EntryActor
from signoff.accounts.schemas import Timestamp
from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel

KeyId = Annotated[str, Path(alias="keyId", max_length=128, description="API key ID.", examples=[examples.KEY_ID])]


def _each_once(scopes: list[Scope]) -> list[Scope]:
    return [scope for scope in get_args(Scope) if scope in scopes]


Scopes = Annotated[list[Scope], Field(min_length=1, max_length=50), AfterValidator(_each_once)]


class NewKey(RequestModel):
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

    nullable: ClassVar[frozenset[str]] = frozenset({"expires_at"})

    name: Name | None = None
    scopes: Scopes | None = None
    expires_at: Timestamp | None = Field(None, description="`null` if the key never expires.")


class Key(ResponseModel):
    key_id: str
    name: str
    scopes: list[Scope]
    hint: str = Field(description="First and last characters of the key.")
    created_at: str
    created_by: str = Field(description="ID of the member or key that created it.")
    replaces: str | None = Field(description="ID of the key that it replaced.")
    expires_at: str | None
    last_used_at: str | None = Field(description="Rounded to the minute.")
    revoked_at: str | None
    status: Literal["active", "expired", "revoked"]


class KeyWithSecret(Key):
    api_key: str = Field(description="The key for the `x-api-key` header. Shown only once.")


class AuthCheck(ResponseModel):
    ok: Literal[True] = True
    account_id: str
    account_name: str
    actor: EntryActor
    permissions: list[Permission]
