"""How many processes `signoff serve` runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.platform.machine import Machine
from signoff.platform.settings import SettingsError, load_settings
from signoff.processes.process_plan import CONNECTIONS, ProcessPlan, plan_processes

GIB = 1024**3


def planned(cores: int, memory: int = 64 * GIB, **settings: object) -> ProcessPlan:
    return plan_processes(load_settings(**settings), Machine(cores, memory))


@pytest.mark.parametrize(
    ("cores", "api", "workers"),
    [
        (1, 1, 1),
        (2, 1, 1),
        (3, 1, 1),
        (4, 2, 1),
        (6, 3, 1),
        (8, 4, 2),
        (12, 6, 2),
        (16, 8, 3),
        (20, 10, 4),
        (96, 10, 4),
    ],
)
def test_by_cores(cores: int, api: int, workers: int) -> None:
    plan = planned(cores)
    assert (plan.api, plan.workers) == (api, workers)


def test_at_most_one_api_process_per_gb() -> None:
    assert (planned(16, 4 * GIB).api, planned(16, GIB // 2).api) == (4, 1)


@given(st.integers(1, 512), st.integers(0, 2**40))
def test_chosen_numbers_fit_into_the_databases_connections(cores: int, memory: int) -> None:
    plan = planned(cores, memory)
    assert plan.connections <= CONNECTIONS
    assert 5 <= plan.pool_size <= 20


def test_as_set() -> None:
    assert planned(2, api_processes=6, worker_processes=3) == ProcessPlan(6, 3, 8)
    assert planned(2, api_processes="6").workers == 2
    assert planned(8, worker_processes=1) == ProcessPlan(4, 1, 16)


def test_pool_size_as_set() -> None:
    """Numbers that were set too aren't changed: `signoff doctor` compares them with the database's limit."""
    assert planned(2, api_processes=6, worker_processes=3, database_pool_size=20).connections == 6 * 21 + 3 * 22
    assert planned(16, database_pool_size=20) == ProcessPlan(3, 1, 20)
    assert planned(16, database_pool_size=200) == ProcessPlan(1, 1, 200)


def test_many_processes_keep_two_connections_each() -> None:
    assert planned(2, api_processes=64, worker_processes=64).pool_size == 2


@pytest.mark.parametrize("value", ["0", "-1", "65", "many", "", "1.5", "²"])
def test_invalid_number(value: str) -> None:
    with pytest.raises(SettingsError, match=r"SIGNOFF_API_PROCESSES=.*must be `auto` or a number between 1 and 64"):
        load_settings(api_processes=value)
