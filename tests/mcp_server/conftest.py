"""The protocol's own client brings its connections, and one way to it is a process."""

from support.real_fixtures import service, workspace

__all__ = ["service", "workspace"]
