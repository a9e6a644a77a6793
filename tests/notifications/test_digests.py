"""Digests by a clock that the test sets: what is in them, over changes of the clocks, after days without a worker.

The clock stands far in the future, where the worker of the service, which goes by the real one, has nothing to do.
"""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from review_mail_helpers import Member, Office, reviews_in
from support.api import assert_ok

from signoff.notifications.review_mails.digests import Digests

HOUR = timedelta(hours=1)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


async def hours_with_mail(office: Office, member: Member, begin: datetime, hours: int) -> list[str]:
    """At which of these full hours, by the member's clock, a digest is ordered."""
    me = await assert_ok(member.client.get("/auth/me"))
    zone = ZoneInfo(me["preferences"]["timeZone"] or "UTC")
    moments = [begin + number * HOUR for number in range(hours)]
    return [f"{moment.astimezone(zone):%d %H:%M}" for moment in moments if await office.digest(member, moment)]


class TestDaily:
    @pytest.mark.parametrize(
        ("zone", "hour", "begin", "expected"),
        [
            ("Europe/Berlin", 2, "2047-03-30T00:00", ["30 02:00", "31 03:00", "01 02:00"]),
            ("Europe/Berlin", 2, "2047-10-26T00:00", ["26 02:00", "27 02:00", "28 02:00"]),
            ("America/New_York", 1, "2047-11-02T01:00", ["02 01:00", "03 01:00", "04 01:00"]),
            ("America/Los_Angeles", 8, "2047-03-09T08:00", ["09 08:00", "10 08:00", "11 08:00"]),
        ],
    )
    async def test_once_a_day_over_changes_of_the_clocks(
        self, office: Office, zone: str, hour: int, begin: str, expected: list[str]
    ) -> None:
        ann = await office.join(email="daily", timeZone=zone, digestHour=hour)
        await office.request(await office.make_form(), ann)
        await office.begin_digests(ann, utc(begin) - HOUR)
        assert await hours_with_mail(office, ann, utc(begin), 72) == expected

    async def test_what_is_in_it(self, office: Office) -> None:
        form, other = await office.make_form(), await office.make_form()
        ann = await office.join(email="daily", agents={other["agentId"]: "none"})
        ben = await office.join()
        await office.begin_digests(ann, utc("2047-01-04T09:00"))
        assert await office.digest(ann, utc("2047-01-05T08:00")) == 0, "nothing waits"
        ids = [await office.request(form, ann, title=f"Number {number}") for number in range(3)]
        await office.request(other, ann)
        await office.request(form, ben)
        await assert_ok(ann.client.post(f"/reviews/{ids[1]}/response", json={"response": "approved"}))
        assert await office.digest(ann, utc("2047-01-06T07:59")) == 0, "it is not their hour yet"
        assert await office.digest(ann, utc("2047-01-06T08:00")) == 1
        mail = await office.server.mail_to(ann.email, 2)
        assert mail.message["Subject"] == "You have 2 pending reviews in Other"
        assert reviews_in(mail) == [ids[0], ids[2]], "oldest first"
        assert mail.message["List-Unsubscribe"]

    async def test_review_types_in_the_readers_language(self, office: Office) -> None:
        translations = {"de": {"name": "Auszahlung"}, "fr": {"groups": {"publishing": {"label": "Publication"}}}}
        translated = await office.make_form(name="Payout", titleField=None, translations=translations)
        plain = await office.make_form(name="Newsletter", titleField=None)
        readers = {language: await office.join(email="daily") for language in ("de", "fr")}
        for form in (translated, plain):
            await office.request(form, *readers.values())
        for (language, reader), names in zip(readers.items(), ("Auszahlung", "Payout"), strict=True):
            await assert_ok(reader.client.patch("/auth/me", json={"language": language}))
            await office.begin_digests(reader, utc("2047-01-04T09:00"))
            assert await office.digest(reader, utc("2047-01-05T08:00")) == 1
            mail = await office.server.mail_to(reader.email, 2)
            assert re.findall(r"\* (.+)\r", mail.text) == [names, "Newsletter"]
            assert f'<html lang="{language}"' in mail.html

    async def test_after_days_without_a_worker_there_is_one(self, office: Office) -> None:
        ann = await office.join(email="daily", timeZone="Europe/Berlin")
        await office.request(await office.make_form(), ann)
        await office.begin_digests(ann, utc("2047-01-04T09:00"))
        assert await office.digest(ann, utc("2047-01-09T13:20")) == 1
        assert await office.digest(ann, utc("2047-01-09T13:21")) == 0
        assert await office.digest(ann, utc("2047-01-10T06:59")) == 0
        assert await office.digest(ann, utc("2047-01-10T07:00")) == 1

    async def test_who_is_asked_for_somebody_away_or_by_everybody(self, own_office: Office) -> None:
        office = own_office
        gus, hal = await office.join(email="daily"), await office.join(email="none")
        await office.begin_digests(gus, utc("2047-01-04T09:00"))
        absence = {"from": "2026-11-01T00:00:00Z", "until": "2036-11-01T00:00:00Z", "delegate": gus.email}
        await assert_ok(hal.client.put("/auth/me/absence", json=absence))
        form = await office.make_form()
        ids = [await office.request(form, hal), await office.request(form)]
        await office.request(form, extReviewers=["outside@example.com"])
        assert await office.digest(gus, utc("2047-01-05T08:00")) == 1
        assert reviews_in(await office.server.mail_to(gus.email, 2)) == ids

    async def test_who_is_disabled_gets_none(self, office: Office) -> None:
        ann = await office.join(email="daily")
        await office.request(await office.make_form(), ann)
        await office.begin_digests(ann, utc("2047-01-04T09:00"))
        await assert_ok(office.owner.client.patch(f"/users/{ann.user_id}", json={"disabled": True}))
        assert await office.digest(ann, utc("2047-01-05T08:00")) == 0

    async def test_a_long_list_is_cut(self, own_office: Office) -> None:
        office = own_office
        ann = await office.join(email="daily")
        await office.begin_digests(ann, utc("2047-01-04T09:00"))
        first = await office.request(await office.make_form())
        await office.copy(first, 99)
        assert await office.digest(ann, utc("2047-01-05T08:00")) == 1
        mail = await office.server.mail_to(ann.email, 2)
        assert mail.message["Subject"] == "You have 100 pending reviews in Other"
        assert len(reviews_in(mail)) == 30
        assert "and 70 more" in mail.text


