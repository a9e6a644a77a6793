"""`python -m signoff_client models <formId>`: generates Pydantic models for a review type."""

import argparse
import sys
from pathlib import Path

from signoff_client.clients import Client
from signoff_client.errors import SignoffError


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m signoff_client", description="Command-line tools for Signoff agents.")
    commands = parser.add_subparsers(required=True)
    models = commands.add_parser("models", help="Generate Pydantic models for a review type")
    models.add_argument("form_id", metavar="formId", help="Review type ID (frm_…)")
    models.add_argument("-o", "--output", type=Path, help="Output file (default: standard output)")
    models.add_argument("--version", type=int, help="Version (default: current)")
    models.add_argument("--url", help="Signoff URL (default: SIGNOFF_URL)")
    options = parser.parse_args(argv)
    try:
        with Client(options.url) as client:
            code = client.generate_models(options.form_id, version=options.version)
        if options.output:
            options.output.write_text(code, encoding="utf-8")
        else:
            sys.stdout.write(code)
    except (SignoffError, ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
