"""The whole service under sustained load, beside a bare FastAPI + asyncpg insert on the same database server.

A row's time ends when everything that its operations caused is done: webhooks delivered and recorded, and
notifications planned.
"""

import json
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from bench import peers, seed
from bench.costs import Costs, count_statements, read_costs
from bench.deliveries import send_command
from bench.live_streams import StreamPlan, run_streams
from bench.load import Plan, Result, Step, percentiles, run_load
from bench.service import MEMBERS, STREAMS, Service, start_service

CONNECTIONS: Final = 32
WARM_UP_SECONDS: Final = 2.0
STATEMENT_SECONDS: Final = 5.0
PENDING_PER_SECOND: Final = 500
"""Reviews that must be pending before a second of decisions. If they run out, the row ends early."""
LIVE_REVIEWS_PER_SECOND: Final = 100
LISTED: Final = 1_000
"""How many reviews are read one by one, in turns."""

Values = Mapping[str, Any]
"""The measured values of one row."""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    title: str
    connections: int
    steps: Callable[[Service], Sequence[Step]]
    subjects: Callable[[Service, float], Sequence[str]] | None = None
    repeat_subjects: bool = False

    def plan(self, service: Service, seconds: float) -> Plan:
        return Plan(
            service.environment.url,
            self.steps(service),
            self.connections,
            seconds,
            service.cookies,
            self.subjects and self.subjects(service, seconds),
            self.repeat_subjects,
        )


def _create(service: Service) -> Step:
    return Step("/api/v1/requestReview", service.environment.body().decode(), service.environment.api_key)


def _decide(service: Service) -> Step:
    body = json.dumps({"response": "approved"})
    return Step("/api/v1/reviews/{}/response", body, mark_from="webhookDeliveryId")


def _read_responses(service: Service) -> Step:
    query = urlencode({"formId": service.environment.form_id, "fieldIds": "headline,score", "limit": 20})
    return Step(f"/api/v1/fetchResponses?{query}", key=service.environment.api_key)


def _pending(service: Service, count: int) -> list[str]:
    """Return at least `count` pending reviews, after creating those that are missing."""
    while len(pending := service.pending()) < count:
        run_load(CREATE.plan(service, 1.0))
        service.wait_until_idle()
    return pending


CREATE: Final = Row("create", "create", CONNECTIONS, lambda service: [_create(service)])
LIFE_CYCLE: Final = Row(
    "lifeCycle",
    "create, decide, deliver",
    CONNECTIONS,
    lambda service: [replace(_create(service), subject_from="reviewId"), _decide(service)],
)
WRITES: Final = (
    CREATE,
    Row(
        "decide",
        "decide, deliver",
        MEMBERS,
        lambda service: [_decide(service)],
        lambda service, seconds: _pending(service, round(PENDING_PER_SECOND * seconds)),
    ),
    LIFE_CYCLE,
)
READS: Final = (
    Row(
        "get",
        "get a review",
        MEMBERS,
        lambda service: [Step("/api/v1/reviews/{}", key=service.environment.api_key)],
        lambda service, _: _pending(service, LISTED)[:LISTED],
        repeat_subjects=True,
    ),
    Row("list", "list 50 pending reviews", MEMBERS, lambda _: [Step("/api/v1/reviews?state=pending&limit=50")]),
    Row("fetchResponses", "fetch 20 responses", MEMBERS, lambda service: [_read_responses(service)]),
)
LIVE: Final = "live"
LIVE_TITLE: Final = f"{LIVE_REVIEWS_PER_SECOND} reviews/s to {STREAMS:,} streams"


@dataclass(frozen=True, slots=True)
class Target:
    row: str
    text: str
    is_met: Callable[[Values], bool]


TARGETS: Final = (
    Target("create", "create: at least 0.7 of bare", lambda row: row["ratio"] >= 0.7),
    Target("create", "create: p99 at most 5 times p50", lambda row: row["p99"] <= 5 * row["p50"]),
    Target("decide", "decide, deliver: at least 0.4 of bare", lambda row: row["ratio"] >= 0.4),
    Target("lifeCycle", "create, decide, deliver: at least 0.28 of bare", lambda row: row["ratio"] >= 0.28),
    Target(
        "lifeCycle",
        "create, decide, deliver: at most 2.2 ms of PostgreSQL's processor time",
        lambda row: row["processorMs"]["PostgreSQL"] <= 2.2,
    ),
    Target(
        "lifeCycle",
        "create, decide, deliver: at most 9 kB of write-ahead log",
        lambda row: row["walBytes"] <= 9_000,
    ),
    Target("list", "list 50 pending reviews: at least 0.45 of bare", lambda row: row["ratio"] >= 0.45),
)


