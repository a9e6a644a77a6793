"""What a process and a request have: `AppContext` with the resources, and `Caller` with the account and permissions."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

from starlette.applications import Starlette

from signoff.accounts.actors import Actor
from signoff.accounts.api_keys.cache import ApiKeyCache
from signoff.accounts.plans import Plan
from signoff.accounts.usage.fair_use_cache import FairUseCache
from signoff.platform.db import Database
from signoff.platform.event_log import EventLog
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.pubsub import PubSub
from signoff.platform.rate_limits import RateLimiter
from signoff.platform.settings import Settings

if TYPE_CHECKING:  # Only servers that use it import it.
    from signoff.accounts.oidc.provider import IdentityProvider

T = TypeVar("T")


@dataclass(slots=True)
class AppContext:
    """The resources of a process: created once at startup and passed to every caller."""

    settings: Settings
    db: Database
    pubsub: PubSub
    events: EventLog
    """The end of the log of events."""
    keys: ApiKeyCache
    rates: RateLimiter
    standings: FairUseCache
    oidc: "IdentityProvider | None"
    outgoing: GuardedClient
    """For the few calls that are made while someone waits; workers make all others."""
    parts: Mapping[type, object]
    """What higher layers keep, by class."""

    def get(self, kind: type[T]) -> T:
        """Return the object of this class that a higher layer keeps."""
        part = self.parts[kind]
        assert isinstance(part, kind)
        return part


def get_context(app: Starlette) -> AppContext:
    return cast(AppContext, app.state.context)


@dataclass(slots=True)
class Caller:
    actor: Actor
    context: AppContext
    plan: Plan
    secret: bytes = field(default=b"", repr=False)
    """Known only to the holder of these credentials. It's never stored, and used to derive other secrets that then
    needn't be stored either.
    """

    @property
    def scope(self) -> str:
        """Return the owner of the caller's idempotency keys: an API key, or a person's session."""
        if self.actor.kind == "key":
            return self.actor.id
        return f"{self.actor.id}:{hmac.digest(self.secret, b'scope', 'sha256')[:8].hex()}"

    @property
    def account_id(self) -> str:
        return self.actor.account_id

    @property
    def db(self) -> Database:
        return self.context.db

    @property
    def settings(self) -> Settings:
        return self.context.settings
