"""How a run uses the machine: how many processes it has, and how often each of them looks for garbage."""

import gc
import os

import pytest

# What is imported and collected stays: to look through it again and again takes a quarter of the time until the first
# test begins.
gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three for two processors: tests wait for browsers, databases and processes about a third of their time. For some
    of the tests it's two: there, most of the time is the processes' own start."""
    processors = os.cpu_count() or 1
    all_tests = config.args_source is config.ArgsSource.TESTPATHS
    return max(1, processors * 3 // 2) if all_tests else processors
