"""The protocol's own client opens the connections, and one transport is a process."""

from support.real_fixtures import service, workspace

__all__ = ["service", "workspace"]
