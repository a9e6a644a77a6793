"""The operations under "Files"."""

from signoff.accounts import errors as accounts
from signoff.media.multipart import file_too_large, incomplete_form, not_a_form
from signoff.media.uploads import refused_file
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.messages import msg

OPERATIONS: Operations = {
    ("post", "/uploadFiles"): Words(
        "uploadFiles",
        "Upload files",
        problems=(
            incomplete_form(),
            file_too_large("cover.png", 0, 20_971_520),
            not_a_form("application/json"),
            invalid("files[1]", "truncated", refused_file("cover.png", msg("is damaged or incomplete"))),
            accounts.FairUseExceeded("dataBytes", 20_000_000_000, 20_000_000_000, story.MONTH_ENDS),
        ),
    ),
}
