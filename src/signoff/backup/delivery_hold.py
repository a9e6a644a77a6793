"""What a copy must not do: call, mail, and remind the people and programs that the original also calls, mails, and
reminds.

Runs inside the transaction that makes a restored database usable.
"""

from collections import Counter
from typing import Final, LiteralString

from psycopg import sql

from signoff.backup.database import Connection
from signoff.media.copies import COPY_CHANNEL, RELEASE
from signoff.media.references import DELETE_MEDIA_JOB
from signoff.notifications.review_mails.recipients import DIGEST_PLAN_SQL

HARMLESS_JOBS = ("reviews.index", RELEASE, DELETE_MEDIA_JOB)
"""Jobs that don't reach anyone: all others are removed, including those of later versions. The first is of earlier
ones.
"""
HOLD_REASON: Final = "Held when a backup was restored with --hold-deliveries."

# By table, and by the column without which there is nothing to stop.
_HOLD_STATEMENTS: dict[tuple[str, str], LiteralString] = {
    ("outgoing_messages", "is_stopped"): f"""
        update outgoing_messages set
            state = 'failed', is_stopped = true, error = '{HOLD_REASON}', settled_at = now(), due_at = null,
            claimed_at = null
        where state in ('queued', 'sending') and channel <> '{COPY_CHANNEL}'
    """,  # noqa: S608 - constants only
    # Of earlier versions.
    ("outgoing_messages", "state"): f"""
        update outgoing_messages set
            state = 'failed', error = '{HOLD_REASON}', settled_at = now(), due_at = null, claimed_at = null
        where state in ('queued', 'sending') and channel <> '{COPY_CHANNEL}'
    """,  # noqa: S608 - constants only
    # Of earlier versions.
    ("deliveries", "status"): """
        update deliveries set
            status = 'dead', retries_cancelled = true, next_retry_at = null, waits_for = null, updated_at = now()
        where status in ('pending', 'delivering', 'retrying')
    """,
    ("deliveries", "waits_for"): "update deliveries set waits_for = null where waits_for is not null",
    ("events", "waits_for"): "update events set waits_for = null where waits_for is not null",
    ("mails", "state"): f"""
        update mails set state = 'failed', error = '{HOLD_REASON}', settled_at = now(), sending_at = null
        where state in ('waiting', 'sending')
    """,  # noqa: S608 - constants only
    ("notified_people", "mail_at"): """
        update notified_people set news_from = null, mail_at = null, next_hourly_at = null, next_daily_at = null
        where coalesce(mail_at, next_hourly_at, next_daily_at) is not null
    """,
    # Log entries that nobody has been notified of yet would otherwise be mailed as soon as a worker starts.
    ("log_cursors", "position"): """
        update log_cursors set position = latest.entry_id
        from (select max(entry_id) as entry_id from audit_log) as latest
        where reader = 'notifications' and position < latest.entry_id
    """,
    # Of earlier versions.
    ("followed_log", "position"): """
        update followed_log set position = latest.entry_id
        from (select max(entry_id) as entry_id from audit_log) as latest where position < latest.entry_id
    """,
    # Of earlier versions. Connecting the app again updates outdated posts.
    ("chat_posts", "queued"): """
        update chat_posts set queued = false, claimed_until = null where queued or claimed_until is not null
    """,
    ("chat_connections", "state"): f"""
        update chat_connections set state = 'refused', code = 'held', why = '{HOLD_REASON}', since = now()
        where state = 'connected'
    """,  # noqa: S608 - constants only
}

# Digests are scheduled for everyone whose current plan isn't the stored one: from now on, for those who change it.
_STORE_DIGEST_PLANS: LiteralString = f"""
    insert into notified_people (user_id, account_id, digest_plan)
    select u.user_id, u.account_id, {DIGEST_PLAN_SQL} from users u join accounts a using (account_id)
    on conflict (user_id) do update set digest_plan = excluded.digest_plan
"""  # noqa: S608 - constants only


def hold_deliveries(connection: Connection) -> dict[str, int]:
    """Stop deliveries, and return the number of each kind."""
    counts = Counter[str]()
    for (table, column), statement in _HOLD_STATEMENTS.items():
        counts[table] += (
            connection.execute(sql.SQL(statement)).rowcount if _has_column(connection, table, column) else 0
        )
    if _has_column(connection, "notified_people", "digest_plan"):
        connection.execute(_STORE_DIGEST_PLANS)
    # Earlier versions had them in another table.
    table, column = ("jobs", "name") if _has_column(connection, "jobs", "name") else ("pgqueuer", "entrypoint")
    jobs = sql.SQL("delete from {} where not {} = any({})").format(
        sql.Identifier(table), sql.Identifier(column), sql.Literal(list(HARMLESS_JOBS))
    )
    return {**counts, "jobs": connection.execute(jobs).rowcount}


def _has_column(connection: Connection, table: str, column: str) -> bool:
    """Whether the table and column exist: a backup of an earlier version may not have them yet."""
    query = "select from pg_attribute where attrelid = to_regclass(%s) and attname = %s and not attisdropped"
    return connection.execute(query, [table, column]).rowcount == 1
