"""Digests by a clock that the test sets: their content, across clock changes, after days without a worker.

The clock is far in the future, where the service's worker, which uses the real one, has nothing to do.
"""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from review_mail_helpers import MailSetup, Member, reviews_in
from support.api import assert_ok

from signoff.notifications.review_mails import digests
from signoff.notifications.review_mails.digests import Digests
from signoff.notifications.review_mails.recipients import Recipient, read_person
from signoff.platform.db import Executor

HOUR = timedelta(hours=1)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


async def hours_with_mail(mail_setup: MailSetup, member: Member, begin: datetime, hours: int) -> list[str]:
    """At which of these full hours, by the user's clock, a digest is enqueued."""
    me = await assert_ok(member.client.get("/auth/me"))
    zone = ZoneInfo(me["preferences"]["timeZone"] or "UTC")
    moments = [begin + number * HOUR for number in range(hours)]
    return [f"{moment.astimezone(zone):%d %H:%M}" for moment in moments if await mail_setup.send_digest(member, moment)]


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
    async def test_once_a_day_across_dst_changes(
        self, mail_setup: MailSetup, zone: str, hour: int, begin: str, expected: list[str]
    ) -> None:
        ann = await mail_setup.add_member(email="daily", timeZone=zone, digestHour=hour)
        await mail_setup.request(await mail_setup.make_form(), ann)
        await mail_setup.start_digests(ann, utc(begin) - HOUR)
        assert await hours_with_mail(mail_setup, ann, utc(begin), 72) == expected

    async def test_content(self, mail_setup: MailSetup) -> None:
        form, other = await mail_setup.make_form(), await mail_setup.make_form()
        ann = await mail_setup.add_member(email="daily", agents={other["agentId"]: "none"})
        ben = await mail_setup.add_member()
        await mail_setup.start_digests(ann, utc("2047-01-04T09:00"))
        assert await mail_setup.send_digest(ann, utc("2047-01-05T08:00")) == 0, "nothing waits"
        ids = [await mail_setup.request(form, ann, title=f"Number {number}") for number in range(3)]
        await mail_setup.request(other, ann)
        await mail_setup.request(form, ben)
        await assert_ok(ann.client.post(f"/reviews/{ids[1]}/response", json={"response": "approved"}))
        assert await mail_setup.send_digest(ann, utc("2047-01-06T07:59")) == 0, "it is not their hour yet"
        assert await mail_setup.send_digest(ann, utc("2047-01-06T08:00")) == 1
        mail = await mail_setup.server.wait_for_mail(ann.email, 2)
        assert mail.message["Subject"] == "You have 2 pending reviews in Other"
        assert reviews_in(mail) == [ids[0], ids[2]], "oldest first"
        assert mail.message["List-Unsubscribe"]

    async def test_review_types_in_the_readers_language(self, mail_setup: MailSetup) -> None:
        translations = {"de": {"name": "Auszahlung"}, "fr": {"groups": {"publishing": {"label": "Publication"}}}}
        translated = await mail_setup.make_form(name="Payout", titleField=None, translations=translations)
        plain = await mail_setup.make_form(name="Newsletter", titleField=None)
        readers = {language: await mail_setup.add_member(email="daily") for language in ("de", "fr")}
        for form in (translated, plain):
            await mail_setup.request(form, *readers.values())
        for (language, reader), names in zip(readers.items(), ("Auszahlung", "Payout"), strict=True):
            await assert_ok(reader.client.patch("/auth/me", json={"language": language}))
            await mail_setup.start_digests(reader, utc("2047-01-04T09:00"))
            assert await mail_setup.send_digest(reader, utc("2047-01-05T08:00")) == 1
            mail = await mail_setup.server.wait_for_mail(reader.email, 2)
            assert re.findall(r"\* (.+)\r", mail.text) == [names, "Newsletter"]
            assert f'<html lang="{language}"' in mail.html

    async def test_one_after_days_without_a_worker(self, mail_setup: MailSetup) -> None:
        ann = await mail_setup.add_member(email="daily", timeZone="Europe/Berlin")
        await mail_setup.request(await mail_setup.make_form(), ann)
        await mail_setup.start_digests(ann, utc("2047-01-04T09:00"))
        assert await mail_setup.send_digest(ann, utc("2047-01-09T13:20")) == 1
        assert await mail_setup.send_digest(ann, utc("2047-01-09T13:21")) == 0
        assert await mail_setup.send_digest(ann, utc("2047-01-10T06:59")) == 0
        assert await mail_setup.send_digest(ann, utc("2047-01-10T07:00")) == 1

    async def test_delegates_and_unassigned_reviews(self, own_mail_setup: MailSetup) -> None:
        mail_setup = own_mail_setup
        gus, hal = await mail_setup.add_member(email="daily"), await mail_setup.add_member(email="none")
        await mail_setup.start_digests(gus, utc("2047-01-04T09:00"))
        absence = {"from": "2026-11-01T00:00:00Z", "until": "2036-11-01T00:00:00Z", "delegate": gus.email}
        await assert_ok(hal.client.put("/auth/me/absence", json=absence))
        form = await mail_setup.make_form()
        ids = [await mail_setup.request(form, hal), await mail_setup.request(form)]
        await mail_setup.request(form, extReviewers=["outside@example.com"])
        assert await mail_setup.send_digest(gus, utc("2047-01-05T08:00")) == 1
        assert reviews_in(await mail_setup.server.wait_for_mail(gus.email, 2)) == ids

    async def test_former_members_get_none(self, mail_setup: MailSetup) -> None:
        ann = await mail_setup.add_member(email="daily")
        await mail_setup.request(await mail_setup.make_form(), ann)
        await mail_setup.start_digests(ann, utc("2047-01-04T09:00"))
        await assert_ok(mail_setup.owner.client.patch(f"/users/{ann.user_id}", json={"disabled": True}))
        assert await mail_setup.send_digest(ann, utc("2047-01-05T08:00")) == 0

    async def test_long_lists_are_truncated(self, own_mail_setup: MailSetup) -> None:
        mail_setup = own_mail_setup
        ann = await mail_setup.add_member(email="daily")
        await mail_setup.start_digests(ann, utc("2047-01-04T09:00"))
        first = await mail_setup.request(await mail_setup.make_form())
        await mail_setup.copy_review(first, 99)
        assert await mail_setup.send_digest(ann, utc("2047-01-05T08:00")) == 1
        mail = await mail_setup.server.wait_for_mail(ann.email, 2)
        assert mail.message["Subject"] == "You have 100 pending reviews in Other"
        assert len(reviews_in(mail)) == 30
        assert "and 70 more" in mail.text


