"""Turn search input into PostgreSQL text-search queries. Any input is a valid query."""

import re
from collections.abc import Callable
from typing import Final

_BARE_WORD_AT_THE_END: Final = re.compile(r'(?:^|\s)[^\s"-][^\s"]*$')


def search_query(words: str, parameter: str) -> str:
    """Return SQL for the `tsquery`; `parameter` stands for the search words in the statement.

    The last word matches as a prefix, for search as you type, unless it's excluded or part of a phrase.
    """
    query = f"websearch_to_tsquery('simple', {parameter})"
    if words.count('"') % 2 == 0 and _BARE_WORD_AT_THE_END.search(words):
        # As text, a query that ends with a word ends with its quote.
        query = f"regexp_replace({query}::text, '''$', ''':*')::tsquery"
    # As a subquery it's evaluated once, not for every document.
    return f"(select {query})"


def index_query(words: str, bind: Callable[[str], str]) -> str:
    """Return SQL for a `tsquery` that matches at least the same documents, and that an index evaluates quickly.

    An index finds whole words immediately, but has to collect all matches of a common prefix. So the last word, which
    may be a prefix, is left out if the others are enough without it.
    """
    query = search_query(words, bind(words))
    whole = _whole_words(words)
    if whole is None:
        return query
    # What looks like a word may not be one to the database, and an empty query matches nothing.
    return f"""(select case when numnode(others) > 0 then others else {query} end
                from websearch_to_tsquery('simple', {bind(whole)}) as others)"""  # noqa: S608


def _whole_words(words: str) -> str | None:
    """Return SQL for the words without the last, or null if there are none that can stand alone."""
    *before, _ = words.split()
    if '"' in words or not before or before[0].startswith("-") or "or" in words.lower().split():
        return None
    return " ".join(before)
