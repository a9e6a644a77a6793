"""The log's content: for an error, its location but no values; for people, only what needs attention."""

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
def test_traceback_has_no_values(form: str) -> None:
    run = subprocess.run([sys.executable, "-c", FAULT.format(form=form)], capture_output=True, text=True, check=True)
    assert "request failed" in run.stderr
    assert "KeyError" in run.stderr
    assert "sgn_secret" not in run.stderr


SECRETS = """
from signoff.platform.logs import configure_logs, get_logger
from signoff.platform.settings import load_settings
import logging

configure_logs(load_settings(log_format="{form}"))
log = get_logger("test")
token = "pub_" + "aB-_" * 10 + "xyz"
media = "/media/acc_" + "0a" * 14 + "/med_" + "1b" * 14
log.warning("request", path="/api/v1/public/triggers/" + token + "/submissions", status=404)
log.warning("request", path=media, status=404)
log.warning("failed", error=repr(ValueError("https://signoff.example.com" + media + "?expires=1&signature=abcdef")))
logging.getLogger("library").warning("cannot open %s", "/f/" + token)
try:
    raise ValueError(token)
except ValueError:
    log.exception("request failed")
log.warning("kept", review="rev_" + "0a" * 14)
"""


@pytest.mark.parametrize("form", ["console", "json"])
def test_secrets_in_addresses_are_left_out(form: str) -> None:
    run = subprocess.run([sys.executable, "-c", SECRETS.format(form=form)], capture_output=True, text=True, check=True)
    assert "aB-_" not in run.stderr
    assert "1b1b" not in run.stderr
    assert "signature=abcdef" not in run.stderr
    assert "/api/v1/public/triggers/pub_[redacted]/submissions" in run.stderr
    assert run.stderr.count("pub_[redacted]") == 3
    assert "rev_" + "0a" * 14 in run.stderr


STRANGE = r"""
from signoff.platform.logs import configure_logs, get_logger
from signoff.platform.settings import load_settings

configure_logs(load_settings(log_format="{form}"))
log = get_logger("test")
log.warning("strange", text="half of a pair: \ud800", number=2**70, value={{(1, 2): object()}})
try:
    raise ValueError("\ud800")
except ValueError:
    log.exception("failed")
"""


@pytest.mark.parametrize("form", ["console", "json"])
def test_logs_whatever_it_is_given(form: str) -> None:
    run = subprocess.run([sys.executable, "-c", STRANGE.format(form=form)], capture_output=True, text=True, check=True)
    assert "half of a pair" in run.stderr
    assert "ValueError" in run.stderr


REQUESTS = """
from signoff.platform.logs import configure_logs, get_logger
from signoff.platform.settings import load_settings

configure_logs(load_settings(log_format="{form}", log_level="{level}"))
get_logger("http").info("request", path="/fine", status=204)
get_logger("http").info("request", path="/refused", status=422)
get_logger("supervisor").info("ready")
"""


@pytest.mark.parametrize(
    ("form", "level", "shown"), [("console", "info", False), ("console", "debug", True), ("json", "info", True)]
)
def test_successful_requests(form: str, level: str, *, shown: bool) -> None:
    """Programs that read the log get all of them; a terminal shows only failed ones."""
    program = REQUESTS.format(form=form, level=level)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ("/fine" in run.stderr) is shown
    assert "/refused" in run.stderr
    assert "ready" in run.stderr
