"""Events that wait for copies of their review's media, so that their `fileCache` is complete.

A copy that finishes enqueues the job for every event that waits for its review, in the transaction that records the
copy. The event also enqueues one for its time limit. So nothing depends on which process is alive at which moment.
"""

from typing import Final

from signoff.media.review_copies import read_review_copies
from signoff.platform.db import Database
from signoff.platform.outbox.messages import release_messages
from signoff.platform.pubsub import publish
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql

_RELEASE: Final = Sql(
    """
    with released as (
        update events set payload = :payload, media_until = null where account_id = :account_id and event_id = :event_id
    )
    {release_deliveries}
    """,
    # Those that don't also wait for a tool.
    release_deliveries=release_messages(
        """
        select delivery_id from deliveries
        where account_id = :account_id and review_id = :review_id and event_id = :event_id and waits_for is null
        """
    ),
)


class MediaWaits:
    def __init__(self, db: Database, settings: Settings) -> None:
        self._db = db
        self._settings = settings

    async def release(self, subject: str) -> None:
        """The job. Its subject is `<account>/<event>`; it releases the event if there is nothing left to wait for."""
        account_id, _, event_id = subject.partition("/")
        async with self._db.transaction() as tx:
            event = await tx.fetchrow(
                """
                select review_id, payload, media_until, media_until <= now() as over from events
                where account_id = $1 and event_id = $2 and media_until is not null for update
                """,
                account_id,
                event_id,
            )
            if event is None:
                return  # already released, or deleted with its review
            until = event["media_until"]
            copies = await read_review_copies(tx, self._settings, account_id, event["review_id"], until)
            if copies.in_progress and not event["over"]:
                return
            payload = {name: value for name, value in event["payload"].items() if name != "mediaNotices"}
            await _RELEASE.execute(
                tx,
                account_id=account_id,
                event_id=event_id,
                review_id=event["review_id"],
                payload={**payload, **copies.members()},
            )
            publish(tx, account_id)
