"""The workspace before any work: members, a group, agents, review types, and a public form."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from signoff.accounts.actors import Actor, system_actor
from signoff.demo.seed.content.forms import COMMISSION, REVIEW_TYPES
from signoff.demo.seed.content.models import OWNER, STUDIO
from signoff.demo.seed.content.users import AGENTS, COLLEAGUES, GROUP, GROUP_MEMBERS
from signoff.demo.seed.rows import Rows, build_id
from signoff.forms.validation import ensure_valid_form
from signoff.forms.versions import FormVersion, read_version
from signoff.media.store import Media
from signoff.platform.clock import now
from signoff.platform.db import Executor
from signoff.platform.settings import Settings
from signoff.platform.tokens import new_token, new_webhook_secret
from signoff.triggers.public_links import SECRET_BYTES

OPENED: Final = timedelta(days=32)
PER_HOUR: Final = 20


@dataclass(frozen=True, slots=True)
class DemoWorkspace:
    account_id: str
    settings: Settings
    people: dict[str, Actor]
    """Members and the owner, by their names in the cases."""
    colleagues: dict[str, str]
    """IDs of the demo members, by name."""
    group_id: str
    agents: dict[str, str]
    forms: dict[str, FormVersion]
    pictures: dict[str, Media]
    key: Actor
    """The actor of the agents' requests."""

    def assignee(self, name: str) -> str:
        """Return the ID of a person or of the group."""
        return self.group_id if name == STUDIO else self.people[name].id

    def get_assignees(self, names: tuple[str, ...]) -> dict[str, list[str]]:
        """Return assignees in the history's format."""
        users = sorted(self.people[name].name for name in names if name != STUDIO)
        return {"users": users, "groups": [self.group_id] if STUDIO in names else [], "external": []}


async def create_workspace_rows(
    tx: Executor, settings: Settings, rows: Rows, account_id: str, pictures: dict[str, Media]
) -> DemoWorkspace:
    opened = now() - OPENED
    made_by = system_actor(account_id, "demo")
    owner = await tx.fetchrow(
        "select user_id, email from users where account_id = $1 and role = 'owner' order by user_id limit 1", account_id
    )
    assert owner is not None, "every workspace has an owner"
    people = {OWNER: _person(account_id, owner["user_id"], owner["email"])}
    for number, (name, colleague) in enumerate(COLLEAGUES.items()):
        at = opened + timedelta(minutes=number)
        people[name] = _person(account_id, build_id("usr", at), colleague.email)
        rows.add(
            "users",
            user_id=people[name].id,
            account_id=account_id,
            email=colleague.email,
            name=colleague.name,
            role=colleague.role,
            created_at=at,
            preferences={},
            email_unconfirmed=False,
        )
        log(rows, made_by, at, "user.created", people[name].id, {"email": colleague.email, "role": colleague.role})
    group_id = _group(rows, made_by, people, opened + timedelta(minutes=10))
    agents = _agents(rows, made_by, opened + timedelta(minutes=20))
    # They're validated against existing rows, like any other caller's.
    forms = await _forms(tx, rows, made_by, agents, opened + timedelta(hours=1))
    colleagues = {name: people[name].id for name in COLLEAGUES}
    key = Actor("key", account_id, build_id("key", opened), "Demo agent", frozenset())
    return DemoWorkspace(account_id, settings, people, colleagues, group_id, agents, forms, pictures, key)


def log(rows: Rows, actor: Actor, at: datetime, action: str, about: str, details: dict[str, Any] | None = None) -> None:
    rows.add(
        "audit_log",
        account_id=actor.account_id,
        at=at,
        actor_kind=actor.kind,
        actor_id=actor.id,
        actor_name=actor.name,
        action=action,
        object_id=about,
        details=details,
    )


def _person(account_id: str, user_id: str, email: str) -> Actor:
    return Actor("user", account_id, user_id, email, frozenset())


def _group(rows: Rows, made_by: Actor, people: dict[str, Actor], at: datetime) -> str:
    """Create the group, with the owner in it, so that they also get what's assigned to the group."""
    group_id = build_id("grp", at)
    members = [people[name] for name in (OWNER, *GROUP_MEMBERS)]
    rows.add("groups", group_id=group_id, account_id=made_by.account_id, name=GROUP, created_at=at)
    for member in members:
        rows.add("group_members", group_id=group_id, user_id=member.id)
    log(rows, made_by, at, "group.created", group_id, {"name": GROUP, "members": [each.name for each in members]})
    return group_id


def _agents(rows: Rows, made_by: Actor, at: datetime) -> dict[str, str]:
    """Create the agents, without a webhook URL: the demo's agent sets it when it starts."""
    agents: dict[str, str] = {}
    for number, agent in enumerate(AGENTS):
        made = at + timedelta(minutes=number)
        agents[agent.name] = agent_id = build_id("agt", made)
        rows.add(
            "agents",
            agent_id=agent_id,
            account_id=made_by.account_id,
            name=agent.name,
            description=agent.description,
            webhook_secret=new_webhook_secret(),
            chat=agent.chat,
            created_at=made,
            updated_at=made,
        )
        log(rows, made_by, made, "agent.created", agent_id, {"name": agent.name})
    return agents


async def _forms(
    tx: Executor, rows: Rows, made_by: Actor, agents: dict[str, str], at: datetime
) -> dict[str, FormVersion]:
    forms: dict[str, FormVersion] = {}
    for number, (agent, written) in enumerate(REVIEW_TYPES):
        made = at + timedelta(minutes=11 * number)
        form_id = build_id("frm", made)
        # Its agent's row hasn't been written yet; everything else is validated here.
        definition = {
            **await ensure_valid_form(tx, made_by.account_id, written, written),
            "agentId": agents[agent.name],
        }
        rows.add(
            "forms",
            form_id=form_id,
            account_id=made_by.account_id,
            agent_id=agents[agent.name],
            name=written["name"],
            version=1,
            created_at=made,
            updated_at=made,
        )
        rows.add(
            "form_versions",
            form_id=form_id,
            version=1,
            definition=definition,
            created_by=made_by.name,
            created_at=made,
        )
        log(rows, made_by, made, "form.created", form_id, {"name": written["name"]})
        forms[written["name"]] = read_version(form_id, 1, definition)
    _publish(rows, made_by, forms[COMMISSION["name"]].form_id, at + timedelta(hours=3))
    return forms


def _publish(rows: Rows, made_by: Actor, form_id: str, at: datetime) -> None:
    rows.add(
        "public_links",
        token=new_token("pub"),
        account_id=made_by.account_id,
        form_id=form_id,
        secret="\\x" + secrets.token_hex(SECRET_BYTES),
        per_hour=PER_HOUR,
        created_at=at,
        created_by=made_by.name,
    )
    log(rows, made_by, at, "form.published", form_id, {"perHour": PER_HOUR})
