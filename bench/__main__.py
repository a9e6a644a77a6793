"""`make bench`: measure, and write `docs/performance/results.json`, the chart beside it, and a table in the page."""

import argparse
import json
import platform
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import deliveries, events, inbox, insights, latency, media, memory, requests, seed, sustained
from bench.chart import draw
from bench.environment import start_environment

SIZES = (10_000, 100_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, help="per measurement: 60 for sustained load, 2.5 for the others")
    parser.add_argument("--deliveries", type=int, default=10_000)
    parser.add_argument("--clicks", type=int, default=150)
    parser.add_argument("--sizes", type=lambda text: [int(part) for part in text.split(",")], default=SIZES)
    parser.add_argument(
        "--only",
        choices=["requests", "deliveries", "latency", "memory", "events", "inbox", "insights", "media", "sustained"],
    )
    parser.add_argument("--peers", action="store_true", help="measure Label Studio as well, installed from PyPI")
    parser.add_argument("--output", type=Path, default=Path("docs/performance"))
    options = parser.parse_args()

    file = options.output / "results.json"
    report: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    if options.only != "sustained":
        report |= _measure_parts(options)
    if options.only in (None, "sustained"):
        report["sustained"] = _measure_sustained(options)
    options.output.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(report, indent=2) + "\n")
    if options.only is None:
        (options.output / "chart.svg").write_text(draw(report))


def _measure_sustained(options: argparse.Namespace) -> dict[str, Any]:
    seconds = options.seconds or 60.0
    results = list[dict[str, Any]]()
    sizes = sorted({options.sizes[0], options.sizes[-1]})
    for found in sustained.measure(sizes, seconds, with_peers=options.peers):
        print(json.dumps(found), flush=True)
        results.append(found)
    table = sustained.format_table(results)
    print(table, flush=True)
    page = options.output.with_suffix(".md")
    if page.exists():
        page.write_text(sustained.replace_table(page.read_text(), table))
    return {**_describe_machine(), "seconds": seconds, "results": results}


def _describe_machine() -> dict[str, Any]:
    return {
        "at": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def _measure_parts(options: argparse.Namespace) -> dict[str, Any]:
    """Measure everything but sustained load."""
    seconds = options.seconds or 2.5
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
                found["requests"] = requests.measure(environment, options.rounds, seconds)
            if options.only in (None, "deliveries"):
                found["deliveries"] = deliveries.measure(environment, options.rounds, options.deliveries)
            if options.only in (None, "latency"):
                found["latency"] = latency.measure(environment, options.clicks)
            if options.only in (None, "memory"):
                found["memory"] = memory.measure(environment, options.rounds, seconds)
            if options.only in (None, "events"):
                found["events"] = events.measure(environment, options.rounds, seconds)
            if account is not None:
                found["inbox"] = inbox.measure(account, size, options.rounds, seconds)
            if insights_account is not None:
                found["insights"] = insights.measure(insights_account, size, options.rounds, seconds)
            print(json.dumps(found), flush=True)
            results.append(found)
        pictures = media.measure(environment, options.rounds) if options.only in (None, "media") else None
        print(json.dumps({"media": pictures}), flush=True)
    return {**_describe_machine(), "rounds": options.rounds, "results": results, "media": pictures}


if __name__ == "__main__":
    main()
