"""The metrics of `/metrics`. Label values are limited to route templates, event names, and outcomes; identifiers
are never used.

If `signoff serve` runs several API processes, each request to `/metrics` reaches one of them. So all of them write
their figures to files in one folder, and whichever responds adds them up.
"""

import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector

from signoff.platform.logs import PROCESS_NAME_ENV
from signoff.platform.shared_folder import METRICS_ENV

if METRICS_ENV in os.environ and PROCESS_NAME_ENV in os.environ:
    # With its name instead of its ID, a restarted process continues its predecessor's file.
    values.ValueClass = values.MultiProcessValue(lambda: os.environ[PROCESS_NAME_ENV])


def render_metrics(*more: CollectorRegistry) -> bytes:
    """Return this process's metrics, or the sums of all processes that share a folder, and those of `more`."""
    ours = REGISTRY
    if METRICS_ENV in os.environ:
        ours = CollectorRegistry()
        MultiProcessCollector(ours)
    return b"".join(map(generate_latest, (ours, *more)))


REQUESTS = Histogram(
    "signoff_http_request_seconds",
    "HTTP request duration.",
    ["method", "route", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
)
REVIEWS_REQUESTED = Counter("signoff_reviews_requested_total", "Reviews requested.")
REVIEWS_DECIDED = Counter("signoff_reviews_decided_total", "Reviews decided.", ["response"])
RATE_LIMITED = Counter("signoff_rate_limited_total", "Requests rejected by the rate limit.")
ATTEMPT_SECONDS = Histogram(
    "signoff_attempt_seconds",
    "Duration of attempts to send a message.",
    ["channel", "outcome"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30),
)
ATTEMPTS_UNDER_WAY = Gauge("signoff_attempts_under_way", "Attempts in progress.", ["channel"])
MESSAGES_PUSHED_BACK = Counter(
    "signoff_messages_pushed_back_total", "Messages postponed because their destination was busy.", ["channel"]
)
LOG_ENTRIES = Counter("signoff_log_entries_total", "Log entries read.", ["reader"])
LOG_READ_FAILURES = Counter("signoff_log_read_failures_total", "Failed attempts to read or handle entries.", ["reader"])
LOG_BEHIND = Gauge("signoff_log_behind", "Log entries written but not yet handled.", ["reader"])
