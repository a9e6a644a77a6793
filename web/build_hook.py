"""Puts the built web app into packages. In a working copy the Makefile builds it, and knows when to do so again."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebAppHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable" or (root / "src/signoff/pages/app/index.html").is_file():
            return
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("The web app must be built first: run `make web`, or install Node.js 22.19 or newer.")
        for command in (["install", "--no-save", "--no-fund", "--no-audit"], ["run", "build"]):
            subprocess.run([npm, *command], cwd=root / "web", check=True)  # noqa: S603
