"""`POST /requestReview` of the API alone, without a worker, compared with the baseline, in turns."""

import statistics

from bench.environment import Environment
from bench.load import Plan, Result, Step, run_load

CONNECTIONS = 32


def measure_once(environment: Environment, target: str, seconds: float) -> Result:
    path = "/api/v1/requestReview" if target == "api" else "/requestReview"
    step = Step(path, environment.body().decode(), environment.api_key)
    return run_load(Plan(environment.url, [step], CONNECTIONS, seconds))


def measure_reads(
    environment: Environment, path: str, rounds: int, seconds: float, cookie: str | None = None
) -> dict[str, float]:
    """Latency of a GET over one connection, and its rate over eight."""
    step = Step(path, key=environment.api_key if cookie is None else None)

    def read(connections: int, seconds: float) -> Result:
        cookies = [] if cookie is None else [cookie]
        return run_load(Plan(environment.url, [step], connections, seconds, cookies))

    read(1, 0.5)  # warm
    alone = [read(1, seconds / 2) for _ in range(rounds)]
    together = [read(8, seconds / 2) for _ in range(rounds)]
    return {
        "p50": statistics.median(each.p50 for each in alone) * 1000,
        "p99": statistics.median(each.p99 for each in alone) * 1000,
        "rate": statistics.median(each.rate for each in together),
    }


def measure(environment: Environment, rounds: int, seconds: float) -> dict[str, float]:
    rates: dict[str, list[float]] = {"api": [], "bare": []}
    for _ in range(rounds):
        for target, results in rates.items():
            with environment.server(target):
                measure_once(environment, target, 1.0)  # warm
                results.append(measure_once(environment, target, seconds).rate)
    ratios = [own / bare for own, bare in zip(rates["api"], rates["bare"], strict=True)]
    return {
        "api": statistics.median(rates["api"]),
        "bare": statistics.median(rates["bare"]),
        "ratio": statistics.median(ratios),
        "lowest": min(ratios),
        "highest": max(ratios),
    }
