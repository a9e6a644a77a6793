"""Hooks for `make docs`: they add pages from the root, the decision records and an API reference to the site."""
