"""Interpret an auditor's output: nothing found, something found, or unknown. Only the first one passes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

FAILING = ("high", "critical")


@dataclass(frozen=True)
class Verdict:
    """`packages` were checked; `findings` are vulnerabilities; `unknown` says why not everything was checked."""

    packages: int = 0
    findings: tuple[str, ...] = ()
    unknown: str = ""


def of_pip_audit(output: str, complaint: str) -> Verdict:
    """Read `pip-audit --format json`. Its exit status is the same for a finding and a failure; its output isn't."""
    try:
        dependencies: list[dict[str, Any]] = list(json.loads(output)["dependencies"])
    except (ValueError, KeyError, TypeError):
        return Verdict(unknown=_last_line(complaint) or "pip-audit said nothing")
    looked_up = [each for each in dependencies if "vulns" in each]
    skipped = [each["name"] for each in dependencies if "vulns" not in each]
    if not looked_up:
        return Verdict(unknown="the registry knew none of the packages")
    unknown = f"the registry did not know {', '.join(skipped)}" if skipped else ""
    return Verdict(len(looked_up), tuple(_python_findings(looked_up)), unknown)


def _python_findings(dependencies: list[dict[str, Any]]) -> Iterator[str]:
    for each in dependencies:
        for vulnerability in each["vulns"]:
            fixed = " or ".join(vulnerability.get("fix_versions") or []) or "no version yet"
            yield f"{each['name']} {each['version']}: {vulnerability['id']}, fixed in {fixed}"


def of_npm_audit(output: str, complaint: str) -> Verdict:
    """Read `npm audit --json`: high and critical findings count."""
    try:
        report: dict[str, Any] = json.loads(output)
        if "message" in report:  # The registry's error, as npm reports it.
            return Verdict(unknown=report["message"])
        packages: int = report["metadata"]["dependencies"]["prod"]
        vulnerable: dict[str, dict[str, Any]] = report["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return Verdict(unknown=_last_line(complaint) or "npm audit said nothing")
    grave = (each for each in vulnerable.values() if each["severity"] in FAILING)
    found = (f"{each['name']} {each['range']}: {each['severity']}{_npm_fix(each)}" for each in grave)
    return Verdict(packages, tuple(found))


def _npm_fix(finding: dict[str, Any]) -> str:
    return ", npm audit fix changes it" if finding.get("fixAvailable") else ", no fix yet"


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
