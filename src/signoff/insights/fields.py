"""How often people who approved saw each field, and how often they edited it first.

A decision stores which fields were edited and which were absent (`reviews/decisions.py`); the review type's version
says which fields existed.
"""

from collections import Counter
from collections.abc import Collection

from signoff.forms.fields import FIELD_TYPES
from signoff.insights.decisions import BY_PEOPLE
from signoff.insights.period import Period
from signoff.insights.query import InsightsQuery
from signoff.insights.schemas import FieldEdits
from signoff.platform.db import Row
from signoff.platform.sql import Sql

MAX_FORMS = 10
_TRACKING = sorted(kind.name for kind in FIELD_TYPES.values() if kind.tracks_edits)

COUNT_EDITS = Sql(
    """
    with decided as materialized (
        select form_id, form_version, response, edited_fields, absent_fields, count(*) as alike
        from ({by_people}) as decided group by form_id, form_version, response, edited_fields, absent_fields
    ), form as (
        select form_id, sum(alike)::bigint as decisions
        from decided group by form_id order by decisions desc, form_id limit {max_forms}
    ), approved as (
        select * from decided join form using (form_id) where response = 'approved'
    )
    select 'version' as what, form_id, form_version, null as field_id, sum(alike)::bigint as count, decisions
    from approved group by form_id, form_version, decisions
    union all
    select 'edited', form_id, null, field_id, sum(alike)::bigint, null
    from approved cross join unnest(edited_fields) as field_id group by form_id, field_id
    union all
    select 'absent', form_id, null, field_id, sum(alike)::bigint, null
    from approved cross join unnest(absent_fields) as field_id group by form_id, field_id
    """,
    by_people=BY_PEOPLE,
    max_forms=MAX_FORMS,
)

SELECT_TRACKED_FIELDS = Sql(
    """
    select form_id, v.version, field ->> 'id' as field_id, coalesce(field ->> 'label', field ->> 'id') as label
    from forms f
    join unnest(:form_ids::text[], :versions::integer[]) as asked (form_id, version) using (form_id)
    join form_versions v using (form_id)
    cross join lateral json_array_elements(v.definition -> 'fields') with ordinality as declared (field, place)
    where f.account_id = :account_id and v.version = asked.version and field ->> 'type' = any(:types::text[])
    order by form_id, v.version desc, place
    """
)


async def count_edits(question: InsightsQuery, period: Period) -> list[FieldEdits]:
    """Count the edits of the ten review types with the most decisions, in that order; fields are in the order of
    the form.
    """
    counted = await question.fetch(COUNT_EDITS, begin=period.begin, end=period.end)
    versions = {(row["form_id"], row["form_version"]): row["count"] for row in counted if row["what"] == "version"}
    decided = {row["form_id"]: row["decisions"] for row in counted if row["what"] == "version"}
    edited, absent = _by_field(counted, "edited"), _by_field(counted, "absent")
    shown: Counter[tuple[str, str]] = Counter()
    labels: dict[tuple[str, str], str] = {}
    for field in await _read_tracked_fields(question, versions):
        name = field["form_id"], field["field_id"]
        shown[name] += versions[field["form_id"], field["version"]]
        labels.setdefault(name, field["label"])
    edit_counts = [
        FieldEdits(
            form_id=form_id,
            field_id=field_id,
            label=label,
            shown=shown[form_id, field_id] - absent[form_id, field_id],
            edited=edited[form_id, field_id],
        )
        for (form_id, field_id), label in labels.items()
    ]
    edit_counts.sort(key=lambda field: (-decided[field.form_id], field.form_id))
    return [field for field in edit_counts if field.shown]


def _by_field(counted: list[Row], what: str) -> Counter[tuple[str, str]]:
    return Counter({(row["form_id"], row["field_id"]): row["count"] for row in counted if row["what"] == what})


async def _read_tracked_fields(question: InsightsQuery, versions: Collection[tuple[str, int]]) -> list[Row]:
    """Return the fields of each version whose edits are tracked, the latest version first."""
    return await SELECT_TRACKED_FIELDS.fetch(
        question.db,
        account_id=question.account_id,
        form_ids=[form_id for form_id, _ in versions],
        versions=[version for _, version in versions],
        types=_TRACKING,
    )
