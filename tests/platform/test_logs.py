"""What the log tells of a fault: where it was, and nothing that was held there."""

import subprocess
import sys

import pytest

FAULT = """
from signoff.platform.logs import configure_logs, get_logger
from signoff.platform.settings import load_settings

def fail(held):
    return held["absent"]

configure_logs(load_settings(log_format="{form}"))
try:
    fail({{"x-api-key": "sgn_" + "secret"}})
except KeyError:
    get_logger("test").exception("request failed")
"""


@pytest.mark.parametrize("form", ["console", "json"])
def test_a_trace_has_no_values(form: str) -> None:
    run = subprocess.run([sys.executable, "-c", FAULT.format(form=form)], capture_output=True, text=True, check=True)
    assert "request failed" in run.stderr
    assert "KeyError" in run.stderr
    assert "sgn_secret" not in run.stderr
