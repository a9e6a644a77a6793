"""The workspace before any work: members, a group, agents, review types, and a public form."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, cast

from signoff.accounts.actors import ROLES, Actor, Role, system_actor
from signoff.accounts.api_keys.cache import ApiKeyCache
from signoff.accounts.audit_log import writer
from signoff.accounts.context import AppContext, Caller
from signoff.accounts.groups.actions import create_group
from signoff.accounts.groups.schemas import NewGroup
from signoff.accounts.plans import SELF_HOSTED
from signoff.accounts.usage.fair_use_cache import FairUseCache
from signoff.accounts.users.actions import insert_user
from signoff.agents.actions import create_agent
from signoff.agents.schemas import NewAgent
from signoff.demo.seed.content.forms import COMMISSION, REVIEW_TYPES
from signoff.demo.seed.content.models import OWNER, STUDIO
from signoff.demo.seed.content.users import AGENTS, COLLEAGUES, GROUP, GROUP_MEMBERS
from signoff.demo.seed.history import History
from signoff.forms.actions import create_form
from signoff.forms.versions import FormVersion, current_version
from signoff.media.store import Media
from signoff.platform.db import Executor
from signoff.platform.ids import new_id
from signoff.platform.pubsub import PubSub
from signoff.platform.rate_limits import RateLimiter
from signoff.platform.settings import Settings
from signoff.triggers.public_links import publish_form
from signoff.triggers.schemas import PublicLinkTerms
from signoff.webhooks.event_log import follow_events

OPENED: Final = timedelta(days=32)
PER_HOUR: Final = 20
WEBHOOK_URL: Final = "https://agents.pottery.example/webhooks"
"""Belongs to nobody. Retrying one of its deliveries shows how a call to an unreachable host fails."""


@dataclass(slots=True)
class DemoWorkspace:
    db: History
    settings: Settings
    account_id: str
    pictures: dict[str, Media]
    owner: Actor
    people: dict[str, Actor] = field(default_factory=dict[str, Actor])
    """Members and the owner, by their names in the cases."""
    groups: dict[str, str] = field(default_factory=dict[str, str])
    agents: dict[str, str] = field(default_factory=dict[str, str])
    forms: dict[str, FormVersion] = field(default_factory=dict[str, FormVersion])
    _context: AppContext = field(init=False)

    def __post_init__(self) -> None:
        db, unused = self.db, cast(Any, None)
        # Nobody signs in or waits for a call, and files were stored before.
        self._context = AppContext(
            self.settings,
            db,
            PubSub(db),
            follow_events(),
            ApiKeyCache(db),
            RateLimiter(None),
            FairUseCache(db),
            oidc=None,
            outgoing=unused,
            parts={},
        )

    def caller(self, actor: Actor) -> Caller:
        """Return what a request of this actor has."""
        return Caller(actor, self._context, SELF_HOSTED)

    def person(self, name: str) -> Caller:
        return self.caller(self.people[name])

    @property
    def system(self) -> Actor:
        return system_actor(self.account_id, "demo")

    def assignees(self, names: tuple[str, ...]) -> tuple[list[str], list[str]]:
        """Return the emails of the members and the IDs of the groups."""
        return [self.people[name].name for name in names if name != STUDIO], [
            self.groups[GROUP] for name in names if name == STUDIO
        ]


async def find_owner(tx: Executor, account_id: str) -> Actor:
    owner = await tx.fetchrow(
        "select user_id, email from users where account_id = $1 and role = 'owner' order by user_id limit 1", account_id
    )
    assert owner is not None, "every workspace has an owner"
    return _person(account_id, owner["user_id"], owner["email"], "owner")


def _person(account_id: str, user_id: str, email: str, role: Role) -> Actor:
    return Actor("user", account_id, user_id, email, ROLES[role], role)


async def open_workspace(workspace: DemoWorkspace, now: datetime) -> AsyncGenerator[datetime]:
    """Create everything, each at the time that is yielded before."""
    at, caller, account_id = now - OPENED, workspace.caller(workspace.system), workspace.account_id
    workspace.people[OWNER] = workspace.owner
    for name, colleague in COLLEAGUES.items():
        yield (at := at + timedelta(minutes=1))
        # They aren't invited: nobody reads their mail.
        row = await insert_user(workspace.db, account_id, colleague.email, colleague.name, colleague.role)
        workspace.people[name] = _person(account_id, row["user_id"], colleague.email, colleague.role)
        details = {"email": colleague.email, "role": colleague.role}
        await writer.record_audit(workspace.db, caller.actor, "user.created", row["user_id"], details)
    yield (at := at + timedelta(minutes=5))
    # The owner is in it, so that they also get what's assigned to the group.
    members = [workspace.people[name].id for name in (OWNER, *GROUP_MEMBERS)]
    group = await create_group(caller, NewGroup(name=GROUP, members=members))
    workspace.groups[GROUP] = group.group_id
    for agent in AGENTS:
        yield (at := at + timedelta(minutes=1))
        body = {
            "name": agent.name,
            "description": agent.description,
            "chat": agent.chat,
            "webhookUrl": WEBHOOK_URL,
        }
        workspace.agents[agent.name] = (await create_agent(caller, NewAgent.model_validate(body))).agent_id
    for agent, definition in REVIEW_TYPES:
        yield (at := at + timedelta(minutes=11))
        form = await create_form(caller, {**definition, "agentId": workspace.agents[agent.name]})
        workspace.forms[form.name] = await current_version(workspace.db, account_id, form.form_id)
    yield at + timedelta(hours=3)
    form_id = workspace.forms[COMMISSION["name"]].form_id
    await publish_form(caller, form_id, PublicLinkTerms.model_validate({"perHour": PER_HOUR}))


def program_actor(account_id: str) -> Actor:
    """Return the actor of the agents' requests."""
    return Actor("key", account_id, new_id("key"), "Demo agent", frozenset())
