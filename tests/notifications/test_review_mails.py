"""Who gets which mails, and who doesn't: a real service, a real mail server, and a story."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import httpx
import pytest
from review_mail_helpers import MailSetup, Member, open_mail_setup, reviews_in
from support.api import DATA, assert_error, assert_ok

from signoff.platform.clock import iso, now


@dataclass
class MailsByPerson:
    told: dict[str, dict[str, str]]
    """By person: the reviews that their mail named, each with the words beside it."""


@pytest.fixture(scope="module")
async def story(review_mail_service: tuple) -> AsyncIterator[MailsByPerson]:
    async with open_mail_setup(*review_mail_service) as mail_setup:
        yield await run_story(mail_setup)


async def run_story(mail_setup: MailSetup) -> MailsByPerson:
    first = await mail_setup.make_form()
    second = await mail_setup.make_form()
    people = {
        "owner": mail_setup.owner,
        "ann": await mail_setup.add_member(),
        "ben, who wants none": await mail_setup.add_member(email="none"),
        "cleo, daily but the first agent": await mail_setup.add_member(
            email="daily", agents={first["agentId"]: "each"}
        ),
        "dora, all but the first agent": await mail_setup.add_member(agents={first["agentId"]: "none"}),
        "eve, who acts": await mail_setup.add_member("admin"),
        "finn": await mail_setup.add_member(),
        "gus, who stands in for hal": await mail_setup.add_member(),
        "hal, who is away": await mail_setup.add_member(),
        "iris, a viewer": await mail_setup.add_member("viewer"),
        "jon, disabled": await mail_setup.add_member(),
    }
    ann, eve, finn, gus, hal = (
        people[name] for name in ("ann", "eve, who acts", "finn", "gus, who stands in for hal", "hal, who is away")
    )
    jon, iris, dora = (people[name] for name in ("jon, disabled", "iris, a viewer", "dora, all but the first agent"))
    kim = await assert_ok(mail_setup.owner.client.post("/users", json={"email": "kim@example.com", "role": "reviewer"}))
    await assert_ok(mail_setup.owner.client.patch(f"/users/{jon.user_id}", json={"disabled": True}))
    members = [ann.email, finn.email, iris.email]
    team = await assert_ok(mail_setup.owner.client.post("/groups", json={"name": "Team", "members": members}))
    group = team["groupId"]
    until = iso(now() + timedelta(days=3))
    await assert_ok(
        hal.client.put(
            "/auth/me/absence", json={"from": iso(now() - timedelta(days=1)), "until": until, "delegate": gus.email}
        )
    )

    async def assign(review_id: str, *members: Member, by: httpx.AsyncClient = eve.client) -> None:
        await assert_ok(
            by.put(
                f"/reviews/{review_id}/assignees",
                json={"users": [member.email for member in members], "groups": [], "external": []},
            )
        )

    ids = {
        "everybody's": await mail_setup.request(first),
        "of the second agent": await mail_setup.request(second),
        "ann's": await mail_setup.request(first, ann),
        "the group's": await mail_setup.request(first, assignToGroups=[group]),
        "hal's": await mail_setup.request(first, hal),
        "an outsider's": await mail_setup.request(first, extReviewers=["outside@example.com"]),
        "approved at once": await mail_setup.request(first, autoApprove=True),
        "decided": await mail_setup.request(first),
        "deleted": await mail_setup.request(first),
        "waiting for the agent": await mail_setup.request(first),
        "changed": await mail_setup.request(first, ann),
        "taken": await mail_setup.request(first, ann, finn),
        "given to ann": await mail_setup.request(first, dora),
        "moved": await mail_setup.request(first, ann, finn),
        "handed back": await mail_setup.request(first, assignToGroups=[group]),
        "dora's, with a reminder": await mail_setup.request(second, dora),
    }
    by_eve = await eve.client.post("/requestReview", json={"formId": first["formId"], "data": DATA})
    ids["eve's own"] = (await assert_ok(asyncio.sleep(0, by_eve)))["reviewId"]
    await assert_ok(mail_setup.owner.client.post(f"/reviews/{ids['decided']}/response", json={"response": "approved"}))
    await assert_ok(mail_setup.workspace.agent.delete(f"/reviews/{ids['deleted']}"))
    for name in ("waiting for the agent", "changed"):
        await assert_ok(mail_setup.owner.client.post(f"/reviews/{ids[name]}/retry", json={"instructions": "Shorter"}))
    await mail_setup.request(first, updateForReviewId=ids["changed"])
    await assert_ok(finn.client.post(f"/reviews/{ids['taken']}/take"))
    await assign(ids["given to ann"], ann)
    await assign(ids["moved"], finn, gus)
    await assert_ok(ann.client.post(f"/reviews/{ids['handed back']}/take"))
    await assert_ok(ann.client.post(f"/reviews/{ids['handed back']}/handBack"))
    await mail_setup.db.execute(
        """
        insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)
        values ($1, 'system', 'system', 'signoff', 'review.reminded', $2)
        """,
        mail_setup.workspace.account_id,
        ids["dora's, with a reminder"],
    )
    got = await mail_setup.send_due_mails(*people.values())
    told: dict[str, dict[str, str]] = {"kim, who never came": {}}
    names = {review_id: name for name, review_id in ids.items()}
    for (name, member), has_mail in zip(people.items(), got, strict=True):
        told[name] = {}
        if has_mail:
            mail = await mail_setup.server.wait_for_mail(member.email, 2 if member is not mail_setup.owner else 1)
            told[name] = _named(mail.text, names)
    assert not [
        mail for mail in mail_setup.server.mails_to(kim["email"]) if "invited you" not in mail.message["Subject"]
    ]
    return MailsByPerson(told)


def _named(text: str, names: dict[str, str]) -> dict[str, str]:
    """The line before each review's link says what is new about it."""
    found: dict[str, str] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines):
        review_id = line.strip().rpartition("/reviews/")[2]
        if review_id in names:
            beside = lines[number - 1].strip()
            found[names[review_id]] = beside.split(" · ")[0] if beside.count(" · ") == 3 else ""
    return found


