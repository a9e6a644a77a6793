"""The operations under "Account"."""

from signoff.accounts import errors as accounts
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.messages import msg

OPERATIONS: Operations = {
    ("get", "/account"): Words("getAccount", "Get the account"),
    ("patch", "/account"): Words(
        "changeAccount",
        "Update the account",
        problems=(accounts.OwnerRequired(msg("Only an owner can change the plan.")),),
    ),
    ("post", "/account/rotateAuditSecret"): Words("rotateAuditSecret", "Rotate the audit webhook secret"),
    ("get", "/usage"): Words("getUsage", "Get usage"),
}
