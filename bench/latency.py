"""Time from a reviewer's decision to the agent's webhook, on an otherwise idle service."""

import json
import statistics
import time

import httpx

from bench.deliveries import send_command, start_receiver
from bench.environment import EMAIL, PASSWORD, Environment


def measure(environment: Environment, count: int) -> dict[str, float]:
    with (
        start_receiver() as (url, running),
        environment.server("api"),
        environment.worker(),
        httpx.Client(base_url=f"{environment.url}/api/v1") as person,
    ):
        person.post("/auth/login", json={"email": EMAIL, "password": PASSWORD}).raise_for_status()
        clicked: dict[str, float] = {}
        for number in range(count + 20):
            request = json.loads(environment.body()) | {"webhookUrl": url}
            asked = person.post("/requestReview", json=request, headers={"x-api-key": environment.api_key})
            review_id = asked.raise_for_status().json()["reviewId"]
            time.sleep(0.03)  # idle: the index job of the request is done
            at = time.time()
            done = person.post(f"/reviews/{review_id}/response", json={"response": "approved"})
            if number >= 20:  # the first warm it up
                clicked[done.raise_for_status().json()["webhookDeliveryId"]] = at
            time.sleep(0.03)
        time.sleep(1)
        arrived = json.loads(send_command(running, "arrivals"))
    times = [arrived[delivery_id] - at for delivery_id, at in clicked.items()]
    ranks = statistics.quantiles(times, n=100)
    return {"p50": ranks[49] * 1000, "p99": ranks[98] * 1000, "count": len(times)}
