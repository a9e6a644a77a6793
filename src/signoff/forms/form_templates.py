"""Templates of review types: one file each, in the gallery's order."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from signoff.forms.definition import compile_definition
from signoff.forms.editor.schemas import Template, Templates
from signoff.forms.template_texts import localize_template
from signoff.platform.messages import ENGLISH

FOLDER: Final = Path(__file__).with_name("templates")
ORDER: Final = (
    *("social-post", "email-draft", "support-reply", "image-choice", "video-approval", "expense"),
    *("data-extraction", "crm-update", "code-change", "content-moderation", "lead-qualification", "translation"),
)


@cache
def load_templates(language: str = ENGLISH) -> Templates:
    return Templates(items=[_read(template_id, language) for template_id in ORDER])


def _read(template_id: str, language: str) -> Template:
    written: dict[str, Any] = json.loads((FOLDER / f"{template_id}.json").read_text("utf-8"))
    localized = None if language == ENGLISH else {"language": language, **_texts(localize_template(written, language))}
    return Template.model_validate(
        {"template_id": template_id, **_texts(written), "sample": written["sample"], "localized": localized}
    )


def _texts(written: dict[str, Any]) -> dict[str, Any]:
    form: dict[str, Any] = written["form"]
    return {
        "name": form["name"],
        "summary": written["summary"],
        "category": written["category"],
        "form": {**form, **compile_definition(form).to_json()},
    }
