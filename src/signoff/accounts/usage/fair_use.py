"""Enforce fair use, if a setting asks for it. Only new requests and data are ever refused."""

from signoff.accounts.context import Caller


async def enforce_fair_use(caller: Caller, *, requests: int = 0, bytes: int = 0) -> None:  # noqa: A002
    """Call it before storing what `record_usage` counts. Costs nothing if the plan or the settings have no limit."""
    fair_use = caller.plan.fair_use
    if fair_use is not None and caller.settings.fair_use == "refuse":
        await caller.context.standings.enforce(caller.account_id, fair_use, requests=requests, bytes=bytes)
