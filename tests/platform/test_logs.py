"""What the log tells: of a fault, where it was and nothing that was held there; to a person, what needs one."""

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


REQUESTS = """
from signoff.platform.logs import configure_logs, get_logger
from signoff.platform.settings import load_settings

configure_logs(load_settings(log_format="{form}", log_level="{level}"))
get_logger("http").info("request", path="/fine", status=204)
get_logger("http").info("request", path="/refused", status=422)
get_logger("serve").info("ready")
"""


@pytest.mark.parametrize(
    ("form", "level", "shown"), [("console", "info", False), ("console", "debug", True), ("json", "info", True)]
)
def test_requests_that_went_well(form: str, level: str, *, shown: bool) -> None:
    """Programs that read the log get all of them; who watches a terminal is shown those that did not."""
    program = REQUESTS.format(form=form, level=level)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ("/fine" in run.stderr) is shown
    assert "/refused" in run.stderr
    assert "ready" in run.stderr
