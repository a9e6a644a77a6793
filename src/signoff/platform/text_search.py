"""Words that somebody searches for, as PostgreSQL's text search takes them. Whatever is typed is a query."""

import re
from collections.abc import Callable
from typing import Final

_BARE_WORD_AT_THE_END: Final = re.compile(r'(?:^|\s)[^\s"-][^\s"]*$')


def search_query(words: str, parameter: str) -> str:
    """SQL of the `tsquery`; `parameter` stands for the words in the statement.

    The last word may be only begun, so that a search can follow the typing: unless it is excluded, or part of a phrase.
    """
    query = f"websearch_to_tsquery('simple', {parameter})"
    if words.count('"') % 2 == 0 and _BARE_WORD_AT_THE_END.search(words):
        # In writing, a query that ends with a word ends with its quote.
        query = f"regexp_replace({query}::text, '''$', ''':*')::tsquery"
    # As a query of its own it is made once, and not again for every document.
    return f"(select {query})"


def index_query(words: str, bind: Callable[[str], str]) -> str:
    """SQL of a `tsquery` that matches at least what the words match, and that an index answers quickly.

    It finds whole words at once, but has to gather everything that begins like a common one: so the last word, which
    may be only begun, is left out where the others can do without it.
    """
    query = search_query(words, bind(words))
    whole = _whole_words(words)
    if whole is None:
        return query
    # What looks like a word may be none to the database, and a query without any matches nothing.
    return f"""(select case when numnode(others) > 0 then others else {query} end
                from websearch_to_tsquery('simple', {bind(whole)}) as others)"""  # noqa: S608


def _whole_words(words: str) -> str | None:
    """The words without the last; None if they cannot stand alone."""
    *before, _ = words.split()
    if '"' in words or not before or before[0].startswith("-") or "or" in words.lower().split():
        return None
    return " ".join(before)
