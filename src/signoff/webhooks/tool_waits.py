"""What waits for a tool's response: the agent's delivery, and the event for those who pull it."""

from typing import LiteralString

from signoff.platform.db import Row
from signoff.platform.outbox.messages import release_messages
from signoff.platform.sql import Sql


def release_waiting(finished: LiteralString) -> Sql[Row]:
    """CTEs that release it. `finished` names rows of finished deliveries, with `delivery_id` and `tool_result`."""
    return Sql(
        """
        no_longer_waiting as (
            update deliveries w set waits_for = null
            from {finished} f where w.waits_for = f.delivery_id
            returning w.delivery_id
        ), event_with_result as (
            update events e set waits_for = null, tool_result = f.tool_result::json
            from {finished} f where e.waits_for = f.delivery_id
        ), released as (
            {release}
        )
        """,
        finished=finished,
        release=release_messages("select delivery_id from no_longer_waiting"),
    )
