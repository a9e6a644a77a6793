"""Generate source code for a review type: types for what agents send and receivers get, so that editors can check
it.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from signoff.accounts.context import Caller
from signoff.forms.codegen.json_schema_writer import write_json_schema
from signoff.forms.codegen.python_writer import write_python
from signoff.forms.codegen.types import data_type, event_type, response_values_type, result_data_type
from signoff.forms.codegen.typescript_writer import write_typescript
from signoff.forms.definition import Definition
from signoff.forms.queries import get_form_row, get_version_row
from signoff.forms.versions import get_form_version

Language: TypeAlias = Literal["typescript", "python", "jsonschema"]

TEXT: Final = "text/plain; charset=utf-8"
SCHEMA: Final = "application/schema+json"
_ENDINGS: Final = {"typescript": "ts", "python": "py", "jsonschema": "schema.json"}


@dataclass(frozen=True, slots=True)
class Source:
    text: str
    media_type: str
    file_name: str


async def source_code(caller: Caller, form_id: str, language: Language, version: int | None) -> Source:
    """Generate code for the current version, unless another one is given."""
    row = await get_form_row(caller.db, caller.account_id, form_id)
    number: int = row["version"] if version is None else version
    if version is not None:
        await get_version_row(caller.db, form_id, version)
    form = await get_form_version(caller.db, form_id, number)
    title = f"Types of the review type “{form.name}” ({form_id}), version {number}."
    text = write_source(language, title, form.name, form.definition, trigger=form.trigger)
    media_type = SCHEMA if language == "jsonschema" else TEXT
    return Source(text, media_type, f"{form_id}-v{number}.{_ENDINGS[language]}")


def write_source(language: Language, title: str, name: str, definition: Definition, *, trigger: bool) -> str:
    values, event = response_values_type(definition), event_type(definition, trigger=trigger)
    if language == "jsonschema":
        return write_json_schema(title, definition, values, event)
    objects = (data_type(definition), values, result_data_type(definition), event)
    write: Any = write_typescript if language == "typescript" else write_python
    return write(title, name, objects)
