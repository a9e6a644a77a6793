"""The fields of all versions of a review type."""

from signoff.platform.db import Executor


async def fields_of_all_versions(db: Executor, form_id: str) -> dict[str, str]:
    """Return the type of each field by its ID: those of the current version first, each as in its latest version."""
    rows = await db.fetch(
        """
        select distinct on (field ->> 'id') field ->> 'id' as id, field ->> 'type' as type, v.version, place
        from form_versions v
        cross join lateral json_array_elements(v.definition -> 'fields') with ordinality as declared (field, place)
        where v.form_id = $1
        order by field ->> 'id', v.version desc
        """,
        form_id,
    )
    rows.sort(key=lambda row: (-row["version"], row["place"]))
    return {row["id"]: row["type"] for row in rows}
