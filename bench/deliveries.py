"""Deliveries with their records, against the HTTP client alone, in turns."""

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import uvloop

from bench.environment import Environment

CONCURRENCY = 64

INSERT_DELIVERIES = """
    with made as (
        select 'whd_' || md5(n::text || now()) as delivery_id, 'evt_' || md5(n::text || now()) as event_id
        from generate_series(1, {count}) n
    ), events as (
        insert into events (account_id, event_id, event, agent_id, session_id, review_id, payload)
        select '{account}', event_id, 'review.completed', '{agent}', 'ses_bench', 'rev_bench',
               json_build_object('event', 'review.completed', 'body', repeat('x', 1000)) from made
    ), made_too as (
        insert into deliveries (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id,
                                review_id, form_id, form_name)
        select delivery_id, '{account}', event_id, 'review.completed', 'agent', 'agent', '{url}', '{agent}',
               'ses_bench', 'rev_bench', '{form}', 'Bench' from made
        returning delivery_id
    )
    insert into outgoing_messages (message_id, account_id, channel, destination, due_at, max_attempts)
    select delivery_id, '{account}', 'webhook', '{url}', now(), 7 from made_too
"""


@contextmanager
def start_receiver() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    running = subprocess.Popen(
        [sys.executable, "-m", "bench.receiver"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert running.stdout
    try:
        yield f"http://127.0.0.1:{running.stdout.readline().strip()}/", running
    finally:
        running.kill()
        running.wait()


def send_command(running: subprocess.Popen[str], question: str) -> str:
    assert running.stdin
    assert running.stdout
    running.stdin.write(question + "\n")
    running.stdin.flush()
    return running.stdout.readline()


def measure_client(url: str, count: int) -> float:
    """aiohttp posting the same body."""

    async def post() -> float:
        body = b"x" * 1300
        headers = {"content-type": "application/json"}
        left = count

        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def some() -> None:
                nonlocal left
                while left > 0:
                    left -= 1
                    async with session.post(url, data=body, headers=headers) as answer:
                        await answer.read()

            began = time.perf_counter()
            await asyncio.gather(*(some() for _ in range(CONCURRENCY)))
            return count / (time.perf_counter() - began)

    return uvloop.run(post())


def measure_service(environment: Environment, url: str, count: int) -> float:
    """From the first delivery claimed to the last one recorded, as the records say."""
    environment.execute(
        INSERT_DELIVERIES.format(
            count=count,
            account=environment.account_id,
            agent=environment.agent_id,
            form=environment.form_id,
            url=url,
        )
    )
    with environment.worker():
        deadline = time.monotonic() + 300
        open_ones = "select count(*) from outgoing_messages where channel = 'webhook' and state <> 'sent'"
        while environment.value(open_ones) and time.monotonic() < deadline:
            time.sleep(0.2)
    seconds = environment.value(
        """
        select extract(epoch from max(o.settled_at) - min((o.attempts->0->>'at')::timestamptz))::float8
        from deliveries d join outgoing_messages o on o.message_id = d.delivery_id
        where d.review_id = 'rev_bench' and o.state = 'sent'
        """
    )
    done = environment.value(
        """
        select count(*) from deliveries join outgoing_messages on message_id = delivery_id
        where review_id = 'rev_bench' and state = 'sent'
        """
    )
    if done != count:
        raise RuntimeError(f"{done} of {count} deliveries succeeded")
    environment.execute(
        "delete from outgoing_messages using deliveries where review_id = 'rev_bench' and message_id = delivery_id"
    )
    environment.execute("delete from deliveries where review_id = 'rev_bench'")
    environment.execute("delete from events where review_id = 'rev_bench'")
    return count / seconds


def measure(environment: Environment, rounds: int, count: int) -> dict[str, float]:
    rates: dict[str, list[float]] = {"client": [], "deliveries": []}
    with start_receiver() as (url, _):
        for _ in range(rounds):
            rates["client"].append(measure_client(url, count))
            rates["deliveries"].append(measure_service(environment, url, count))
    ratios = [own / other for own, other in zip(rates["deliveries"], rates["client"], strict=True)]
    return {
        **{name: statistics.median(results) for name, results in rates.items()},
        "ratio": statistics.median(ratios),
        "lowest": min(ratios),
        "highest": max(ratios),
    }
