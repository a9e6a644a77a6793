"""Fair use as a refusal, where a setting asks for it. Nothing but sending more is ever refused."""

from signoff.accounts.access import Caller


async def refuse_beyond_fair_use(caller: Caller, *, requests: int = 0, bytes: int = 0) -> None:  # noqa: A002
    """Before something is stored that `meter` will count. Costs nothing where plan or setting know no ceiling."""
    fair_use = caller.plan.fair_use
    if fair_use is not None and caller.settings.fair_use == "refuse":
        await caller.service.standings.refuse_beyond(caller.account_id, fair_use, requests=requests, bytes=bytes)
