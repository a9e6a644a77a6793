"""`signoff init` where there is a demo that nobody has come to: the demo goes, so that the workspace can be made."""

from contextlib import suppress

from signoff.accounts.actors import system
from signoff.accounts.setup import owner_to_welcome
from signoff.demo.errors import NoDemo
from signoff.demo.offering import find_demo
from signoff.demo.removing import remove_demo
from signoff.platform.db import Database


async def give_way(db: Database) -> None:
    """Leaves the workspace as if there had never been a demo, unless somebody has signed in."""
    account_id = await find_demo(db)
    if account_id is None or await owner_to_welcome(db) is None:
        return
    with suppress(NoDemo):  # Another was faster, and has done it.
        await remove_demo(db, account_id, system(account_id, "command line"))
    # Its row would keep the account; a workspace that somebody set up is none to plan a demo for.
    await db.execute(
        """
        delete from demo_workspaces where account_id = $1 and removed_at is not null
          and not exists (select 1 from users where account_id = $1 and last_sign_in_at is not null)
        """,
        account_id,
    )
