"""How a run uses the machine: the number of processes, and how often each collects garbage."""

import gc
import os

import pytest

# Imported and collected objects stay: scanning them repeatedly takes a quarter of the time until the first test starts.
gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three for two processors: tests wait for browsers, databases and processes about a third of their time. For some
    tests it's two, because starting processes takes most of their time."""
    processors = os.cpu_count() or 1
    all_tests = config.args_source is config.ArgsSource.TESTPATHS
    return max(1, processors * 3 // 2) if all_tests else processors
