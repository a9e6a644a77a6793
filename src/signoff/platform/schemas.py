"""What request and answer bodies share: camelCase outside, snake_case inside, and lists with a cursor."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from fastapi import Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from signoff.platform.guarded_http import InvalidUrlError, check_url


class Body(BaseModel):
    """A body in a request. What it does not know it refuses: a misspelt member must not be lost silently."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Change(Body):
    """Members that are left out stay as they are. `null` is refused for all but the nullable ones."""

    nullable: ClassVar[frozenset[str]] = frozenset()

    @field_validator("*", mode="before")
    @classmethod
    def _null_only_where_it_means_something(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None and info.field_name not in cls.nullable:
            raise PydanticCustomError("null_not_allowed", "cannot be null")
        return value


class Answer(BaseModel):
    """A body in an answer."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


Item = TypeVar("Item")


class Page(Answer, Generic[Item]):
    items: list[Item]
    next_cursor: str | None = Field(None, description="Give it as `cursor` for what follows; null at the end.")


def _usable_url(url: str) -> str:
    try:
        return check_url(url)
    except InvalidUrlError as error:
        raise ValueError(str(error)) from None


WebhookUrl = Annotated[str, AfterValidator(_usable_url)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Cursor = Annotated[str | None, Query(description="`nextCursor` of the page before.", max_length=200)]
Limit = Annotated[int, Query(ge=1, le=200, description="Most items on a page.")]

ERROR: dict[str, Any] = {"description": "A problem document (RFC 9457)."}


def page(items: list[Item], limit: int, cursor_of: Callable[[Item], str]) -> Page[Item]:
    """`items` holds one more than `limit` where more follow."""
    shown = items[:limit]
    return Page(items=shown, next_cursor=cursor_of(shown[-1]) if len(items) > limit else None)
