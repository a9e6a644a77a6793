"""The examples run in separate processes."""

from support.real_fixtures import service, workspace

__all__ = ["service", "workspace"]
