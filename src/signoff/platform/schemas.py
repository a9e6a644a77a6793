"""Shared base classes for request and response bodies: camelCase in JSON, snake_case in Python, and lists with a
cursor.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar, cast

from fastapi import Query, Response
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import SkipJsonSchema

from signoff.platform.guarded_http import InvalidUrlError, check_url
from signoff.platform.http.json_routes import json_response
from signoff.platform.ids import CALLER_ID
from signoff.platform.messages import ENGLISH, Message, localize, msg, reader_language
from signoff.platform.validation_messages import custom_error


def example(value: Any) -> ConfigDict:
    """Return a model's configuration with an example for the API reference."""
    return ConfigDict(json_schema_extra={"examples": [value]})


class RequestModel(BaseModel):
    """A request body. Unknown members are refused, so that a misspelled one isn't silently lost."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")


class PatchModel(RequestModel):
    """Omitted members stay unchanged. `null` is only accepted for nullable members."""

    nullable: ClassVar[frozenset[str]] = frozenset()

    @field_validator("*", mode="before")
    @classmethod
    def _reject_null(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None and info.field_name not in cls.nullable:
            raise custom_error("null_not_allowed", msg("can't be null"))
        return value


class ResponseModel(BaseModel):
    """A response body."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


def _keep_message(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    return value if isinstance(value, Message) else validate(value)


Text = Annotated[str, WrapValidator(_keep_message)]
"""A text for people. If it's a message, the reader gets it in their language too."""


class LocalizedAnswer(ResponseModel):
    """An answer with texts in English, for developers, and in the language of whoever asked."""

    localized: dict[str, str | list[str]] | SkipJsonSchema[None] = Field(
        default=None,
        description=(
            "The same text in the language that `Accept-Language` asks for, if that language is supported and isn't "
            "English."
        ),
        exclude_if=lambda value: value is None,
    )

    @model_validator(mode="after")
    def _localize(self) -> Self:
        if (language := reader_language()) != ENGLISH and (texts := self._texts(language)):
            self.localized = {"language": language, **texts}
        return self

    def _texts(self, language: str) -> dict[str, str | list[str]]:
        texts: dict[str, str | list[str]] = {}
        for name, field in type(self).model_fields.items():
            value: Any = getattr(self, name)
            if isinstance(value, Message):
                texts[field.alias or name] = value.localize(language)
            elif isinstance(value, list) and any(isinstance(item, Message) for item in cast(list[Any], value)):
                texts[field.alias or name] = [localize(item, language) for item in cast(list[str], value)]
        return texts


Item = TypeVar("Item")
Row = TypeVar("Row", bound="ResponseModel")


class Page(ResponseModel, Generic[Item]):
    items: list[Item]
    next_cursor: str | None = Field(None, description="Pass as `cursor` to get the next page. `null` on the last page.")


def _valid_url(url: str) -> str:
    try:
        return check_url(url)
    except InvalidUrlError as error:
        raise ValueError(error.message) from None


def _caller_id(value: str) -> str:
    if value in {".", ".."}:
        raise custom_error("bad_id", msg("can't be . or .., which have a special meaning in URLs"))
    if not CALLER_ID.fullmatch(value):
        raise custom_error("bad_id", msg("must have 1 to 128 characters and contain only A-Z, a-z, 0-9, and . _ : -"))
    return value


CallerId = Annotated[
    str, AfterValidator(_caller_id), WithJsonSchema({"type": "string", "pattern": f"^{CALLER_ID.pattern}$"})
]
"""A caller's own `sessionId` or `runId`."""

WebhookUrl = Annotated[str, AfterValidator(_valid_url)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Cursor = Annotated[str | None, Query(description="`nextCursor` from the previous page.", max_length=200)]


def id_cursor(prefix: str) -> Any:
    """Parse the cursor of a list sorted by ID. Raises an error for a cursor that no list returned."""
    return Query(pattern=f"^({prefix}_[0-9a-f]{{28}})?$", description="`nextCursor` from the previous page.")


MAX_WAIT_SECONDS = 60
Wait = Annotated[
    float,
    Query(ge=0, le=MAX_WAIT_SECONDS, allow_inf_nan=False, description="Seconds to wait for a change (long polling)."),
]
Limit = Annotated[int, Query(ge=1, le=200, description="Maximum number of items per page.")]


def make_page(items: list[Item], limit: int, cursor_of: Callable[[Item], str]) -> Page[Item]:
    """Build a page. `items` has one more than `limit` if there are more."""
    shown = items[:limit]
    return Page(items=shown, next_cursor=cursor_of(shown[-1]) if len(items) > limit else None)


def page_response(items: list[Row], limit: int, cursor_of: Callable[[Row], str]) -> Response:
    return sparse_page_response(make_page(items, limit, cursor_of))


def sparse_page_response(page: Page[Row]) -> Response:
    """Build a page whose items omit members that don't apply to them; the cursor is always included."""
    shown = [item.model_dump(by_alias=True, exclude_none=True) for item in page.items]
    return json_response({"items": shown, "nextCursor": page.next_cursor})
