"""What operations cost: processor time of each process, write-ahead log, buffers, transactions, and statements."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil
import psycopg

from bench.service import Service

# The database has no extension that counts statements, so its log does, for a few seconds. In the extended protocol, a
# statement also has lines for `parse` and `bind`.
STATEMENT = re.compile(r"^([^|\n]*)\|LOG:  duration: [\d.]+ ms  (?:statement|execute [^\n:]*):", re.MULTILINE)
LOG_SETTINGS = {"log_min_duration_statement": "0", "log_line_prefix": "%a|"}

READ = """
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8, blks_hit + blks_read, xact_commit
    from pg_stat_database where datname = current_database()
"""


@dataclass(frozen=True, slots=True)
class Costs:
    processor_seconds: Mapping[str, float]
    """By process, with its children, including those that have exited."""
    wal_bytes: float
    buffers: float
    """Pages that statements read, from shared buffers or from disk."""
    transactions: float

    def since(self, before: "Costs") -> "Costs":
        """Return the costs since an earlier reading, of the processes that already existed."""
        return Costs(
            {
                name: seconds - before.processor_seconds[name]
                for name, seconds in self.processor_seconds.items()
                if name in before.processor_seconds
            },
            self.wal_bytes - before.wal_bytes,
            self.buffers - before.buffers,
            self.transactions - before.transactions,
        )


def read_costs(service: Service, **others: psutil.Process) -> Costs:
    processes = service.processes() | others
    with psycopg.connect(service.environment.dsn, application_name="bench") as connection:
        row = connection.execute(READ).fetchone()
    assert row is not None
    supervisor = processes.pop("supervisor")
    seconds = {name: sum_processor_seconds(process) for name, process in processes.items()}
    times = supervisor.cpu_times()
    return Costs(seconds | {"supervisor": times.user + times.system}, *row)


def sum_processor_seconds(root: psutil.Process) -> float:
    """Return the processor time of a process and its descendants. A parent has that of its exited children."""
    seconds = 0.0
    with suppress(psutil.NoSuchProcess):
        for process in (root, *root.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                seconds += sum(process.cpu_times()[:4])
    return seconds


@contextmanager
def count_statements(service: Service) -> Iterator[Counter[str]]:
    """Count the statements by application while the context is open. Logging them slows the service down."""
    log = service.data_dir / "postgres" / "log"
    counts = Counter[str]()
    with psycopg.connect(service.environment.dsn, user="postgres", autocommit=True) as connection:
        for name, value in LOG_SETTINGS.items():
            connection.execute(f"alter system set {name} = '{value}'")  # type: ignore[arg-type]
        connection.execute("select pg_reload_conf()")
        start = log.stat().st_size
        try:
            yield counts
        finally:
            for name in LOG_SETTINGS:
                connection.execute(f"alter system reset {name}")  # type: ignore[arg-type]
            connection.execute("select pg_reload_conf()")
    with log.open("rb") as file:
        file.seek(start)
        counts.update(parse_statements(file.read().decode(errors="replace")))
    del counts["bench"]


def parse_statements(log: str) -> Counter[str]:
    """Count the statements in PostgreSQL's log by application."""
    return Counter(match[1] for match in STATEMENT.finditer(log))