def measure(sizes: Sequence[int], seconds: float, *, with_peers: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the results for each number of stored reviews, with Label Studio's beside the first."""
    with tempfile.TemporaryDirectory() as folder, start_service(Path(folder)) as service:
        filled = 0
        for size in sizes:
            seed.seed_reviews(service.environment, filled, size)
            filled = size
            service.wait_until_idle()
            rows = _measure_rows(service, seconds)
            found = {"stored": size, "rows": rows, "missed": find_missed_targets(rows)}
            if with_peers and size == sizes[0]:
                found["peers"] = peers.measure(service.environment.body(), seconds, Path(folder))
            yield found


def _measure_rows(service: Service, seconds: float) -> dict[str, dict[str, Any]]:
    """Measure the bare insert before and after each row that writes, since other work on the machine comes and goes."""
    rows = dict[str, dict[str, Any]]()
    bare = [_measure_bare(service, seconds)]
    for row in WRITES:
        rows[row.name] = _measure_row(service, row, seconds)
        bare.append(_measure_bare(service, seconds))
        rows[row.name] |= {"ratio": rows[row.name]["rate"] / statistics.mean(each["rate"] for each in bare[-2:])}
    for row in READS:
        rows[row.name] = _measure_row(service, row, seconds)
    rows[LIVE] = _measure_live(service, seconds)
    bare.append(_measure_bare(service, seconds))
    for row in READS:
        rows[row.name] |= {"ratio": rows[row.name]["rate"] / statistics.mean(each["rate"] for each in bare[-2:])}
    return {"bare": average(bare)} | rows


def average(rows: Sequence[Values]) -> dict[str, Any]:
    """Return the mean of each value."""
    return {
        name: average([row[name] for row in rows])
        if isinstance(value, Mapping)
        else statistics.mean(row[name] for row in rows)
        for name, value in rows[0].items()
    }


def _measure_bare(service: Service, seconds: float) -> dict[str, Any]:
    with service.bare() as (environment, process):
        step = Step("/requestReview", environment.body().decode())
        plan = Plan(environment.url, [step], CONNECTIONS, seconds)
        run_load(replace(plan, seconds=min(WARM_UP_SECONDS, seconds)))
        before = read_costs(service, bare=process)
        result = run_load(plan)
        costs = read_costs(service, bare=process).since(before)
    return to_values(result, 0.0, costs)


def _measure_row(service: Service, row: Row, seconds: float) -> dict[str, Any]:
    run_load(row.plan(service, min(WARM_UP_SECONDS, seconds)))
    service.wait_until_idle()
    send_command(service.receiver, "arrivals")  # forgets them
    plan, load = row.plan(service, seconds), os.getloadavg()[0]
    before = read_costs(service)
    result = run_load(plan)
    backlog = service.backlog()
    drain_seconds = service.wait_until_idle()
    costs = read_costs(service).since(before)
    arrivals: dict[str, float] = json.loads(send_command(service.receiver, "arrivals"))
    values = to_values(result, drain_seconds, costs, arrivals) | {"backlog": backlog, "loadAverageBefore": load}
    return values | {"statements": _count_statements(service, row, min(STATEMENT_SECONDS, seconds))}


def _count_statements(service: Service, row: Row, seconds: float) -> dict[str, float]:
    """Count the statements per operation, in a run of its own: logging them slows the service down."""
    plan = row.plan(service, seconds)
    with count_statements(service) as counts:
        done = run_load(plan).done
        service.wait_until_idle()
    return divide(counts, done)


def _measure_live(service: Service, seconds: float) -> dict[str, Any]:
    plan = StreamPlan(
        service.environment.url, _create(service), LIVE_REVIEWS_PER_SECOND, seconds, STREAMS, service.cookies
    )
    before = list[Costs]()
    result = run_streams(plan, lambda: before.append(read_costs(service)))
    drain_seconds = service.wait_until_idle()
    costs = read_costs(service).since(before[0])
    values = {"messagesPerSecond": result.messages / result.seconds, "missing": result.missing}
    return values | _per_operation(
        result.done, result.seconds, drain_seconds, (result.p50, result.p99), result.processor_seconds, costs
    )


def to_values(
    result: Result, drain_seconds: float, costs: Costs, arrivals: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """Return a row's values. Where webhooks follow, times run until the endpoint has received them."""
    times = (result.p50, result.p99)
    if result.marks:
        assert arrivals is not None
        if missing := result.marks.keys() - arrivals.keys():
            raise RuntimeError(f"{len(missing)} webhooks did not arrive")
        times = percentiles([arrivals[delivery_id] - began for delivery_id, began in result.marks.items()])
    steps = {"p50": [1000 * each for each in result.step_p50], "p99": [1000 * each for each in result.step_p99]}
    values = _per_operation(result.done, result.seconds, drain_seconds, times, result.processor_seconds, costs)
    return values if len(result.step_p50) < 2 and not result.marks else values | {"responses": steps}


def _per_operation(
    done: int, seconds: float, drain_seconds: float, times: tuple[float, float], load_seconds: float, costs: Costs
) -> dict[str, Any]:
    processor = {**costs.processor_seconds, "load generator": load_seconds}
    return {
        "count": done,
        "seconds": seconds,
        "drainSeconds": drain_seconds,
        "rate": done / (seconds + drain_seconds),
        "p50": times[0] * 1000,
        "p99": times[1] * 1000,
        "processorMs": {name: 1000 * used for name, used in divide(processor, done).items()},
        "walBytes": costs.wal_bytes / done,
        "buffers": costs.buffers / done,
        "transactions": costs.transactions / done,
    }


def divide(values: Mapping[str, float], count: int) -> dict[str, float]:
    return {name: value / count for name, value in values.items()}


def find_missed_targets(rows: Mapping[str, Values]) -> list[str]:
    return [target.text for target in TARGETS if not target.is_met(rows[target.row])]


TABLE_START: Final = "<!-- sustained load: written by make bench -->"
TABLE_END: Final = "<!-- end of sustained load -->"
HEADER: Final = (
    "| Operation | Per second | **Ratio** | p50 | p99 | API | Worker | PostgreSQL | Load generator | Write-ahead log "
    "| Statements | Buffers |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def format_table(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the results as Markdown, with a table for each number of stored reviews."""
    titles = {"bare": "bare insert"} | {row.name: row.title for row in (*WRITES, *READS)} | {LIVE: LIVE_TITLE}
    tables = list[str]()
    for result in results:
        rows = [_format_row(titles[name], row) for name, row in result["rows"].items()]
        missed = [f"- {text}" for text in result["missed"]]
        tables.append("\n".join([f"With {result['stored']:,} stored reviews:", "", HEADER, *rows]))
        tables.append("\n".join(["Targets missed:", "", *missed]) if missed else "All targets were met.")
        if "peers" in result:
            tables.append(peers.format_table(result["rows"], result["peers"]))
    return "\n\n".join(tables)


def replace_table(page: str, table: str) -> str:
    """Return the page with the table between its markers."""
    before, start, rest = page.partition(TABLE_START)
    _, end, after = rest.partition(TABLE_END)
    if not end:
        raise ValueError(f"the page has no {TABLE_START} and {TABLE_END}")
    return f"{before}{start}\n\n{table}\n\n{end}{after}"


def _format_row(title: str, row: Values) -> str:
    processor = row["processorMs"]
    cells = [
        title,
        f"{row['rate']:,.0f}",
        f"**{row['ratio']:.2f}**" if "ratio" in row else "",
        f"{row['p50']:,.0f} ms",
        f"{row['p99']:,.0f} ms",
        *(
            f"{processor[name]:.2f} ms" if name in processor else ""
            for name in ("bare" if "bare" in processor else "API", "worker", "PostgreSQL", "load generator")
        ),
        f"{row['walBytes'] / 1000:.1f} kB",
        f"{sum(row['statements'].values()):.1f}" if "statements" in row else "",
        f"{row['buffers']:,.0f}",
    ]
    return f"| {' | '.join(cells)} |"
