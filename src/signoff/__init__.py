"""Signoff, the human sign-off layer for AI agents."""

from importlib.metadata import version

__version__ = version("signoff")
