"""Run `signoff` as `python -m signoff`."""

from signoff.cli import app

# The server's worker process may import this module a second time, under another name.
if __name__ == "__main__":
    app(prog_name="signoff")
