"""Whom mails can go to, and what each of them wants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from zoneinfo import ZoneInfo

from signoff.accounts.actors import DECIDING_ROLES
from signoff.accounts.sign_in.preferences import EmailChoice, NotificationDefaults, resolve_preferences
from signoff.platform.dates import read_zone
from signoff.platform.db import Executor, Row
from signoff.platform.messages import choose_language

Every = Literal["hourly", "daily"]
# Who was invited and never came has an address that nobody has confirmed: nothing of a review goes there.
CAN_BE_NOTIFIED_SQL = """
    u.disabled_at is null and u.role = any({roles}::text[])
    and (u.password_hash is not null or u.last_sign_in_at is not null)
"""


@dataclass(frozen=True, slots=True)
class Recipient:
    user_id: str
    account_id: str
    address: str
    email: EmailChoice
    agents: Mapping[str, EmailChoice]
    """Other choices for single agents."""
    digest_hour: int
    zone: ZoneInfo
    language: str

    def choice(self, agent_id: str) -> EmailChoice:
        return self.agents.get(agent_id, self.email)

    def wants(self, choice: EmailChoice) -> bool:
        """Whether they chose it, if only for one agent."""
        return self.email == choice or choice in self.agents.values()

    def agents_with(self, choice: EmailChoice) -> tuple[bool, list[str]]:
        """`(False, ids)`: they chose it for these agents. `(True, ids)`: for all but these."""
        if self.email == choice:
            return True, [agent_id for agent_id, other in self.agents.items() if other != choice]
        return False, [agent_id for agent_id, other in self.agents.items() if other == choice]


# Of the reviews `r` those whose agent the answer of `agents_with` covers. Put in: the numbers of its two parameters.
COVERED = "((r.agent_id = any(${1}::text[])) <> ${0}::boolean)"

_COLUMNS = """
    u.user_id, u.account_id, u.email as address, u.preferences, u.language, a.notification_defaults,
    a.language as workspace_language
"""


async def read_people(db: Executor, account_ids: Sequence[str]) -> dict[str, dict[str, Recipient]]:
    """By account and ID: all who may decide and can be told."""
    rows = await db.fetch(
        f"""
        select {_COLUMNS} from users u join accounts a using (account_id)
        where u.account_id = any($1::text[]) and {CAN_BE_NOTIFIED_SQL.format(roles="$2")}
        """,  # noqa: S608
        list(account_ids),
        list(DECIDING_ROLES),
    )
    found: dict[str, dict[str, Recipient]] = {account_id: {} for account_id in account_ids}
    for row in rows:
        found[row["account_id"]][row["user_id"]] = _to_person(row)
    return found


async def read_person(db: Executor, user_id: str) -> Recipient | None:
    """None: nothing is told to them any more."""
    row = await db.fetchrow(
        f"""
        select {_COLUMNS} from users u join accounts a using (account_id)
        where u.user_id = $1 and {CAN_BE_NOTIFIED_SQL.format(roles="$2")}
        """,  # noqa: S608
        user_id,
        list(DECIDING_ROLES),
    )
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
    )
