"""Everything here happened within a minute. For the pictures it is spread over the weeks before."""

from signoff.platform.db import Database


async def spread_over_time(dsn: str) -> None:
    """The order stays: the older of two reviews is asked for earlier, and decided some time after that."""
    db = await Database.connect(dsn, size=1)
    try:
        async with db.transaction() as tx:
            await tx.execute(
                """
                update reviews r set
                    created_at = n.asked,
                    responded_at = case when r.responded_at is not null
                        then n.asked + make_interval(mins => 3 + (n.place * 37 % 180)::int) end
                from (
                    select review_id, place,
                           now() - make_interval(hours => ((total - place) * 9 + (place * 7 % 5))::int) as asked
                    from (select review_id, row_number() over (order by review_id) as place,
                                 count(*) over () as total from reviews) numbered
                ) n
                where n.review_id = r.review_id
                """
            )
    finally:
        await db.close()
