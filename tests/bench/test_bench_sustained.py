"""What the benchmark of sustained load calculates and writes, and a short run of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import sustained
from bench.costs import Costs, parse_statements
from bench.load import Result
from bench.service import find_role

ROOT = Path(__file__).parents[2]
COSTS = Costs({"API": 4.0, "worker": 1.0, "PostgreSQL": 2.0}, wal_bytes=80_000.0, buffers=400.0, transactions=20.0)
LOG = """\
signoff api|LOG:  duration: 0.104 ms  parse __asyncpg_stmt_1__: select 1
signoff api|LOG:  duration: 0.031 ms  bind __asyncpg_stmt_1__: select 1
signoff api|LOG:  duration: 0.204 ms  execute __asyncpg_stmt_1__:
\t    select review_id
\t    from reviews
signoff api|LOG:  duration: 0.010 ms  statement: begin
signoff worker|LOG:  duration: 1.5 ms  execute <unnamed>: update jobs set due_at = now()
|LOG:  duration: 0.1 ms  statement: LISTEN signoff_work
bench|LOG:  received SIGHUP, reloading configuration files
"""


def make_result(**changes: Any) -> Result:
    values: dict[str, Any] = {
        "done": 10,
        "seconds": 2.0,
        "p50": 0.01,
        "p99": 0.02,
        "step_p50": [0.01],
        "step_p99": [0.02],
        "processor_seconds": 1.0,
        "failed": 0,
        "example": None,
    }
    return Result(**values | changes)


def make_row(**changes: Any) -> dict[str, Any]:
    processor = {"API": 1.0, "worker": 0.5, "PostgreSQL": 2.0, "load generator": 0.1}
    row = {"rate": 1234.5, "p50": 10.0, "p99": 49.0, "processorMs": processor, "walBytes": 8_400.0, "buffers": 40.0}
    return row | {"ratio": 0.8, "statements": {"signoff api": 5.0, "signoff worker": 1.25}} | changes


def make_rows(**changes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    names = [row.name for row in (*sustained.WRITES, *sustained.READS)]
    return {name: make_row() | changes.get(name, {}) for name in names}


def test_statements_are_counted_once() -> None:
    assert parse_statements(LOG) == {"signoff api": 2, "signoff worker": 1, "": 1}


def test_costs_since() -> None:
    after = Costs({"API": 6.5, "worker": 2.0, "bare": 1.0}, 100_000.0, 500.0, 25.0)
    assert after.since(COSTS) == Costs({"API": 2.5, "worker": 1.0}, 20_000.0, 100.0, 5.0)


@pytest.mark.parametrize(
    ("command", "role"),
    [
        ("python -I -S /x/embedded_postgres/watchdog.py {}", "PostgreSQL"),
        ("python -P -m signoff worker", "worker"),
        ("python -P -m signoff api", "API"),
        ("granian signoff", "API"),
    ],
)
def test_roles(command: str, role: str) -> None:
    assert find_role(command.split()) == role


class TestValues:
    def test_rate_includes_what_follows(self) -> None:
        values = sustained.to_values(make_result(), 3.0, COSTS)
        assert values["rate"] == 2.0
        assert (values["p50"], values["p99"]) == (10.0, 20.0)
        assert values["processorMs"] == {"API": 400.0, "worker": 100.0, "PostgreSQL": 200.0, "load generator": 100.0}
        assert (values["walBytes"], values["buffers"], values["transactions"]) == (8_000.0, 40.0, 2.0)
        assert "responses" not in values

    def test_times_run_until_the_webhook(self) -> None:
        marks = {"whd_1": 100.0, "whd_2": 101.0}
        values = sustained.to_values(make_result(marks=marks), 0.0, COSTS, {"whd_1": 100.5, "whd_2": 101.5})
        assert values["p50"] == 500.0
        assert values["responses"] == {"p50": [10.0], "p99": [20.0]}

    def test_missing_webhook(self) -> None:
        with pytest.raises(RuntimeError, match="1 webhooks did not arrive"):
            sustained.to_values(make_result(marks={"whd_1": 100.0}), 0.0, COSTS, {"whd_2": 100.5})

    def test_average(self) -> None:
        rows = [{"rate": 10.0, "processorMs": {"API": 1.0}}, {"rate": 20.0, "processorMs": {"API": 2.0}}]
        assert sustained.average(rows) == {"rate": 15.0, "processorMs": {"API": 1.5}}


class TestTargets:
    def test_all_met(self) -> None:
        assert sustained.find_missed_targets(make_rows()) == []

    @pytest.mark.parametrize(
        ("row", "change", "missed"),
        [
            ("create", {"ratio": 0.69}, "create: at least 0.7 of bare"),
            ("create", {"p99": 50.1}, "create: p99 at most 5 times p50"),
            ("decide", {"ratio": 0.39}, "decide, deliver: at least 0.4 of bare"),
            ("lifeCycle", {"ratio": 0.27}, "create, decide, deliver: at least 0.28 of bare"),
            ("lifeCycle", {"walBytes": 9_001.0}, "create, decide, deliver: at most 9 kB of write-ahead log"),
            ("list", {"ratio": 0.44}, "list 50 pending reviews: at least 0.45 of bare"),
        ],
    )
    def test_missed(self, row: str, change: dict[str, Any], missed: str) -> None:
        assert sustained.find_missed_targets(make_rows(**{row: change})) == [missed]


class TestTable:
    def test_row(self) -> None:
        table = sustained.format_table([{"stored": 10_000, "rows": {"create": make_row()}, "missed": []}])
        assert table.splitlines()[0] == "With 10,000 stored reviews:"
        assert table.splitlines()[4] == (
            "| create | 1,234 | **0.80** | 10 ms | 49 ms | 1.00 ms | 0.50 ms | 2.00 ms | 0.10 ms | 8.4 kB | 6.2 | 40 |"
        )
        assert table.endswith("All targets were met.")

    def test_peers(self) -> None:
        peers = {key: {"rate": 12.34, "p50": 500.0, "p99": 2000.0} for key in ("create", "decide", "list")}
        result = {"stored": 10_000, "rows": make_rows(), "missed": [], "peers": peers}
        last = sustained.format_table([result]).splitlines()[-1]
        assert last == "| list 50 | 1,234/s | 10 ms | 49 ms | 12/s | 500 ms | 2,000 ms | **100.0** |"

    def test_is_replaced_in_the_page(self) -> None:
        page = f"before\n{sustained.TABLE_START}\nold\n{sustained.TABLE_END}\nafter\n"
        once = sustained.replace_table(page, "new")
        assert once == f"before\n{sustained.TABLE_START}\n\nnew\n\n{sustained.TABLE_END}\nafter\n"
        assert sustained.replace_table(once, "new") == once

    def test_page_has_the_markers(self) -> None:
        sustained.replace_table((ROOT / "docs/performance.md").read_text(), "new")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_short_run(tmp_path: Path) -> None:
    output = tmp_path / "performance"
    command = [sys.executable, "-m", "bench", "--only", "sustained", "--seconds", "1", "--sizes", "100"]
    subprocess.run([*command, "--output", output], cwd=ROOT, check=True)
    [result] = json.loads((output / "results.json").read_text())["sustained"]["results"]
    rows = result["rows"]
    assert rows.keys() == {"bare", "create", "decide", "lifeCycle", "get", "list", "fetchResponses", "live"}
    for name, row in rows.items():
        assert 0 < row["p50"] <= row["p99"], name
        assert row["rate"] > 0, name
        assert all(row["processorMs"][role] >= 0 for role in ("PostgreSQL", "load generator")), name
    assert rows["lifeCycle"]["walBytes"] > rows["create"]["walBytes"] > 0
    assert sum(rows["lifeCycle"]["statements"].values()) > 2
    assert rows["live"]["missing"] == 0
