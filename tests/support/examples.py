"""The number of examples of a property, for tests that differ from the profile."""

from hypothesis import settings

DEFAULT_EXAMPLES = 100
"""Of the profile `thorough`, which the numbers in the tests are meant for."""
MAX_IN_SECONDS = 100


def examples(number: int, quick: int = MAX_IN_SECONDS) -> int:
    """This many in the profile `thorough`, and fewer in faster ones: at most `quick`."""
    profile = settings.default.max_examples
    if profile >= DEFAULT_EXAMPLES:
        return number
    return max(1, min(number * profile // DEFAULT_EXAMPLES, quick))
