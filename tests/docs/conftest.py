"""The examples run in processes of their own."""

from support.real_fixtures import service, workspace

__all__ = ["service", "workspace"]
