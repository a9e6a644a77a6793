"""How many processes `signoff serve` runs, and how they share the database's connections."""

import math
from dataclasses import dataclass

from signoff.platform.machine import Machine
from signoff.platform.settings import Settings

API_PROCESSES_PER_WORKER = 3
"""A review costs the API 2.1 ms, the worker 0.6 ms, and PostgreSQL 1.6 ms of processor time."""
MEMORY_PER_API_PROCESS = 1024**3
"""For the process itself, its share of the workers, and what PostgreSQL needs for its connections."""
MAX_AUTO_API_PROCESSES = 10
"""With four workers, this leaves each process five of the database's connections."""

API_OWN_CONNECTIONS, WORKER_OWN_CONNECTIONS = 1, 2
"""Connections of each process that don't belong to its pool."""
CONNECTIONS = 90
"""PostgreSQL allows 100 by default. It keeps three for superusers, and the other commands need some too."""
MIN_POOL_SIZE = 2


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    api: int
    workers: int
    pool_size: int

    @property
    def connections(self) -> int:
        """Return the maximum number of database connections of all processes together."""
        return self.api * (self.pool_size + API_OWN_CONNECTIONS) + self.workers * (
            self.pool_size + WORKER_OWN_CONNECTIONS
        )


def plan_processes(settings: Settings, machine: Machine) -> ProcessPlan:
    """Half of the cores run API processes, and a third as many processes are workers. The rest is for PostgreSQL.

    On one or two cores, more than one process of each kind makes everything slower.
    """
    if settings.api_processes != "auto":
        return _plan(settings, settings.api_processes)
    by_memory = machine.memory_bytes // MEMORY_PER_API_PROCESS
    most = max(1, min(machine.cores // 2, by_memory, MAX_AUTO_API_PROCESSES))
    plans = (_plan(settings, api) for api in range(most, 0, -1))
    return next((plan for plan in plans if plan.connections <= CONNECTIONS), _plan(settings, 1))


def _plan(settings: Settings, api: int) -> ProcessPlan:
    workers = settings.worker_processes
    if workers == "auto":
        workers = math.ceil(api / API_PROCESSES_PER_WORKER)
    return ProcessPlan(api, workers, _pool_size(settings, api, workers))


def _pool_size(settings: Settings, api: int, workers: int) -> int:
    """Return the size that was set, or else one with which all pools together fit."""
    if "database_pool_size" in settings.model_fields_set:
        return settings.database_pool_size
    left = CONNECTIONS - api * API_OWN_CONNECTIONS - workers * WORKER_OWN_CONNECTIONS
    return max(MIN_POOL_SIZE, min(settings.database_pool_size, left // (api + workers)))
