from typing import Any, Final

from signoff.forms.schemas import Form, FormRow, Version
from signoff.platform.clock import iso, iso_or_none
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

TRANSLATED_NAMES: Final = """
    (select json_object_agg(language, texts -> 'name')
     from json_each(v.definition -> 'translations') as translation (language, texts)
     where texts -> 'name' is not null) as translated_names
"""
"""Of the version `v`, by language; null if its name isn't translated."""


def to_form(row: Row) -> Form:
    definition: dict[str, Any] = row["definition"]
    return Form.model_validate(
        {
            **definition,
            "layout": definition.get("layout") or [],
            "formId": row["form_id"],
            "version": row["version"],
            "createdAt": iso(row["created_at"]),
            "updatedAt": iso(row["updated_at"]),
            "archivedAt": iso_or_none(row["archived_at"]),
        }
    )


SELECT_FORM = Sql(
    """
    select f.form_id, f.version, f.created_at, f.updated_at, f.archived_at, v.definition,
           v.created_by as saved_by, v.created_at as saved_at
    from forms f join form_versions v using (form_id, version)
    where f.account_id = :account_id and f.form_id = :form_id
    """
)
LOCK_FORM = Sql("{select_form} for update of f", select_form=SELECT_FORM)


async def get_form_row(db: Executor, account_id: str, form_id: str, *, lock: bool = False) -> Row:
    """Return the review type with its current definition; `lock` prevents changes until the transaction ends."""
    statement = LOCK_FORM if lock else SELECT_FORM
    row = await statement.fetch_one(db, account_id=account_id, form_id=form_id)
    if row is None and lock:
        # If it changes while we wait for the lock, the first query finds that the old version's row is gone. The
        # second, which holds the lock, finds the new one.
        row = await statement.fetch_one(db, account_id=account_id, form_id=form_id)
    if row is None:
        raise NotFound(msg("review type"), form_id)
    return row


LIST_FORMS = Sql(
    """
    select f.form_id, f.version, f.name, f.agent_id, f.created_at, f.updated_at,
           v.definition ->> 'description' as description, {translated_names}
    from forms f join form_versions v using (form_id, version)
    where f.account_id = :account_id and f.form_id > :after and (f.archived_at is not null) = :archived
      and (:agent_id::text is null or f.agent_id = :agent_id)
    order by f.form_id limit :limit
    """,
    translated_names=TRANSLATED_NAMES,
)


async def list_forms(
    db: Executor, account_id: str, *, agent_id: str | None, archived: bool, after: str | None, limit: int
) -> list[FormRow]:
    rows = await LIST_FORMS.fetch(
        db, account_id=account_id, after=after or "", archived=archived, agent_id=agent_id, limit=limit
    )
    return [
        FormRow.model_validate({**row, "created_at": iso(row["created_at"]), "updated_at": iso(row["updated_at"])})
        for row in rows
    ]


async def list_forms_with_fields(
    db: Executor, account_id: str, *, agent_id: str | None, after: str, limit: int = 20
) -> list[Row]:
    """Return active review types with the fields of their current version, sorted by ID."""
    return await db.fetch(
        """
        select f.form_id, f.name, f.agent_id, v.definition -> 'fields' as fields
        from forms f join form_versions v using (form_id, version)
        where f.account_id = $1 and f.form_id > $2 and f.archived_at is null and ($3::text is null or f.agent_id = $3)
        order by f.form_id limit $4
        """,
        account_id,
        after,
        agent_id,
        limit,
    )


async def list_versions(
    db: Executor, account_id: str, form_id: str, *, before: int | None, limit: int
) -> list[Version]:
    """Return the newest version first."""
    current = await get_form_row(db, account_id, form_id)
    rows = await db.fetch(
        """
        select version, created_at, created_by, definition from form_versions
        where form_id = $1 and ($2::integer is null or version < $2) order by version desc limit $3
        """,
        form_id,
        before,
        limit,
    )
    return [to_version(row, current["version"]) for row in rows]


async def get_version(db: Executor, account_id: str, form_id: str, version: int) -> Version:
    current = await get_form_row(db, account_id, form_id)
    return to_version(await get_version_row(db, form_id, version), current["version"])


async def get_version_row(db: Executor, form_id: str, version: int) -> Row:
    """Return one version of a review type that the caller has already fetched, and so may see."""
    row = await db.fetchrow(
        "select version, created_at, created_by, definition from form_versions where form_id = $1 and version = $2",
        form_id,
        version,
    )
    if row is None:
        raise NotFound(msg("version"), str(version))
    return row


def to_version(row: Row, current: int) -> Version:
    return Version(
        version=row["version"],
        created_at=iso(row["created_at"]),
        created_by=row["created_by"],
        current=row["version"] == current,
        definition=row["definition"],
    )
