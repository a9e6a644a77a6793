"""Resize and crop options of an image, as sent in a request."""

import re
from dataclasses import dataclass
from typing import Final

from signoff.forms.fields.error_messages import OBJECT, TRUE_OR_FALSE, must_be, one_of
from signoff.forms.fields.schema_fragments import on_one_line, or_null
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject, is_number
from signoff.platform.messages import msg

FITS: Final = ("cover", "contain", "fill", "inside", "outside")
POSITIONS: Final = (
    "center",
    "top",
    "right top",
    "right",
    "right bottom",
    "bottom",
    "left bottom",
    "left",
    "left top",
    "entropy",
    "attention",
)
MAX_SIDE: Final = 10_000
BACKGROUND: Final = r"^(transparent|black|white|#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8}))$"

_BACKGROUND: Final = re.compile(BACKGROUND.removesuffix("$"))
_MEMBERS: Final = ("width", "height", "fit", "position", "background", "withoutEnlargement")


@dataclass(frozen=True, slots=True)
class Transform:
    width: int | None = None
    height: int | None = None
    fit: str = "cover"
    position: str = "center"
    background: str | None = None
    without_enlargement: bool = False


def read_transform(raw: Json, where: str, errors: list[ErrorDetail]) -> Transform | None:
    """Return the options, or None after reporting every invalid one."""
    if not isinstance(raw, dict):
        errors.append(ErrorDetail(where, "wrong_type", must_be(OBJECT, raw)))
        return None
    before = len(errors)
    errors.extend(
        ErrorDetail(
            f"{where}.{name}",
            "unknown_member",
            msg("isn't an option; use one of these: {options}", options=list(_MEMBERS)),
        )
        for name in raw
        if name not in _MEMBERS
    )
    width = _side(raw, "width", where, errors)
    height = _side(raw, "height", where, errors)
    fit = _choice(raw, "fit", FITS, where, errors)
    position = _choice(raw, "position", POSITIONS, where, errors)
    background = raw.get("background")
    if background is not None and not (isinstance(background, str) and _BACKGROUND.fullmatch(background)):
        errors.append(
            ErrorDetail(
                f"{where}.background", "bad_color", msg("must be #rrggbb, #rrggbbaa, transparent, black, or white")
            )
        )
    still = raw.get("withoutEnlargement")
    if still is not None and not isinstance(still, bool):
        errors.append(ErrorDetail(f"{where}.withoutEnlargement", "wrong_type", TRUE_OR_FALSE))
    if len(errors) > before:
        return None
    return Transform(
        width,
        height,
        fit or "cover",
        position or "center",
        background if isinstance(background, str) else None,
        still is True,
    )


def _side(raw: JsonObject, name: str, where: str, errors: list[ErrorDetail]) -> int | None:
    value = raw.get(name)
    if value is None:
        return None
    # In JSON, `400.0` is the same number as `400`.
    if is_number(value) and isinstance(value, int | float) and 1 <= value <= MAX_SIDE and value == int(value):
        return int(value)
    errors.append(
        ErrorDetail(
            f"{where}.{name}",
            "out_of_range",
            msg("must be a whole number between {least} and {most}", least=1, most=MAX_SIDE),
        )
    )
    return None


def _choice(raw: JsonObject, name: str, allowed: tuple[str, ...], where: str, errors: list[ErrorDetail]) -> str | None:
    value = raw.get(name)
    if value is None:
        return None
    if isinstance(value, str) and value in allowed:
        return value
    errors.append(ErrorDetail(f"{where}.{name}", "unknown_choice", one_of(allowed)))
    return None


def transform_schema() -> JsonObject:
    side: JsonObject = {"type": ["integer", "null"], "minimum": 1, "maximum": MAX_SIDE}
    return {
        "type": "object",
        "properties": {
            "width": side,
            "height": side,
            "fit": {"enum": [*FITS, None]},
            "position": {"enum": [*POSITIONS, None]},
            "background": or_null(on_one_line(BACKGROUND)),
            "withoutEnlargement": {"type": ["boolean", "null"]},
        },
        "additionalProperties": False,
    }
