"""How the audit reads its tools' output. Only packages that were looked up and have no findings pass."""

import json
from typing import Any

import pytest

from audit.__main__ import FOUND, UNREACHABLE, main
from audit.verdicts import Verdict, of_npm_audit, of_pip_audit


def pip_audit(*dependencies: dict[str, Any]) -> str:
    return json.dumps({"dependencies": dependencies, "fixes": []})


def npm_audit(*vulnerabilities: dict[str, Any]) -> str:
    named = {vulnerability["name"]: vulnerability for vulnerability in vulnerabilities}
    return json.dumps({"vulnerabilities": named, "metadata": {"dependencies": {"prod": 40, "dev": 200}}})


SOUND = {"name": "idna", "version": "3.10", "vulns": []}
HOLE = {"id": "GHSA-1", "fix_versions": ["2.1", "3.0"], "description": "…"}
GRAVE = {"name": "left-pad", "range": "<2", "severity": "high", "fixAvailable": True}


class TestPython:
    def test_nothing_found(self) -> None:
        assert of_pip_audit(pip_audit(SOUND), "") == Verdict(1)

    def test_found(self) -> None:
        verdict = of_pip_audit(pip_audit(SOUND, {"name": "old", "version": "1.0", "vulns": [HOLE]}), "")
        assert verdict == Verdict(2, ("old 1.0: GHSA-1, fixed in 2.1 or 3.0",))

    def test_found_without_a_fix(self) -> None:
        verdict = of_pip_audit(pip_audit({"name": "old", "version": "1", "vulns": [{**HOLE, "fix_versions": []}]}), "")
        assert verdict.findings == ("old 1: GHSA-1, fixed in no version yet",)

    def test_some_are_unknown(self) -> None:
        verdict = of_pip_audit(pip_audit(SOUND, {"name": "ours", "skip_reason": "…"}), "")
        assert verdict == Verdict(1, (), "the registry did not know ours")

    @pytest.mark.parametrize("output", ["", "null", "[]", "{}", "Traceback …", pip_audit(), '{"dependencies": null}'])
    def test_no_result_is_not_a_pass(self, output: str) -> None:
        assert of_pip_audit(output, "").unknown

    def test_says_why(self) -> None:
        assert of_pip_audit("", "Traceback\n  …\nOSError: no network\n\n").unknown == "OSError: no network"


class TestBrowser:
    def test_nothing_found(self) -> None:
        assert of_npm_audit(npm_audit(), "") == Verdict(40)

    @pytest.mark.parametrize("severity", ["high", "critical"])
    def test_found(self, severity: str) -> None:
        verdict = of_npm_audit(npm_audit({**GRAVE, "severity": severity}), "")
        assert verdict.findings == (f"left-pad <2: {severity}, npm audit fix changes it",)

    @pytest.mark.parametrize("severity", ["info", "low", "moderate"])
    def test_below_high_severity(self, severity: str) -> None:
        assert of_npm_audit(npm_audit({**GRAVE, "severity": severity}), "") == Verdict(40)

    @pytest.mark.parametrize("output", ["", "null", "[]", "{}", "<html>", '{"message": "405 Method Not Allowed"}'])
    def test_no_result_is_not_a_pass(self, output: str) -> None:
        assert of_npm_audit(output, "").unknown


class TestExitCode:
    @pytest.mark.parametrize(
        ("service", "web_app", "tools", "code", "code_if_unreachable_is_fine"),
        [
            (Verdict(9), Verdict(9), Verdict(9), 0, 0),
            (Verdict(9, ("hole",)), Verdict(9), Verdict(9), FOUND, FOUND),
            (Verdict(9), Verdict(9, ("hole",)), Verdict(9), FOUND, FOUND),
            (Verdict(9, ("hole",)), Verdict(unknown="no network"), Verdict(9), FOUND, FOUND),
            (Verdict(unknown="no network"), Verdict(9), Verdict(9), UNREACHABLE, 0),
            (Verdict(9), Verdict(9), Verdict(9, ("hole",)), 0, 0),
        ],
    )
    def test_code_and_output(
        self,
        service: Verdict,
        web_app: Verdict,
        tools: Verdict,
        code: int,
        code_if_unreachable_is_fine: int,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        packages = {"--no-dev": service, "--only-group": tools}
        monkeypatch.setattr("audit.__main__.python_packages", lambda uv, *which: packages[which[0]])
        monkeypatch.setattr("audit.__main__.browser_packages", lambda: web_app)
        for arguments, wanted in (([], code), (["--unreachable-is-fine"], code_if_unreachable_is_fine)):
            monkeypatch.setattr("sys.argv", ["audit", *arguments])
            assert main() == wanted
            output = capsys.readouterr()
            for verdict in (service, web_app, tools):
                assert all(f": {finding}\n" in output.err for finding in verdict.findings)
                assert (f": {verdict.unknown}\n" in output.err) or not verdict.unknown
            assert ("VULNERABLE" in output.err) == any(package.findings for package in (service, web_app, tools))
            assert ("NOT AUDITED" in output.err) == any(package.unknown for package in (service, web_app, tools))
