"""Pending reviews right now and their age, whatever the period.

IDs contain their creation time, so the inbox's indexes have everything: no review has to be read.
"""

from signoff.insights.query import InsightsQuery
from signoff.insights.schemas import Age, Open
from signoff.platform.clock import iso_or_none
from signoff.platform.ids import id_at

BOUNDED_AGES = {
    "under an hour": 3_600,
    "1 to 4 hours": 14_400,
    "4 to 24 hours": 86_400,
    "1 to 3 days": 259_200,
    "3 to 7 days": 604_800,
}
OLDER = "over 7 days"

_YOUNGER = ", ".join(
    f"count(*) filter (where review_id >= ($4::text[])[{place}])" for place in range(1, len(BOUNDED_AGES) + 1)
)


async def count_open(question: InsightsQuery) -> Open:
    rows = await question.fetch(
        f"""
        select phase, total, younger,
               (select created_at from reviews where account_id = $1 and review_id = counted.oldest) as oldest
        from (select phase, count(*) as total, min(review_id) as oldest, array[{_YOUNGER}] as younger
              from reviews
              where account_id = $1 and ($2::text is null or agent_id = $2) and ($3::text is null or form_id = $3)
                and phase in ('open', 'waiting')
              group by phase) as counted
        """,  # noqa: S608
        [id_at("rev", question.now, -seconds) for seconds in BOUNDED_AGES.values()],
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
