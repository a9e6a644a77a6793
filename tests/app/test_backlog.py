"""Work that nobody does shows up: jobs and outgoing messages that are due, or whose worker is gone."""

from support.in_process import StartService
from support.service_process import new_client

from signoff.doctor import _check_queue
from signoff.platform.db import Database
from signoff.platform.jobs.queue import enqueue


async def test_backlog(start_service: StartService) -> None:
    async with start_service(worker=False) as service:
        db = await Database.connect(service.dsn(), size=1)
        hours = "now() - interval '2 hours'"
        await enqueue("memory.index", f"select 'rev_1', {hours} union select 'rev_2', now()").execute(db)
        await db.execute(
            f"""
            insert into outgoing_messages (message_id, account_id, channel, destination, state, due_at, claimed_at)
            values ('mal_1', 'acc_1', 'mail', 'mail server', 'queued', now() - interval '3 hours', null),
                   ('mal_2', 'acc_1', 'mail', 'mail server', 'queued', now() + interval '1 hour', null),
                   ('mal_3', 'acc_1', 'mail', 'mail server', 'sending', {hours}, now())
            """  # noqa: S608
        )
        async with new_client("") as client:
            figures = (await client.get(f"{service.url}/metrics")).text
        assert 'signoff_jobs_waiting{job="memory.index"} 2.0' in figures
        assert 'signoff_jobs_waiting{job="mail"} 1.0' in figures
        async with db.own_connection() as connection:
            queue = [each for each in await _check_queue(connection, 20.0) if each.subject == "queue"]
        assert [each.state.name for each in queue] == ["WARNING", "WARNING"]
        assert queue[0].found.startswith("oldest job is 108")  # of the email, in seconds
        assert "jobs affected: 1" in queue[1].found
        await db.close()