class TestHourly:
    async def test_when_something_is_new_and_once_a_day(self, mail_setup: MailSetup) -> None:
        """Nobody gets the same news every hour of the night."""
        form = await mail_setup.make_form()
        ann = await mail_setup.add_member(email="hourly", timeZone="Europe/Berlin", digestHour=7)
        await mail_setup.start_digests(ann, utc("2047-01-04T18:30"))
        assert await mail_setup.send_digest(ann, utc("2047-01-04T19:00")) == 0, "nothing waits"
        await mail_setup.request(form, ann)
        assert await hours_with_mail(mail_setup, ann, utc("2047-01-04T20:00"), 14) == ["04 21:00", "05 07:00"]
        await mail_setup.request(form, ann)
        assert await hours_with_mail(mail_setup, ann, utc("2047-01-05T10:00"), 3) == ["05 11:00"]

    @pytest.mark.parametrize(
        ("begin", "expected"),
        [
            ("2047-10-27T00:00", ["27 02:00", "27 02:00", "27 03:00"]),
            ("2047-03-31T00:00", ["31 01:00", "31 03:00", "31 04:00"]),
        ],
    )
    async def test_across_dst_changes(self, mail_setup: MailSetup, begin: str, expected: list[str]) -> None:
        form = await mail_setup.make_form()
        ann = await mail_setup.add_member(email="hourly", timeZone="Europe/Berlin", digestHour=12)
        await mail_setup.start_digests(ann, utc(begin) - HOUR / 2)
        found: list[str] = []
        for number in range(3):
            await mail_setup.request(form, ann)
            found += await hours_with_mail(mail_setup, ann, utc(begin) + number * HOUR, 1)
        assert found == expected

    async def test_hourly_and_daily_for_different_agents(self, mail_setup: MailSetup) -> None:
        form, urgent = await mail_setup.make_form(), await mail_setup.make_form()
        ann = await mail_setup.add_member(email="daily", agents={urgent["agentId"]: "hourly"})
        await mail_setup.start_digests(ann, utc("2047-01-04T07:30"))
        ids = [await mail_setup.request(form, ann), await mail_setup.request(urgent, ann)]
        assert await mail_setup.send_digest(ann, utc("2047-01-04T08:00")) == 2
        await mail_setup.server.wait_for_mail(ann.email, 3)
        assert sorted(reviews_in(mail) for mail in mail_setup.server.mails_to(ann.email)[1:]) == [
            [each] for each in ids
        ]


