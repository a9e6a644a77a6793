"""`python tests/support/mutants.py`: the results of `make mutants`. Exits with 1 if the tests miss too many mutants.

Some mutants make no difference, such as another error text, and some can't be activated, such as those in functions
that are called during an import; so not all can be found.
"""

import json
import sys
from pathlib import Path

STATS = Path("mutants/mutmut-cicd-stats.json")
LEAST = 0.94
"""Share of the changes that has to be found. Raise it when the score rises."""


def main() -> int:
    stats = json.loads(STATS.read_text())
    detected = stats["killed"] + stats["timeout"] + stats["segfault"]
    score = detected / stats["total"]
    print(f"{detected} of {stats['total']} changes were found: {score:.1%}, {LEAST:.0%} are expected.")  # noqa: T201
    return 0 if score >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
