"""Rows of many tables, collected first and written together with one statement per table."""

import os
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, Final

from signoff.platform.db import Executor
from signoff.platform.ids import id_at

# Each after those that it refers to.
TABLES: Final = (
    "users",
    "groups",
    "group_members",
    "agents",
    "forms",
    "form_versions",
    "public_links",
    "sessions",
    "runs",
    "reviews",
    "review_revisions",
    "review_results",
    "review_assignees",
    "review_assignees_before",
    "media_uses",
    "messages",
    "message_media",
    "session_people",
    "events",
    "deliveries",
    "outgoing_messages",
    "audit_log",
    "usage_counts",
)
# Rows that are numbered on insert are written in the order in which they happened.
ORDER_COLUMNS: Final = {"events": "created_at", "audit_log": "at"}


class Rows:
    def __init__(self) -> None:
        self._rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES}

    def add(self, table: str, **columns: Any) -> None:
        """Add a row. All rows of a table name the same columns; the others have their defaults."""
        self._rows[table].append(columns)

    def of(self, table: str) -> Sequence[dict[str, Any]]:
        return self._rows[table]

    async def write(self, tx: Executor) -> None:
        for table, rows in self._rows.items():
            if not rows:
                continue
            if table in ORDER_COLUMNS:
                rows.sort(key=itemgetter(ORDER_COLUMNS[table]))
            columns = ", ".join(rows[0])
            assert all(row.keys() == rows[0].keys() for row in rows), table
            await tx.execute(
                f"insert into {table} ({columns}) select {columns} from json_populate_recordset(null::{table}, $1)",  # noqa: S608
                rows,
            )


def build_id(prefix: str, at: datetime) -> str:
    return id_at(prefix, at) + os.urandom(8).hex()
