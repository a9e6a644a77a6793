"""Cache versions of review types, which never change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from signoff.forms.deadlines import DeadlinePolicy, parse_deadlines
from signoff.forms.definition import Definition, compile_definition
from signoff.platform.db import Executor
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg

CACHE_SIZE = 2000
ADDED_MEMBERS: Final[Mapping[str, Any]] = {
    "description": None,
    "decideFromChat": False,
    "allowExternalReviewers": True,
    "unmapped": "show",
}
"""The values of members that versions saved before these members existed don't have."""


@dataclass(frozen=True, slots=True)
class FormVersion:
    form_id: str
    version: int
    name: str
    agent_id: str | None
    auto_approve: bool
    allow_retry: bool
    decide_from_chat: bool
    allow_external_reviewers: bool
    trigger: bool
    reviewer_emails: tuple[str, ...]
    reviewer_groups: tuple[str, ...]
    external_reviewers: tuple[str, ...]
    webhook_url: str | None
    tool_webhook_url: str | None
    time_limits: DeadlinePolicy | None
    """None also for a trigger form, which doesn't wait for anyone."""
    definition: Definition

    @property
    def names_reviewers(self) -> bool:
        return bool(self.reviewer_emails or self.reviewer_groups or self.external_reviewers)

    def localized_name(self, language: str) -> str:
        return self.definition.translation(language).name or self.name


class _Cache:
    """The versions that this process has read."""

    def __init__(self) -> None:
        self.versions: dict[tuple[str, int], FormVersion] = {}
        """By review type and number."""
        self.current: dict[tuple[str, str], FormVersion] = {}
        """By account and review type."""

    def add(self, form_id: str, version: int, raw: dict[str, Any]) -> FormVersion:
        known = self.versions.get((form_id, version))
        if known is not None:
            return known
        if len(self.versions) >= CACHE_SIZE:
            self.versions.clear()
        form = self.versions[form_id, version] = read_version(form_id, version, raw)
        return form


async def current_version(db: Executor, account_id: str, form_id: str) -> FormVersion:
    """Return the version for new reviews, as far as this process knows.

    It may have been superseded a moment ago, here or in another process. Code that depends on it repeats the check in
    the statement that writes (`where forms.version = …`), and if that finds nothing, calls `invalidate_current_version`
    and starts over.
    """
    cache = db.shared(_Cache)
    known = cache.current.get((account_id, form_id))
    if known is not None:
        return known
    row = await db.fetchrow(
        """
        select f.version, v.definition from forms f join form_versions v using (form_id, version)
        where f.account_id = $1 and f.form_id = $2 and f.archived_at is null
        """,
        account_id,
        form_id,
    )
    if row is None:
        raise NotFound(msg("review type"), form_id)
    form = cache.add(form_id, row["version"], row["definition"])
    if len(cache.current) >= CACHE_SIZE:
        cache.current.clear()
    cache.current[account_id, form_id] = form
    return form


async def latest_version(db: Executor, account_id: str, form_id: str) -> FormVersion:
    """Return the current version of a review type, or the last one before it was archived."""
    version = await db.fetchval("select version from forms where account_id = $1 and form_id = $2", account_id, form_id)
    if version is None:
        raise NotFound(msg("review type"), form_id)
    return await get_form_version(db, form_id, version)


def invalidate_current_version(db: Executor, account_id: str, form_id: str) -> None:
    db.shared(_Cache).current.pop((account_id, form_id), None)


async def get_form_version(db: Executor, form_id: str, version: int) -> FormVersion:
    """Return the version that a review was created with. The caller has read its number from that review."""
    cache = db.shared(_Cache)
    known = cache.versions.get((form_id, version))
    if known is not None:
        return known
    definition = await db.fetchval(
        "select definition from form_versions where form_id = $1 and version = $2", form_id, version
    )
    return cache.add(form_id, version, definition)


def read_version(form_id: str, version: int, raw: dict[str, Any]) -> FormVersion:
    raw = {**ADDED_MEMBERS, **raw}
    reviewers = raw["defaultReviewers"]
    return FormVersion(
        form_id=form_id,
        version=version,
        name=raw["name"],
        agent_id=raw["agentId"],
        auto_approve=raw["autoApprove"],
        allow_retry=raw["allowRetry"],
        decide_from_chat=raw["decideFromChat"],
        allow_external_reviewers=raw["allowExternalReviewers"],
        trigger=raw["trigger"],
        reviewer_emails=tuple(reviewers["users"]),
        reviewer_groups=tuple(reviewers["groups"]),
        external_reviewers=tuple(reviewers["external"]),
        webhook_url=raw["webhookUrl"],
        tool_webhook_url=raw["toolWebhookUrl"],
        time_limits=None if raw["trigger"] else parse_deadlines(raw.get("timeLimits")),
        definition=compile_definition(raw),
    )