async def test_worker_reschedules_after_a_preference_change(mail_setup: MailSetup) -> None:
    """By the real clock: the service's own worker does it within seconds."""
    ann = await mail_setup.add_member(email="daily", timeZone="Asia/Tokyo", digestHour=6)
    first = await mail_setup.planned_digest(ann)
    assert first.astimezone(ZoneInfo("Asia/Tokyo")).hour == 6
    await ann.set_preferences(digestHour=17)
    # If two workers see the change, the second finds it done.
    await Digests(mail_setup.db).plan()
    assert (await mail_setup.planned_digest(ann)).astimezone(ZoneInfo("Asia/Tokyo")).hour == 17


async def test_settings_change_while_planning(mail_setup: MailSetup, monkeypatch: pytest.MonkeyPatch) -> None:
    """The schedule and the settings that it's for are from the same moment."""
    ann = await mail_setup.add_member(email="daily", digestHour=6)
    await mail_setup.planned_digest(ann)
    changes = [9]

    async def read_after_change(db: Executor, user_id: str) -> Recipient | None:
        if user_id == ann.user_id and changes:
            await ann.set_preferences(digestHour=changes.pop())
        return await read_person(db, user_id)

    monkeypatch.setattr(digests, "read_person", read_after_change)
    await ann.set_preferences(digestHour=8)
    await Digests(mail_setup.db).plan()
    row = await mail_setup.db.fetchrow(
        "select digest_plan, next_daily_at from notified_people where user_id = $1", ann.user_id
    )
    assert changes == []
    assert str(row["next_daily_at"].hour) in row["digest_plan"].split()
    assert (await mail_setup.planned_digest(ann)).hour == 9


async def test_held_in_a_restored_copy_until_released(mail_setup: MailSetup) -> None:
    ann = await mail_setup.add_member(email="daily", digestHour=6)
    await mail_setup.planned_digest(ann)
    await mail_setup.db.execute(  # as `signoff restore --hold-deliveries` does
        "update notified_people set next_hourly_at = null, next_daily_at = null where user_id = $1", ann.user_id
    )
    await Digests(mail_setup.db).plan()
    times = "select coalesce(next_hourly_at, next_daily_at) from notified_people where user_id = $1"
    assert await mail_setup.db.fetchval(times, ann.user_id) is None
    assert (await assert_ok(ann.client.get("/auth/me/nextMail")))["digestAt"] is None
    await ann.set_preferences(digestHour=7)
    assert (await assert_ok(ann.client.get("/auth/me/nextMail")))["digestAt"] is not None
    await Digests(mail_setup.db).plan()
    assert (await mail_setup.planned_digest(ann)).hour == 7
