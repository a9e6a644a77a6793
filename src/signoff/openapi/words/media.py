"""The operations under "Files"."""

from signoff.accounts import errors as accounts
from signoff.media.errors import FileTooLarge
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import Malformed, WrongMediaType

OPERATIONS: Operations = {
    ("post", "/uploadFiles"): Words(
        "uploadFiles",
        "Upload files",
        problems=(
            Malformed("The body ends before the form does."),
            FileTooLarge(
                "The file 'cover.png' is larger than 20971520 bytes.", file="cover.png", index=0, maxBytes=20_971_520
            ),
            WrongMediaType("Send the files as multipart/form-data, not 'application/json'."),
            invalid("files[1]", "truncated", "'cover.png' is damaged or cut short"),
            accounts.FairUseExceeded("dataBytes", 20_000_000_000, 20_000_000_000, story.MONTH_ENDS),
        ),
    ),
}
