"""`python -m signoff.demo`, the third child of `signoff serve`: prepares the demo, then becomes its agent.

Exits with 0 if the demo no longer exists.
"""

import asyncio
import os
import sys
from collections.abc import Callable

from rich.console import Console

from signoff.demo.agent_setup import set_up_agent
from signoff.platform.errors import CommandError
from signoff.platform.logs import configure_logs
from signoff.platform.parent_process import exit_with_supervisor
from signoff.platform.settings import load_settings
from signoff.platform.storage import set_private_umask

AGENT = (sys.executable, "-P", "-m", "signoff.demo.agent")


def main() -> None:
    exit_with_supervisor()
    set_private_umask()
    settings = load_settings()
    configure_logs(settings)
    if settings.database_url is None:
        raise CommandError("This is started by `signoff serve`. Don't run it directly.")
    environment = asyncio.run(set_up_agent(settings, settings.database_url, report_quarters()))
    if environment is not None:
        sys.stdout.flush()
        os.execve(AGENT[0], AGENT, environment)  # noqa: S606


def report_quarters() -> Callable[[float], None]:
    """Log the progress in a few lines: a progress bar that redraws itself would break the service's log."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    quarters = iter((0.0, 0.25, 0.5, 0.75, 1.0))
    following = next(quarters)

    def tell(done: float) -> None:
        nonlocal following
        if done < following:
            return
        while done >= following:
            following = next(quarters, 2.0)
        if done >= 1:
            console.print(
                "Demo data is ready. To remove it, run `signoff demo remove` or use the banner at the top of any page."
            )
        else:
            console.print(f"Creating demo data… {done:.0%}")

    return tell


if __name__ == "__main__":
    main()
