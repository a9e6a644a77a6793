"""What a delivery shows of its outgoing message `o`: the message alone knows how sending goes."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, LiteralString

from signoff.platform.sql import Sql
from signoff.webhooks.schemas import Status

GONE: Final = 410

STATUS: Final[LiteralString] = """
    case when o.state = 'sent' then 'succeeded'
        when o.state = 'failed' or o.is_stopped then 'dead'
        when o.state = 'sending' then 'delivering'
        when o.is_manual or o.attempts = '[]' then 'pending'
        else 'retrying' end
"""

IS_CANCELED: Final = Sql(
    """
    (
        o.state <> 'sent' and o.is_stopped
        or o.state = 'failed' and coalesce((o.attempts -> -1 ->> 'statusCode')::integer = {gone}, false)
    )
    """,
    gone=GONE,
)

OF_STATUS: Final[Mapping[Status | Literal["queued"] | None, Sequence[LiteralString]]] = {
    None: ("true",),
    "succeeded": ("o.state = 'sent'",),
    "pending": ("o.state = 'queued' and (o.is_manual or o.attempts = '[]')",),
    "delivering": ("o.state = 'sending' and not o.is_stopped",),
    "retrying": ("o.state = 'queued' and not o.is_manual and o.attempts <> '[]'",),
    "dead": ("o.state = 'failed'", "o.state = 'sending' and o.is_stopped"),
    "queued": ("o.state = 'queued'",),
}
"""Which messages belong to deliveries with a status: one scan of their index for each state."""
