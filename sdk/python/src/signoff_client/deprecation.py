"""Old names that work for one more release, with a `DeprecationWarning`."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


def warn_renamed(old: str, new: str) -> None:
    """Warn the caller of the function that calls this."""
    warnings.warn(f"{old} is deprecated. Use {new}.", DeprecationWarning, stacklevel=3)


def deprecated_alias(old: str, method: Callable[P, T]) -> Callable[P, T]:
    """Return a method with its old name."""

    @functools.wraps(method)
    def alias(*args: P.args, **kwargs: P.kwargs) -> T:
        warn_renamed(f"{old}()", f"{method.__name__}()")
        return method(*args, **kwargs)

    alias.__doc__ = f"Deprecated. Use `{method.__name__}`."
    return alias
