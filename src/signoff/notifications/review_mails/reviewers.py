"""The reviewers of a review: its assignees, the members of assigned groups, and their delegates."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from signoff.accounts.out_of_office.queries import members_covered_by
from signoff.notifications.review_mails.recipients import Recipient
from signoff.platform.db import Executor


@dataclass(frozen=True, slots=True)
class ReviewerDirectory:
    """For one or several accounts: who can be notified, who is in which group, and who covers for whom now."""

    people: Mapping[str, Recipient]
    groups: Mapping[str, frozenset[str]]
    delegates: Mapping[str, str]

    def find_members(self, assignees: Iterable[str]) -> set[str]:
        """Return the people that these users and groups stand for, as far as they can be notified."""
        named = {
            user_id
            for assignee in assignees
            for user_id in self.groups.get(assignee, (assignee,))
            if user_id in self.people
        }
        delegates = {self.delegates[user_id] for user_id in named if user_id in self.delegates}
        return named | delegates & self.people.keys()


async def load_reviewers(
    db: Executor, account_ids: Collection[str], people: Mapping[str, Recipient], assignees: Collection[str]
) -> ReviewerDirectory:
    """Read everyone who may be a reviewer. `assignees` are the users and groups that will be looked up."""
    members = await db.fetch(
        """
        select m.group_id, m.user_id from group_members m join groups g using (group_id)
        where g.account_id = any($1::text[]) and g.group_id = any($2::text[])
        """,
        list(account_ids),
        list(assignees),
    )
    groups: dict[str, set[str]] = {}
    for row in members:
        groups.setdefault(row["group_id"], set()).add(row["user_id"])
    absences = await db.fetch(
        """
        select user_id, delegate_id from absences
        where account_id = any($1::text[]) and starts_at <= now() and ends_at > now()
        """,
        list(account_ids),
    )
    return ReviewerDirectory(
        people,
        {group_id: frozenset(users) for group_id, users in groups.items()},
        {row["user_id"]: row["delegate_id"] for row in absences},
    )


async def list_assignee_ids(db: Executor, person: Recipient) -> list[str]:
    """Return the users and groups that stand for the person: if a review is assigned to one of them, the person is a
    reviewer.
    """
    people = [
        person.user_id,
        *(each.user_id for each in await members_covered_by(db, person.account_id, person.user_id)),
    ]
    groups = await db.fetch(
        """
        select distinct m.group_id from group_members m join groups g using (group_id)
        where g.account_id = $1 and m.user_id = any($2::text[])
        """,
        person.account_id,
        people,
    )
    return [*people, *(row["group_id"] for row in groups)]
