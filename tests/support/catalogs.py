"""Test catalogs, so that no test depends on today's translations."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from signoff.platform import messages

Translations = Mapping[str | tuple[str, str], str | tuple[str, ...]]


@contextmanager
def catalogs(folder: Path, **languages: Translations) -> Iterator[None]:
    """Replaces the real ones. Languages are named as in Babel: `pt_BR`."""
    for language, translations in languages.items():
        catalog = Catalog(locale=language)
        for text, translated in translations.items():
            catalog.add(text, translated)
        with (folder / f"{language.replace('_', '-')}.po").open("wb") as file:
            write_po(file, catalog)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "CATALOGS", folder)
        messages._catalog.cache_clear()
        yield
    messages._catalog.cache_clear()
