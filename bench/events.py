"""Events pulled: a page from the middle of the history, a page at its end, and the way from a click to who waits."""

import statistics
import threading
import time

import httpx

from bench.environment import EMAIL, PASSWORD, Environment
from bench.requests import measure_reads

CLICKS = 50


def measure(environment: Environment, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    results: dict[str, dict[str, float]] = {}
    with environment.server("api"):
        headers = {"x-api-key": environment.api_key}
        latest = httpx.get(f"{environment.url}/api/v1/events?after=latest", headers=headers, timeout=600)
        end = int(latest.raise_for_status().json()["nextCursor"])
        environment.execute("vacuum events")  # as the database does by itself in a while
        for name, after in (("middle", end // 2), ("end", end)):
            results[name] = measure_reads(environment, f"/api/v1/events?after={after}&limit=100", rounds, seconds)
        results["click"] = _clicks(environment, str(end))
    return results


def _clicks(environment: Environment, cursor: str) -> dict[str, float]:
    """From a person's click to the event in the hands of an agent that waits for it."""
    arrived: dict[str, float] = {}

    def follow() -> None:
        after = cursor
        with httpx.Client(
            base_url=f"{environment.url}/api/v1", headers={"x-api-key": environment.api_key}, timeout=90
        ) as agent:
            while len(arrived) < CLICKS:
                page = agent.get("/events", params={"after": after, "wait": 30}).raise_for_status().json()
                at = time.perf_counter()
                arrived.update({event["reviewId"]: at for event in page["items"]})
                after = page["nextCursor"]

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    clicked: dict[str, float] = {}
    with httpx.Client(base_url=f"{environment.url}/api/v1") as person:
        person.post("/auth/login", json={"email": EMAIL, "password": PASSWORD}).raise_for_status()
        for _ in range(CLICKS):
            key = {"x-api-key": environment.api_key, "content-type": "application/json"}
            asked = person.post("/requestReview", content=environment.body(), headers=key).raise_for_status().json()
            clicked[asked["reviewId"]] = time.perf_counter()
            answer = {"response": "approved"}
            person.post(f"/reviews/{asked['reviewId']}/response", json=answer).raise_for_status()
            time.sleep(0.03)
    follower.join(60)
    ranks = statistics.quantiles([arrived[each] - at for each, at in clicked.items()], n=100)
    return {"p50": ranks[49] * 1000, "p99": ranks[98] * 1000, "count": CLICKS}
