"""The examples run in processes of their own."""

from support.real import service, workspace

__all__ = ["service", "workspace"]