EXPECTED_FOR_ALL = {"everybody's": "", "of the second agent": "", "eve's own": ""}
EXPECTED = {
    "owner": EXPECTED_FOR_ALL,
    "ann": {
        **EXPECTED_FOR_ALL,
        "ann's": "",
        "the group's": "",
        "changed": "Updated",
        "given to ann": "Assigned to you",
        # She handed it back herself, so that isn't news; that it was requested is.
        "handed back": "",
    },
    "ben, who wants none": {},
    "cleo, daily but the first agent": {"everybody's": "", "eve's own": ""},
    "dora, all but the first agent": {"of the second agent": "", "dora's, with a reminder": "Reminder"},
    "eve, who acts": {"everybody's": "", "of the second agent": ""},
    # He knows what he has taken. He was already asked about the moved review, so only the request is news.
    "finn": {**EXPECTED_FOR_ALL, "the group's": "", "moved": "", "handed back": "Back in your queue"},
    "gus, who stands in for hal": {**EXPECTED_FOR_ALL, "hal's": "", "moved": "Assigned to you"},
    "hal, who is away": {**EXPECTED_FOR_ALL, "hal's": ""},
    "iris, a viewer": {},
    "jon, disabled": {},
    "kim, who never came": {},
}


@pytest.mark.parametrize("person", EXPECTED)
async def test_who_gets_which_mail(story: MailsByPerson, person: str) -> None:
    assert story.told[person] == EXPECTED[person]


