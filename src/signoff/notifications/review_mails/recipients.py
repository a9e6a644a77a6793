"""The people who can get mails, and their preferences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from zoneinfo import ZoneInfo

from signoff.accounts.actors import DECIDING_ROLES
from signoff.accounts.sign_in.preferences import EmailChoice, NotificationDefaults, resolve_preferences
from signoff.platform.dates import read_zone
from signoff.platform.db import Executor, Row
from signoff.platform.messages import choose_language
from signoff.platform.sql import Sql

Every = Literal["hourly", "daily"]
# An invited person who never signed in has an unconfirmed email, which gets nothing about reviews.
CAN_BE_NOTIFIED_SQL: Final = """
    u.disabled_at is null and u.role = any(:roles::text[])
    and (u.password_hash is not null or u.last_sign_in_at is not null)
"""
"""For `users u`; `:roles` are those that may decide."""


@dataclass(frozen=True, slots=True)
class Recipient:
    user_id: str
    account_id: str
    address: str
    email: EmailChoice
    agents: Mapping[str, EmailChoice]
    """Other choices for individual agents."""
    digest_hour: int
    zone: ZoneInfo
    language: str
    digest_plan: str
    """Everything on which the times of their digests depend, as one string to compare."""

    def choice(self, agent_id: str) -> EmailChoice:
        return self.agents.get(agent_id, self.email)

    def wants(self, choice: EmailChoice) -> bool:
        """Whether they chose it, even if only for one agent."""
        return self.email == choice or choice in self.agents.values()

    def agents_with(self, choice: EmailChoice) -> tuple[bool, list[str]]:
        """Return `(False, ids)` if they chose it for these agents, or `(True, ids)` for all except these."""
        if self.email == choice:
            return True, [agent_id for agent_id, other in self.agents.items() if other != choice]
        return False, [agent_id for agent_id, other in self.agents.items() if other == choice]


COVERED: Final = "((r.agent_id = any(:agents::text[])) <> :all_but::boolean)"
"""Those of the reviews `r` whose agent is covered by the result of `agents_with`, `(:all_but, :agents)`."""

DIGEST_PLAN_SQL: Final = """
    concat_ws(' ',
        coalesce(u.preferences ->> 'email', a.notification_defaults ->> 'email'),
        u.preferences ->> 'agents',
        coalesce(u.preferences ->> 'digest_hour', a.notification_defaults ->> 'digest_hour'),
        coalesce(u.preferences ->> 'time_zone', a.notification_defaults ->> 'time_zone'))
"""

_RECIPIENTS: Final = Sql(
    """
    select u.user_id, u.account_id, u.email as address, u.preferences, u.language, a.notification_defaults,
           a.language as workspace_language, {digest_plan} as digest_plan
    from users u join accounts a using (account_id)
    where {can_be_notified}
    """,
    digest_plan=DIGEST_PLAN_SQL,
    can_be_notified=CAN_BE_NOTIFIED_SQL,
)
_OF_ACCOUNTS: Final = Sql("{recipients} and u.account_id = any(:account_ids::text[])", recipients=_RECIPIENTS)
_OF_USER: Final = Sql("{recipients} and u.user_id = :user_id", recipients=_RECIPIENTS)


async def read_people(db: Executor, account_ids: Sequence[str]) -> dict[str, dict[str, Recipient]]:
    """Return everyone who may decide and can be notified, by account and ID."""
    rows = await _OF_ACCOUNTS.fetch(db, account_ids=list(account_ids), roles=list(DECIDING_ROLES))
    recipients: dict[str, dict[str, Recipient]] = {account_id: {} for account_id in account_ids}
    for row in rows:
        recipients[row["account_id"]][row["user_id"]] = _to_person(row)
    return recipients


async def read_person(db: Executor, user_id: str) -> Recipient | None:
    """Return a person, or None if they no longer get notifications."""
    row = await _OF_USER.fetch_one(db, user_id=user_id, roles=list(DECIDING_ROLES))
    return _to_person(row) if row is not None else None


def _to_person(row: Row) -> Recipient:
    defaults = NotificationDefaults(**row["notification_defaults"])
    chosen = resolve_preferences(row["preferences"], defaults)
    return Recipient(
        user_id=row["user_id"],
        account_id=row["account_id"],
        address=row["address"],
        email=chosen.email,
        agents=chosen.agents,
        digest_hour=chosen.digest_hour,
        zone=read_zone(chosen.time_zone or defaults.time_zone),
        language=choose_language(row["language"], row["workspace_language"]),
        digest_plan=row["digest_plan"],
    )
