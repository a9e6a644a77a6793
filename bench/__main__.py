"""`make bench`: measure, and write `docs/performance/results.json` and the chart beside it."""

import argparse
import json
import platform
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bench import deliveries, events, inbox, insights, latency, media, memory, requests, seed
from bench.chart import draw
from bench.environment import start_environment

SIZES = (10_000, 100_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.5)
    parser.add_argument("--deliveries", type=int, default=10_000)
    parser.add_argument("--clicks", type=int, default=150)
    parser.add_argument("--sizes", type=lambda text: [int(part) for part in text.split(",")], default=SIZES)
    parser.add_argument(
        "--only",
        choices=["requests", "deliveries", "latency", "memory", "events", "inbox", "insights", "media"],
    )
    parser.add_argument("--output", type=Path, default=Path("docs/performance"))
    options = parser.parse_args()

    results = []
    with tempfile.TemporaryDirectory() as folder, start_environment(Path(folder)) as environment:
        filled = 0
        account = inbox.open_account(environment) if options.only in (None, "inbox") else None
        insights_account = insights.open_account(environment) if options.only in (None, "insights") else None
        for size in options.sizes:
            seed.seed_reviews(environment, filled, size)
            filled = size
            found: dict[str, object] = {"stored": size}
            if options.only in (None, "requests"):
                found["requests"] = requests.measure(environment, options.rounds, options.seconds)
            if options.only in (None, "deliveries"):
                found["deliveries"] = deliveries.measure(environment, options.rounds, options.deliveries)
            if options.only in (None, "latency"):
                found["latency"] = latency.measure(environment, options.clicks)
            if options.only in (None, "memory"):
                found["memory"] = memory.measure(environment, options.rounds, options.seconds)
            if options.only in (None, "events"):
                found["events"] = events.measure(environment, options.rounds, options.seconds)
            if account is not None:
                found["inbox"] = inbox.measure(account, size, options.rounds, options.seconds)
            if insights_account is not None:
                found["insights"] = insights.measure(insights_account, size, options.rounds, options.seconds)
            print(json.dumps(found), flush=True)
            results.append(found)
        pictures = media.measure(environment, options.rounds) if options.only in (None, "media") else None
        print(json.dumps({"media": pictures}), flush=True)
    report = {
        "at": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rounds": options.rounds,
        "results": results,
        "media": pictures,
    }
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "results.json").write_text(json.dumps(report, indent=2) + "\n")
    if options.only is None:
        (options.output / "chart.svg").write_text(draw(report))


if __name__ == "__main__":
    main()
