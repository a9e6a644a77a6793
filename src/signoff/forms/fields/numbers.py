"""Numbers, ratings, and yes/no."""

from dataclasses import dataclass
from typing import Final

from signoff.forms.fields.error_messages import BOOLEAN, NUMBER
from signoff.forms.fields.field import FieldType
from signoff.forms.fields.settings import (
    CountSetting,
    FlagSetting,
    NumberSetting,
    Settings,
    TextSetting,
    check_order,
)
from signoff.forms.fields.value_type import FieldConfig, ReadResult, ValueType, report_wrong_type
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import msg

_LEAST_STARS: Final = 1


@dataclass(frozen=True, slots=True)
class NumberValueType(ValueType):
    low: float | None = None
    high: float | None = None
    whole: bool = False

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return report_wrong_type(value, NUMBER, where, errors)
        return value

    def check(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> None:
        number = value if isinstance(value, int | float) else 0
        if self.low is not None and number < self.low:
            errors.append(ErrorDetail(where, "too_small", msg("must be at least {limit}", limit=self.low)))
        if self.high is not None and number > self.high:
            errors.append(ErrorDetail(where, "too_large", msg("must be at most {limit}", limit=self.high)))
        if self.whole and isinstance(number, float) and not number.is_integer():
            errors.append(ErrorDetail(where, "not_whole", msg("must be a whole number")))

    def schema(self) -> JsonObject:
        return {"type": "number"}


class BooleanValueType(ValueType):
    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        return value if isinstance(value, bool) else report_wrong_type(value, BOOLEAN, where, errors)

    def schema(self) -> JsonObject:
        return {"type": "boolean"}


def _check_bounds(settings: Settings, where: str, errors: list[ErrorDetail]) -> None:
    check_order(settings, "min", "max", where, errors)


TYPES: Final = (
    FieldType(
        name="number",
        summary="A number",
        category="numbers",
        value="number",
        value_summary="number",
        settings=(
            NumberSetting(name="min", summary="Minimum value"),
            NumberSetting(name="max", summary="Maximum value"),
            FlagSetting(name="integer", summary="Whole numbers only"),
            TextSetting(name="unit", summary="Unit after the number", max_length=40),
        ),
        value_type=lambda settings: NumberValueType(settings["min"], settings["max"], settings["integer"]),
        cross_check=_check_bounds,
        tracks_edits=True,
    ),
    FieldType(
        name="rating",
        summary="Star rating, from 1 to `max`",
        category="numbers",
        value="number",
        value_summary="number",
        limits={"minimum": _LEAST_STARS, "multipleOf": 1},
        settings=(CountSetting(name="max", summary="Number of stars", least=2, most=10, default=5),),
        value_type=lambda settings: NumberValueType(_LEAST_STARS, settings["max"], whole=True),
        tracks_edits=True,
    ),
    FieldType(
        name="boolean",
        summary="Yes or no. If required, the reviewer must choose one",
        category="choices",
        value="boolean",
        value_summary="boolean",
        settings=(
            TextSetting(name="trueLabel", summary="Label for true", max_length=100),
            TextSetting(name="falseLabel", summary="Label for false", max_length=100),
        ),
        value_type=lambda _: BooleanValueType(),
    ),
)
