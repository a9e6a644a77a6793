"""`POST /requestReview` compared with the baseline, in turns."""

import json
import statistics
import subprocess
import sys

from bench.environment import Environment

CONNECTIONS = 32


def measure_once(environment: Environment, target: str, seconds: float) -> dict[str, float]:
    path = "/api/v1/requestReview" if target == "api" else "/requestReview"
    return run_load(environment, path, CONNECTIONS, seconds, environment.body())


def run_load(
    environment: Environment,
    path: str,
    connections: int,
    seconds: float,
    body: bytes = b"",
    credentials: dict[str, str] | None = None,
) -> dict[str, float]:
    headers = {"content-type": "application/json", **(credentials or {"x-api-key": environment.api_key})}
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", environment.url + path, str(connections), str(seconds)],
        input=body,
        env=environment.env | {"HEADERS": json.dumps(headers)},
        capture_output=True,
        check=True,
    )
    outcome = json.loads(done.stdout)
    if outcome["failed"]:
        raise RuntimeError(outcome["example"])
    return {"rate": outcome["done"] / outcome["seconds"], "p50": outcome["p50"], "p99": outcome["p99"]}


def measure_reads(
    environment: Environment, path: str, rounds: int, seconds: float, credentials: dict[str, str] | None = None
) -> dict[str, float]:
    """Latency of a GET over one connection, and its rate over eight."""
    run_load(environment, path, 1, 0.5, credentials=credentials)  # warm
    alone = [run_load(environment, path, 1, seconds / 2, credentials=credentials) for _ in range(rounds)]
    together = [run_load(environment, path, 8, seconds / 2, credentials=credentials) for _ in range(rounds)]
    return {
        "p50": statistics.median(each["p50"] for each in alone) * 1000,
        "p99": statistics.median(each["p99"] for each in alone) * 1000,
        "rate": statistics.median(each["rate"] for each in together),
    }


def measure(environment: Environment, rounds: int, seconds: float) -> dict[str, float]:
    rates: dict[str, list[float]] = {"api": [], "bare": []}
    for _ in range(rounds):
        for target, results in rates.items():
            with environment.server(target):
                measure_once(environment, target, 1.0)  # warm
                results.append(measure_once(environment, target, seconds)["rate"])
    ratios = [own / bare for own, bare in zip(rates["api"], rates["bare"], strict=True)]
    return {
        "api": statistics.median(rates["api"]),
        "bare": statistics.median(rates["bare"]),
        "ratio": statistics.median(ratios),
        "lowest": min(ratios),
        "highest": max(ratios),
    }
