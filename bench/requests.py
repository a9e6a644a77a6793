"""`POST /requestReview` against the bare route, in turns."""

import json
import statistics
import subprocess
import sys

from bench.stage import Stage

CONNECTIONS = 32


def one(stage: Stage, target: str, seconds: float) -> dict[str, float]:
    path = "/api/v1/requestReview" if target == "api" else "/requestReview"
    return load(stage, path, CONNECTIONS, seconds, stage.body())


def load(
    stage: Stage,
    path: str,
    connections: int,
    seconds: float,
    body: bytes = b"",
    credentials: dict[str, str] | None = None,
) -> dict[str, float]:
    headers = {"content-type": "application/json", **(credentials or {"x-api-key": stage.api_key})}
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", stage.url + path, str(connections), str(seconds)],
        input=body,
        env=stage.env | {"HEADERS": json.dumps(headers)},
        capture_output=True,
        check=True,
    )
    outcome = json.loads(done.stdout)
    if outcome["failed"]:
        raise RuntimeError(outcome["example"])
    return {"rate": outcome["done"] / outcome["seconds"], "p50": outcome["p50"], "p99": outcome["p99"]}


def reading(
    stage: Stage, path: str, rounds: int, seconds: float, credentials: dict[str, str] | None = None
) -> dict[str, float]:
    """A GET, one after the other over one connection: how long an answer takes. Over eight: how many in a second."""
    load(stage, path, 1, 0.5, credentials=credentials)  # warm
    alone = [load(stage, path, 1, seconds / 2, credentials=credentials) for _ in range(rounds)]
    together = [load(stage, path, 8, seconds / 2, credentials=credentials) for _ in range(rounds)]
    return {
        "p50": statistics.median(each["p50"] for each in alone) * 1000,
        "p99": statistics.median(each["p99"] for each in alone) * 1000,
        "rate": statistics.median(each["rate"] for each in together),
    }


def measure(stage: Stage, rounds: int, seconds: float) -> dict[str, float]:
    rates: dict[str, list[float]] = {"api": [], "bare": []}
    for _ in range(rounds):
        for target, found in rates.items():
            with stage.server(target):
                one(stage, target, 1.0)  # warm
                found.append(one(stage, target, seconds)["rate"])
    ratios = [own / bare for own, bare in zip(rates["api"], rates["bare"], strict=True)]
    return {
        "api": statistics.median(rates["api"]),
        "bare": statistics.median(rates["bare"]),
        "ratio": statistics.median(ratios),
        "lowest": min(ratios),
        "highest": max(ratios),
    }
