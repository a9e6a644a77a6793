"""Asks whether known vulnerabilities are in what we depend on: `make audit`, and a part of `make check`."""