class TestOneMail:
    async def test_one_review_is_shown_in_full(self, mail_setup: MailSetup) -> None:
        ann = await mail_setup.add_member()
        review_id = await mail_setup.request(await mail_setup.make_form(), ann, title="Leaves & <b>trees</b>")
        mail = await mail_setup.send_mail(ann)
        assert mail.message["Subject"] == "Review requested: Leaves & <b>trees</b>"
        assert "Body: Leaves fall." in mail.text
        assert "Leaves &amp; &lt;b&gt;trees&lt;/b&gt;" in mail.html
        assert reviews_in(mail) == [review_id]
        assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    async def test_reminders_alone_say_so(self, mail_setup: MailSetup) -> None:
        ann = await mail_setup.add_member()
        review_id = await mail_setup.request(await mail_setup.make_form(), ann)
        await mail_setup.send_mail(ann)
        await mail_setup.db.execute(
            """
            insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)
            values ($1, 'system', 'system', 'signoff', 'review.reminded', $2)
            """,
            mail_setup.workspace.account_id,
            review_id,
        )
        mail = await mail_setup.send_mail(ann)
        assert mail.message["Subject"] == "Reminder: Autumn"
        assert reviews_in(mail) == [review_id]

    async def test_no_mail_if_nothing_is_pending(self, mail_setup: MailSetup) -> None:
        """Decided and reassigned reviews aren't worth a mail any more; the next news is."""
        ann, ben = await mail_setup.add_member(), await mail_setup.add_member()
        form = await mail_setup.make_form()
        decided, moved = await mail_setup.request(form, ann), await mail_setup.request(form, ann)
        assert await mail_setup.next_mail_at(ann) is not None
        await assert_ok(ann.client.post(f"/reviews/{decided}/response", json={"response": "rejected"}))
        await assert_ok(
            mail_setup.owner.client.put(
                f"/reviews/{moved}/assignees", json={"users": [ben.email], "groups": [], "external": []}
            )
        )
        assert await mail_setup.send_due_mails(ann) == [False]
        assert await mail_setup.next_mail_at(ann) is None
        review_id = await mail_setup.request(form, ann)
        assert reviews_in(await mail_setup.send_mail(ann)) == [review_id]

    async def test_no_mail_after_unsubscribing(self, mail_setup: MailSetup) -> None:
        form = await mail_setup.make_form()
        ann = await mail_setup.add_member(agents={form["agentId"]: "each"})
        await mail_setup.request(form, ann)
        mail = await mail_setup.send_mail(ann)
        await mail_setup.request(form, ann)
        assert await mail_setup.next_mail_at(ann) is not None
        link = mail.message["List-Unsubscribe"].strip("<>")
        await assert_ok(mail_setup.workspace.public.post(link, content="List-Unsubscribe=One-Click"))
        assert await mail_setup.send_due_mails(ann) == [False]
        chosen = (await assert_ok(ann.client.get("/auth/me")))["preferences"]
        assert (chosen["email"], chosen["agents"]) == ("none", {})

    async def test_the_pause_grows_while_it_stays_busy(self, mail_setup: MailSetup) -> None:
        ann = await mail_setup.add_member()
        form = await mail_setup.make_form()
        pauses: list[float] = []
        moment = now() + timedelta(hours=2)
        await mail_setup.request(form, ann)
        assert await mail_setup.send_due_mails(ann, at=moment) == [True]
        for _ in range(3):
            await mail_setup.request(form, ann)
            due = await mail_setup.next_mail_at(ann)
            assert due is not None
            pauses.append((due - moment).total_seconds())
            moment = due
            assert await mail_setup.send_due_mails(ann, at=moment) == [True]
        assert pauses == [300, 600, 900]

    async def test_once_however_often_it_is_due(self, mail_setup: MailSetup) -> None:
        ann = await mail_setup.add_member()
        review_id = await mail_setup.request(await mail_setup.make_form(), ann)
        await mail_setup.wait_until_planned()
        both = await asyncio.gather(*(mail_setup.send_due_mails(ann) for _ in range(4)))
        assert sorted(both) == [[False], [False], [False], [True]]
        mail = await mail_setup.server.wait_for_mail(ann.email, 2)
        assert reviews_in(mail) == [review_id]

    async def test_a_burst_is_one_mail(self, own_mail_setup: MailSetup) -> None:
        """1,000 requests within the time in which news is collected: 20 are named, the others are counted."""
        mail_setup = own_mail_setup
        await mail_setup.owner.set_preferences(email="none")
        ann, ben = await mail_setup.add_member(), await mail_setup.add_member()
        first = await mail_setup.request(await mail_setup.make_form())
        await mail_setup.copy_review(first, 999)
        mail = await mail_setup.send_mail(ann)
        assert mail.message["Subject"] == "1,000 reviews are waiting for you in Other"
        assert len(reviews_in(mail)) == 20
        assert "and 980 more" in mail.text
        assert await mail_setup.send_due_mails(ann, ben) == [False, True]
        rows = await mail_setup.db.fetchval(
            "select count(*) from review_news where account_id = $1", mail_setup.workspace.account_id
        )
        assert rows == 1000, "one for each request, and not one for each person"

    async def test_counting_stops_at_a_thousand(self, own_mail_setup: MailSetup) -> None:
        mail_setup = own_mail_setup
        await mail_setup.owner.set_preferences(email="none")
        ann = await mail_setup.add_member()
        first = await mail_setup.request(await mail_setup.make_form())
        await mail_setup.copy_review(first, 1_000)
        mail = await mail_setup.send_mail(ann)
        assert mail.message["Subject"] == "1,000+ reviews are waiting for you in Other"
        listed = reviews_in(mail)
        assert len(listed) == 20
        assert listed[0] == first
        assert "and 980+ more" in mail.text
        await mail_setup.request(await mail_setup.make_form())
        assert len(reviews_in(await mail_setup.send_mail(ann))) == 1, "the mail was about all of them"


