"""Check our dependencies for known vulnerabilities: `make audit`, and a part of `make check`."""
