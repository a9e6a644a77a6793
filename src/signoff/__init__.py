"""Signoff, the human sign-off layer for AI agents."""


def __getattr__(name: str) -> str:
    """Read the version when it's needed: what reads it takes 5 MB, which most processes can do without."""
    if name == "__version__":
        from importlib.metadata import version

        return version("signoff")
    raise AttributeError(name)
