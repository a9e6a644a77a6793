"""Pending reviews right now and their age, whatever the period.

IDs contain their creation time, so the inbox's indexes have everything: no review has to be read.
"""

from signoff.insights.query import SELECTED, InsightsQuery
from signoff.insights.schemas import Age, Open
from signoff.platform.clock import iso_or_none
from signoff.platform.ids import id_at
from signoff.platform.sql import Sql

BOUNDED_AGES = {
    "under an hour": 3_600,
    "1 to 4 hours": 14_400,
    "4 to 24 hours": 86_400,
    "1 to 3 days": 259_200,
    "3 to 7 days": 604_800,
}
OLDER = "over 7 days"

COUNT_OPEN = Sql(
    """
    select phase, total, younger,
           (select created_at from reviews where account_id = :account_id and review_id = counted.oldest) as oldest
    from (select phase, count(*) as total, min(review_id) as oldest,
                 array[count(*) filter (where review_id >= (:ages::text[])[1]),
                       count(*) filter (where review_id >= (:ages::text[])[2]),
                       count(*) filter (where review_id >= (:ages::text[])[3]),
                       count(*) filter (where review_id >= (:ages::text[])[4]),
                       count(*) filter (where review_id >= (:ages::text[])[5])] as younger
          from reviews where {selected} and phase in ('open', 'waiting')
          group by phase) as counted
    """,
    selected=SELECTED,
)
"""`ages` are the lowest review IDs of `BOUNDED_AGES`."""


async def count_open(question: InsightsQuery) -> Open:
    rows = await question.fetch(
        COUNT_OPEN, ages=[id_at("rev", question.now, -seconds) for seconds in BOUNDED_AGES.values()]
    )
    total = sum(row["total"] for row in rows)
    ages: list[Age] = []
    counted = 0
    for place, (label, seconds) in enumerate(BOUNDED_AGES.items()):
        younger = sum(row["younger"][place] for row in rows)
        ages.append(Age(label=label, up_to_seconds=seconds, count=younger - counted))
        counted = younger
    return Open(
        total=total,
        waiting=sum(row["total"] for row in rows if row["phase"] == "waiting"),
        oldest_at=iso_or_none(min((row["oldest"] for row in rows), default=None)),
        ages=[*ages, Age(label=OLDER, up_to_seconds=None, count=total - counted)],
    )