class TestDefaults:
    async def test_apply_without_own_preferences(self, own_mail_setup: MailSetup) -> None:
        mail_setup = own_mail_setup
        ann, ben = await mail_setup.add_member(), await mail_setup.add_member(email="each")
        changed = await assert_ok(
            mail_setup.owner.client.patch(
                "/account", json={"notificationDefaults": {"email": "daily", "digestHour": 6, "timeZone": "Asia/Tokyo"}}
            )
        )
        expected = {"email": "daily", "digestHour": 6, "timeZone": "Asia/Tokyo"}
        assert changed["notificationDefaults"] == expected
        form = await mail_setup.make_form()
        await mail_setup.request(form, ann, ben)
        assert await mail_setup.send_due_mails(ann, ben) == [False, True]
        chosen = (await assert_ok(ann.client.get("/auth/me")))["preferences"]
        assert (chosen["email"], chosen["emailIsDefault"]) == ("daily", True)
        assert (chosen["digestHour"], chosen["digestHourIsDefault"]) == (6, True)
        chosen = await ben.set_preferences(email=None, digestHour=7)
        assert (chosen["email"], chosen["emailIsDefault"]) == ("daily", True)
        assert (chosen["digestHour"], chosen["digestHourIsDefault"]) == (7, False)
        coming = await assert_ok(ann.client.get("/auth/me/nextMail"))
        assert (coming["digest"], coming["timeZone"], coming["each"]) == ("daily", "Asia/Tokyo", False)
        assert coming["digestAt"][11:16] == "21:00"

    async def test_omitted_fields_stay(self, own_mail_setup: MailSetup) -> None:
        mail_setup = own_mail_setup

        async def change(**members: object) -> dict[str, object]:
            body = {"notificationDefaults": members}
            return (await assert_ok(mail_setup.owner.client.patch("/account", json=body)))["notificationDefaults"]

        assert await change() == {"email": "each", "digestHour": 8, "timeZone": None}
        await change(timeZone="Europe/Berlin", digestHour=9)
        assert await change(email="hourly") == {"email": "hourly", "digestHour": 9, "timeZone": "Europe/Berlin"}
        assert (await change(timeZone=None))["timeZone"] is None

    @pytest.mark.parametrize(
        ("defaults", "path"),
        [
            ({"email": "always"}, "notificationDefaults.email"),
            ({"email": None}, "notificationDefaults.email"),
            ({"digestHour": 24}, "notificationDefaults.digestHour"),
            ({"digestHour": True}, "notificationDefaults.digestHour"),
            ({"timeZone": "Mars"}, "notificationDefaults.timeZone"),
            ({"theme": "dark"}, "notificationDefaults.theme"),
            (None, "notificationDefaults"),
        ],
    )
    async def test_refused(self, mail_setup: MailSetup, defaults: object, path: str) -> None:
        problem = await assert_error(
            mail_setup.owner.client.patch("/account", json={"notificationDefaults": defaults}), 422
        )
        assert [error["path"] for error in problem["errors"]] == [path]

    async def test_the_next_mail(self, mail_setup: MailSetup) -> None:
        form = await mail_setup.make_form()
        ann = await mail_setup.add_member(timeZone="Europe/Berlin")
        coming = await assert_ok(ann.client.get("/auth/me/nextMail"))
        assert coming == {
            "each": True,
            "collectSeconds": 3600,
            "newsAt": None,
            "digest": None,
            "digestAt": None,
            "timeZone": "Europe/Berlin",
        }
        await mail_setup.request(form, ann)
        due = await mail_setup.next_mail_at(ann)
        assert due is not None
        assert (await assert_ok(ann.client.get("/auth/me/nextMail")))["newsAt"] == iso(due)
        await ann.set_preferences(email="none", agents={form["agentId"]: "hourly"})
        coming = await assert_ok(ann.client.get("/auth/me/nextMail"))
        assert (coming["each"], coming["newsAt"], coming["digest"]) == (False, None, "hourly")
        assert coming["digestAt"][14:] == "00:00.000Z"
        await assert_error(mail_setup.workspace.manager.get("/auth/me/nextMail"), 403, "person_needed")
