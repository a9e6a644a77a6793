"""How often people who approved saw each field, and how often they edited it first.

A decision stores which fields were edited and which were absent (`reviews/decisions.py`); the review type's version
says which fields existed.
"""

from collections import Counter
from collections.abc import Collection

from signoff.forms.fields import FIELD_TYPES
from signoff.insights.coverage import DAY
from signoff.insights.decisions import RESPONDED_BY_PEOPLE
from signoff.insights.period import Period
from signoff.insights.query import SELECTED, InsightsQuery
from signoff.insights.schemas import FieldEdits
from signoff.platform.db import Row
from signoff.platform.sql import Sql

MAX_FORMS = 10
_TRACKING = sorted(kind.name for kind in FIELD_TYPES.values() if kind.tracks_edits)

# Of each version, and of each of its fields.
_COMPUTED = Sql(
    """
    select day, agent_id, form_id, form_version, field_id, decided, approved, edited, absent from (
        with decided as materialized (
            select day, agent_id, form_id, form_version, response is not distinct from 'approved' as is_approved,
                   edited_fields, absent_fields, count(*) as alike
            from ({responded}) as responded
            group by day, agent_id, form_id, form_version, is_approved, edited_fields, absent_fields
        )
        select day, agent_id, form_id, form_version, '' as field_id, sum(alike) as decided,
               coalesce(sum(alike) filter (where is_approved), 0) as approved, 0 as edited, 0 as absent
        from decided group by day, agent_id, form_id, form_version
        union all
        select day, agent_id, form_id, form_version, field_id, 0, 0, sum(alike) filter (where is_edited),
               sum(alike) filter (where not is_edited)
        from (
            select day, agent_id, form_id, form_version, alike, field_id, true as is_edited
            from decided cross join unnest(edited_fields) as field_id where is_approved
            union all
            select day, agent_id, form_id, form_version, alike, field_id, false
            from decided cross join unnest(absent_fields) as field_id where is_approved
        ) as field
        group by day, agent_id, form_id, form_version, field_id
    ) as computed
    """,
    responded=RESPONDED_BY_PEOPLE,
)

ROLL_UP_EDITS = Sql(
    """
    insert into insight_edits (account_id, start, agent_id, form_id, form_version, field_id, decided, approved, edited,
                               absent)
    select :account_id, day, agent_id, form_id, form_version, field_id, decided, approved, coalesce(edited, 0),
           coalesce(absent, 0)
    from ({computed}) as computed
    """,
    computed=_COMPUTED,
)

COUNT_EDITS = Sql(
    """
    with statistics as materialized (
        select form_id, form_version, field_id, sum(decided)::bigint as decided, sum(approved)::bigint as approved,
               sum(edited)::bigint as edited, sum(absent)::bigint as absent
        from (
            select form_id, form_version, field_id, decided, approved, edited, absent from insight_edits
            where {selected} and start >= :covered_from and start < :covered_until
              and start <> all(:changed::timestamptz[])
            union all
            select form_id, form_version, field_id, decided, approved, edited, absent from ({computed}) as computed
        ) as both_parts
        group by form_id, form_version, field_id
    ), form as (
        select form_id, sum(decided)::bigint as decisions
        from statistics group by form_id order by decisions desc, form_id limit {max_forms}
    )
    select form_id, form_version, field_id, decisions, approved, coalesce(edited, 0) as edited,
           coalesce(absent, 0) as absent
    from statistics join form using (form_id) where field_id <> '' or approved > 0
    """,
    selected=SELECTED,
    computed=_COMPUTED,
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
    split = question.coverage.split("decisions", period.begin, period.end, DAY)
    counted = await question.fetch(COUNT_EDITS, **split.parameters())
    of_versions = [row for row in counted if not row["field_id"]]
    versions = {(row["form_id"], row["form_version"]): row["approved"] for row in of_versions}
    decided = {row["form_id"]: row["decisions"] for row in of_versions}
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
    by_field = Counter[tuple[str, str]]()
    for row in counted:
        by_field[row["form_id"], row["field_id"]] += row[what]
    return by_field


async def _read_tracked_fields(question: InsightsQuery, versions: Collection[tuple[str, int]]) -> list[Row]:
    """Return the fields of each version whose edits are tracked, the latest version first."""
    return await SELECT_TRACKED_FIELDS.fetch(
        question.db,
        account_id=question.account_id,
        form_ids=[form_id for form_id, _ in versions],
        versions=[version for _, version in versions],
        types=_TRACKING,
    )
