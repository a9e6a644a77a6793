"""`POST /requestReview` against the bare route, in turns."""

import json
import statistics
import subprocess
import sys

from bench.stage import Stage

CONNECTIONS = 32


def one(stage: Stage, target: str, seconds: float) -> dict[str, float]:
    path = "/api/v1/requestReview" if target == "api" else "/requestReview"
    headers = {"content-type": "application/json", "x-api-key": stage.api_key}
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", stage.url + path, str(CONNECTIONS), str(seconds)],
        input=stage.body(),
        env=stage.env | {"HEADERS": json.dumps(headers)},
        capture_output=True,
        check=True,
    )
    outcome = json.loads(done.stdout)
    if outcome["failed"]:
        raise RuntimeError(outcome["example"])
    return {"rate": outcome["done"] / outcome["seconds"], "p50": outcome["p50"], "p99": outcome["p99"]}


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
