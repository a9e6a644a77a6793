"""IDs, names, and times that the examples in the API reference share: Acme's agent drafts a newsletter, and Ann and
her editors sign it off.
"""

from datetime import UTC, datetime

URL = "https://signoff.example.com"
ACCOUNT_ID = "acc_01a1108c69c04be1a9d07c3f52e6"
USER_ID = "usr_01a1108c69c1f2086d4b9a17c3e5"
EDITOR_ID = "usr_01a1440c01c07a93e15d0b84f26c"
GROUP_ID = "grp_01a1440c01c59c02b7e8d6134fa0"
KEY_ID = "key_01a1108c69c8d05f3a7be1c94260"
AGENT_ID = "agt_01a1108c69c2c61d7e09b4a8f35c"
AGENT_NAME = "Newsletter writer"
FORM_ID = "frm_01a1440c01c9e07ab52f6dc81934"
REVIEW_ID = "rev_01a1de8ac9c05b7f80e2d91a36c4"
SESSION_ID = "ses_01a1de8ac9c13ce6a4f7085bd912"
SIGN_IN_SESSION_ID = "sis_5f0c1e7a94d2b8360c17ae52f981"
BATCH_ID = "newsletter-2026-46"
DELIVERY_ID = "whd_01a1de9085e04f6b1d92c8a3705e"
TOOL_DELIVERY_ID = "whd_01a1de9085e1a8c07e5b3d46f219"
EVENT_ID = "evt_01a1de9085dfb3e87a1c06d4295f"
MESSAGE_ID = "msg_01a1de8b1f407c9e35a2d8160fb4"
RUN_ID = "run-2026-11-15"
ENTRY_ID = "4711"
VIEW_ID = "viw_01a1440c01d2b6e83f90a517c4d8"
MAIL_ID = "mal_01a1de8acab04d7be2916f05c83a"
OWNER, EDITOR, OUTSIDER = "ann@example.com", "editor@example.com", "counsel@partner.example"
EDITOR_NAME = "Eda Torres"
WEBHOOK = "https://agent.example.com/hooks/signoff"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - nobody's
TOKEN = "sgl_Yk3vQ0m7cN1xT9aZ5rW2eLhB8uJ4oD6fGsPiKyVtXqE"  # noqa: S105 - nobody's
PUBLIC_TOKEN = "pub_8sTq4vXcR9tLz4KfYbN2mHdJ0pGaUe3xVoT6iMkQw7E"  # noqa: S105 - nobody's
REQUESTED_AT, RESPONDED_AT, DELIVERED_AT = (
    "2026-11-15T09:30:00.000Z",
    "2026-11-15T09:36:15.520Z",
    "2026-11-15T09:36:15.611Z",
)
REQUESTED, RESPONDED = datetime.fromisoformat(REQUESTED_AT), datetime.fromisoformat(RESPONDED_AT)
MONTH_ENDS = datetime(2026, 12, 1, tzinfo=UTC)
BEGAN_AT, JOINED_AT = "2026-10-06T09:30:00.000Z", "2026-10-16T09:30:00.000Z"
