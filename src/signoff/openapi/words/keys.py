"""The operations under "API keys"."""

from signoff.accounts import errors as accounts
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.messages import msg

_IN_THE_PAST = invalid("expiresAt", "in_the_past", msg("must be in the future"))

OPERATIONS: Operations = {
    ("get", "/apiKeys"): Words("listApiKeys", "List API keys"),
    ("post", "/apiKeys"): Words("createApiKey", "Create an API key", problems=(_IN_THE_PAST,)),
    ("get", "/apiKeys/{keyId}"): Words(
        "getApiKey", "Get an API key", "Returns an API key's details, without the key itself."
    ),
    ("patch", "/apiKeys/{keyId}"): Words(
        "changeApiKey",
        "Update an API key",
        problems=(accounts.KeyRevoked(msg("Revoked keys can't be changed. Create a new key.")), _IN_THE_PAST),
    ),
    ("delete", "/apiKeys/{keyId}"): Words("revokeApiKey", "Revoke an API key"),
    ("get", "/authCheck"): Words("checkCredentials", "Check credentials"),
}
