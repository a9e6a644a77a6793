"""`python -m audit [--uv UV] [--unreachable-is-fine]`.

Exits with 0 if everything was checked and nothing was found, 1 if something was found in what we ship, and 3 if the
check wasn't possible. With `--unreachable-is-fine`, the last is reported just as clearly but exits with 0, so that work
can go on without a network.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from audit.verdicts import Verdict, of_npm_audit, of_pip_audit

ROOT = Path(__file__).parents[1]
TIMEOUT_SECONDS = 300.0
FOUND, UNREACHABLE = 1, 3


def run(*command: str, folder: Path = ROOT) -> tuple[str, str]:
    """Return its output and its errors; a program that is missing or takes too long counts as an error."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as failure:
        return "", str(failure)
    return done.stdout, done.stderr


def python_packages(uv: str, *which: str) -> Verdict:
    """Check the versions in `uv.lock`, so that nothing is installed or resolved."""
    export = (uv, "export", "--quiet", "--frozen", "--no-hashes", "--no-emit-local", "--format", "requirements-txt")
    locked, complaint = run(*export, *which)
    if not locked:
        return Verdict(unknown=complaint.strip() or "uv exported nothing")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:
        requirements.write(locked)
        requirements.flush()
        audit = (sys.executable, "-m", "pip_audit", "--requirement", requirements.name, "--no-deps", "--disable-pip")
        return of_pip_audit(*run(*audit, "--format", "json", "--progress-spinner", "off"))


def browser_packages() -> Verdict:
    return of_npm_audit(*run("npm", "audit", "--omit=dev", "--json", folder=ROOT / "web"))


def print_verdict(what: str, verdict: Verdict) -> None:
    for finding in verdict.findings:
        print(f"VULNERABLE  {what}: {finding}", file=sys.stderr)
    if verdict.unknown:
        print(f"NOT AUDITED {what}: {verdict.unknown}", file=sys.stderr)
    elif not verdict.findings:
        print(f"audited     {what}: {verdict.packages} packages, nothing known against them")


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m audit")
    options.add_argument("--uv", default="uv")
    options.add_argument("--unreachable-is-fine", action="store_true")
    chosen = options.parse_args()
    shipped = {
        "the service": python_packages(chosen.uv, "--no-dev", "--all-extras"),
        "the web app": browser_packages(),
    }
    # Reported, but not a failure: nobody who runs the service has them.
    tools = {"the tools for development": python_packages(chosen.uv, "--only-group", "dev")}
    for what, verdict in (shipped | tools).items():
        print_verdict(what, verdict)
    if any(verdict.findings for verdict in shipped.values()):
        return FOUND
    if any(verdict.unknown for verdict in shipped.values()) and not chosen.unreachable_is_fine:
        return UNREACHABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
