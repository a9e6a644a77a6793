"""The operations under "Demo"."""

from signoff.accounts import errors as accounts
from signoff.demo.errors import NoDemo
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.messages import msg

OPERATIONS: Operations = {
    ("get", "/demo"): Words("getDemo", "Get demo status"),
    ("delete", "/demo"): Words(
        "removeDemo",
        "Remove demo data",
        problems=(
            NoDemo(),
            accounts.OwnerRequired(msg("Only an owner can remove the demo, because this empties the whole workspace.")),
        ),
    ),
}
