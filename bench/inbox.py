"""The inbox: its page, its counts and its search, with more and more reviews stored; one in ten is pending.

In an account of its own, so that the other benches find theirs as it was.
"""

import asyncio
from dataclasses import replace
from typing import Any

import httpx

from bench.copying import bulk_load
from bench.environment import FORM, Environment
from bench.requests import measure_reads
from signoff.accounts.actors import DEFAULT_SCOPES
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.passwords import passwords
from signoff.accounts.setup import create_account
from signoff.platform.db import Database

EMAIL, PASSWORD = "inbox@example.com", "a password for the inbox"
AGENTS = 10
QUERIES = {
    "all pending": "state=pending&retryRequested=false",
    "mine": "state=pending&assignedTo={user}",
    "unassigned": "state=pending&assignedTo=nobody",
    "of an agent": "state=pending&agentId={agent}",
    "of an agent, all states": "agentId={agent}",
    "of a review type, oldest first": "state=pending&formId={form}&order=oldest",
    "waiting for the agent": "retryRequested=true",
    "rejected": "response=rejected",
    "of a run": "runId=run-17",
    "mine, of one agent": "state=pending&assignedTo={user}&agentId={agent}",
    "search: a word in every review": "q=review",
    "search: a word in few": "q=quokka7",
    "search: a word only in old ones": "q=ancient",
    "search: a word begun": "q=quok",
    "search: nowhere": "q=nowhere",
}
TABLES = ["reviews", "review_assignees", "review_search"]
INSERT_REVIEWS = """
    with made as (
        select n, 'rev_' || lpad(to_hex(n), 28, '0') as review_id,
               now() - interval '1 year' * (1 - n / {last}.0) as at,
               n % 10 = 0 as pending, (n / 10) % 20 = 0 as retry, n % 3 = 0 as assigned
        from generate_series({start} + 1, {upto}) n
    ), reviews as (
        insert into reviews
            (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, run_id, title, state,
             retry_requested, response, responding_user, responding_user_id, responded_at, assigned, created_at)
        select '{account}', review_id, (array[{agents}])[1 + n / 7 % {count}], (array[{forms}])[1 + n / 7 % {count}],
               1, 'Bench', 'ses_' || n, 'run-' || n / 10, 'Past review ' || n,
               case when pending then 'pending' else 'responded' end, pending and retry,
               case when pending then null when n % 97 = 0 then 'rejected' else 'approved' end,
               case when pending then null else 'bench@example.com' end,
               case when pending then null else 'usr_bench' end,
               case when pending then null else at end, assigned, at
        from made
    ), assignees as (
        insert into review_assignees (account_id, review_id, assignee_id, phase)
        select '{account}', review_id, '{user}',
               case when pending and retry then 'waiting' when pending then 'open'
                    when n % 97 = 0 then 'rejected' else 'approved' end
        from made where assigned
    )
    insert into review_search (account_id, review_id, document)
    select '{account}', review_id, to_tsvector('simple',
        'Past review ' || n || ' about quokka' || n / 50 || case when n < 4000 then ' ancient ' else ' ' end
        || repeat('some more words of a usual text ', 5))
    from made
"""


class Account:
    """With its owner signed in, an agent's key, agents and review types."""

    def __init__(self, environment: Environment, account_id: str, user_id: str, api_key: str) -> None:
        self.environment = replace(environment, api_key=api_key, account_id=account_id)
        self.user_id = user_id
        self.agents: list[str] = []
        self.forms: list[str] = []
        self.filled = 0

    def create_content(self) -> None:
        with (
            self.environment.server("api"),
            httpx.Client(base_url=f"{self.environment.url}/api/v1", timeout=60) as owner,
        ):
            owner.post("/auth/login", json={"email": EMAIL, "password": PASSWORD}).raise_for_status()
            for number in range(AGENTS):
                agent = owner.post("/agents", json={"name": f"Agent {number}"}).raise_for_status().json()["agentId"]
                form = owner.post("/forms", json={**FORM, "agentId": agent}).raise_for_status().json()["formId"]
                self.agents.append(agent)
                self.forms.append(form)
            for number, filters in enumerate(({"assignedTo": "me"}, {"agentId": self.agents[0]}, {"q": "review"})):
                owner.post("/inbox/views", json={"name": f"View {number}", "filters": filters}).raise_for_status()

    def fill(self, upto: int) -> None:
        names = {"account": self.environment.account_id, "user": self.user_id, "count": AGENTS}
        names |= {"agents": _sql_list(self.agents), "forms": _sql_list(self.forms)}
        with bulk_load(self.environment.dsn, TABLES) as connection:
            for start in range(self.filled, upto, 100_000):
                end = min(start + 100_000, upto)
                connection.execute(INSERT_REVIEWS.format(start=start, upto=end, last=upto, **names))  # type: ignore[arg-type]
        self.filled = upto
        self.environment.execute("vacuum (analyze)")


def _sql_list(values: list[str]) -> str:
    return ", ".join(f"'{value}'" for value in values)


async def _create_account(environment: Environment) -> tuple[str, str, str]:
    db = await Database.connect(environment.dsn, size=1)
    try:
        async with db.transaction() as tx:
            made = await create_account(
                tx, email=EMAIL, password_hash=await passwords.hash(PASSWORD), name="The inbox's bench"
            )
            key = await insert_key(tx, made.actor, "bench", DEFAULT_SCOPES, made.user_id)
            return made.actor.account_id, made.user_id, key.api_key
    finally:
        await db.close()


def open_account(environment: Environment) -> Account:
    account = Account(environment, *asyncio.run(_create_account(environment)))
    account.create_content()
    return account


def measure(account: Account, size: int, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    account.fill(size)
    environment = account.environment
    names = {"user": account.user_id, "agent": account.agents[0], "form": account.forms[0]}
    with environment.server("api"):
        results: dict[str, Any] = {
            name: measure_reads(environment, f"/api/v1/reviews?{query.format(**names)}", rounds, seconds)
            for name, query in QUERIES.items()
        }
        answer = httpx.post(f"{environment.url}/api/v1/auth/login", json={"email": EMAIL, "password": PASSWORD})
        cookie = "; ".join(f"{name}={value}" for name, value in answer.raise_for_status().cookies.items())
        results["counts"] = measure_reads(environment, "/api/v1/inbox/counts", rounds, seconds, cookie)
    return results
