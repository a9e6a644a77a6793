"""Templates of review types: one file each, in the gallery's order."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from signoff.forms.definition import compile_definition
from signoff.forms.editor.schemas import Template, Templates

FOLDER: Final = Path(__file__).with_name("templates")
ORDER: Final = (
    *("social-post", "email-draft", "support-reply", "image-choice", "video-approval", "expense"),
    *("data-extraction", "crm-update", "code-change", "content-moderation", "lead-qualification", "translation"),
)


@cache
def load_templates() -> Templates:
    return Templates(items=[_read(template_id) for template_id in ORDER])


def _read(template_id: str) -> Template:
    written: dict[str, Any] = json.loads((FOLDER / f"{template_id}.json").read_text("utf-8"))
    form: dict[str, Any] = written["form"]
    return Template(
        template_id=template_id,
        name=form["name"],
        summary=written["summary"],
        category=written["category"],
        form={**form, **compile_definition(form).to_json()},
        sample=written["sample"],
    )