class TestHourly:
    async def test_when_something_is_new_and_once_a_day(self, office: Office) -> None:
        """Nobody is told each hour of the night what they know."""
        form = await office.make_form()
        ann = await office.join(email="hourly", timeZone="Europe/Berlin", digestHour=7)
        await office.begin_digests(ann, utc("2047-01-04T18:30"))
        assert await office.digest(ann, utc("2047-01-04T19:00")) == 0, "nothing waits"
        await office.request(form, ann)
        assert await hours_with_mail(office, ann, utc("2047-01-04T20:00"), 14) == ["04 21:00", "05 07:00"]
        await office.request(form, ann)
        assert await hours_with_mail(office, ann, utc("2047-01-05T10:00"), 3) == ["05 11:00"]

    @pytest.mark.parametrize(
        ("begin", "expected"),
        [
            ("2047-10-27T00:00", ["27 02:00", "27 02:00", "27 03:00"]),
            ("2047-03-31T00:00", ["31 01:00", "31 03:00", "31 04:00"]),
        ],
    )
    async def test_over_changes_of_the_clocks(self, office: Office, begin: str, expected: list[str]) -> None:
        form = await office.make_form()
        ann = await office.join(email="hourly", timeZone="Europe/Berlin", digestHour=12)
        await office.begin_digests(ann, utc(begin) - HOUR / 2)
        found: list[str] = []
        for number in range(3):
            await office.request(form, ann)
            found += await hours_with_mail(office, ann, utc(begin) + number * HOUR, 1)
        assert found == expected

    async def test_beside_a_daily_one_each_has_its_own_agents(self, office: Office) -> None:
        form, urgent = await office.make_form(), await office.make_form()
        ann = await office.join(email="daily", agents={urgent["agentId"]: "hourly"})
        await office.begin_digests(ann, utc("2047-01-04T07:30"))
        ids = [await office.request(form, ann), await office.request(urgent, ann)]
        assert await office.digest(ann, utc("2047-01-04T08:00")) == 2
        await office.server.mail_to(ann.email, 3)
        assert sorted(reviews_in(mail) for mail in office.server.to(ann.email)[1:]) == [[each] for each in ids]


async def test_the_worker_plans_and_reckons_anew_when_somebody_chooses_otherwise(office: Office) -> None:
    """By the real clock: the service's own worker sees to it within seconds."""
    ann = await office.join(email="daily", timeZone="Asia/Tokyo", digestHour=6)
    first = await office.planned_digest(ann)
    assert first.astimezone(ZoneInfo("Asia/Tokyo")).hour == 6
    await ann.choose(digestHour=17)
    # Of the two who see that it has changed, the second finds it done.
    await Digests(office.db).plan()
    assert (await office.planned_digest(ann)).astimezone(ZoneInfo("Asia/Tokyo")).hour == 17


async def test_held_in_a_restored_copy_until_somebody_chooses_otherwise(office: Office) -> None:
    ann = await office.join(email="daily", digestHour=6)
    await office.planned_digest(ann)
    await office.db.execute(  # as `signoff restore --hold-deliveries` does
        "update notified_people set next_hourly_at = null, next_daily_at = null where user_id = $1", ann.user_id
    )
    await Digests(office.db).plan()
    times = "select coalesce(next_hourly_at, next_daily_at) from notified_people where user_id = $1"
    assert await office.db.fetchval(times, ann.user_id) is None
    assert (await assert_ok(ann.client.get("/auth/me/nextMail")))["digestAt"] is None
    await ann.choose(digestHour=7)
    assert (await assert_ok(ann.client.get("/auth/me/nextMail")))["digestAt"] is not None
    await Digests(office.db).plan()
    assert (await office.planned_digest(ann)).hour == 7
