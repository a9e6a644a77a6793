"""SQL with named parameters, compiled once.

    FIND_USER = Sql("select user_id, email from users where account_id = :account_id and email = :email", User)
    user = await FIND_USER.fetch_one(db, account_id=account_id, email=email)

A statement is text that reads from top to bottom. What several statements share is a fragment, put in by name:
`Sql("select {columns} from forms", columns=COLUMNS)`. Text and fragments are literals, which the type checker
enforces, so nothing that a caller sends ever becomes SQL. A fragment can also be a number, such as a limit that the
planner should know.

What has to follow whenever a statement has run, such as a wake-up for a job that it enqueued, is declared on the
fragment: `Sql("insert into jobs …").then(wake_workers)`. Every statement that contains the fragment does it.

A batch is a `Rows` fragment: rows of a dataclass, bound as one array for each field. JSON travels as text, because
the driver takes a list inside an array for another dimension of that array and mixes up the rows.
"""

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property, reduce
from operator import attrgetter
from typing import Any, Generic, LiteralString, TypeVar, overload

import orjson

from signoff.platform.db import Executor, Row

R = TypeVar("R")

# What is skipped comes first: string literals, quoted names, comments, casts (`::text`) and array slices with numbers.
_TOKENS = re.compile(
    r"""(?P<skip>'(?:[^']|'')*'|"[^"]*"|--[^\n]*|/\*.*?\*/|::)|:(?P<parameter>[a-z_][a-z0-9_]*)|\{(?P<fragment>[a-z_]+)\}""",
    re.DOTALL,
)


@dataclasses.dataclass(frozen=True, slots=True)
class PgType:
    """The column type of a field, `Annotated[..., PgType("json")]`, where the Python type doesn't say it."""

    name: LiteralString


Json = typing.Annotated[Any, PgType("json")]
"""A field with any JSON value. None is SQL's null."""

_PG_TYPES: dict[type, LiteralString] = {
    str: "text",
    int: "bigint",
    float: "double precision",
    bool: "boolean",
    bytes: "bytea",
    datetime: "timestamptz",
    date: "date",
}


@dataclasses.dataclass(frozen=True, slots=True)
class _Column:
    name: str
    parameter: str
    pg_type: str
    read: Callable[[Sequence[Any]], list[Any]]
    """From row objects to the values that are bound."""


class Rows(Generic[R]):
    """Rows of a dataclass as a table inside a statement, with a column for each of its fields.

    `NEW = Rows("new", NewReview)` is bound by `new=[NewReview(...), ...]` and stands in a `from` clause:
    `from {new} as n`. No rows at all are an empty table. A field that is a dataclass itself becomes a column for each
    of its own fields: `actor_id`, `actor_name`.
    """

    def __init__(self, parameter: LiteralString, row: type[R]) -> None:
        self.parameter = parameter
        self.row = row
        self.columns = list(_columns(row, parameter))
        names = ", ".join(column.name for column in self.columns)
        values = ", ".join(
            f"{parameter}_columns.{column.name}::{column.pg_type} as {column.name}"
            if _is_sent_as_text(column.pg_type)
            else f"{parameter}_columns.{column.name}"
            for column in self.columns
        )
        given = ", ".join(f"given.{column.name}" for column in self.columns)
        arrays = ", ".join(
            f":{column.parameter}::{'text' if _is_sent_as_text(column.pg_type) else column.pg_type}[] as {column.name}"
            for column in self.columns
        )
        # Of the names of fields and types alone. The planner can't see how long the arrays are, because of `offset 0`.
        # If it could, it would plan again for each batch: a plan for a short one looks cheaper than one for any.
        self.text = (
            f"(select {values} from (select {arrays} offset 0) as given, "  # noqa: S608
            f"unnest({given}) as {parameter}_columns ({names}))"
        )

    def bind(self, rows: Sequence[R]) -> dict[str, list[Any]]:
        return {column.parameter: column.read(rows) for column in self.columns}


def _is_sent_as_text(pg_type: str) -> bool:
    return pg_type in ("json", "jsonb") or pg_type.endswith("[]")


def _columns(row: type[Any], parameter: str, path: tuple[str, ...] = ()) -> Iterator[_Column]:
    hints = typing.get_type_hints(row, include_extras=True)
    for field in dataclasses.fields(row):
        hint, place = hints[field.name], (*path, field.name)
        if isinstance(hint, type) and dataclasses.is_dataclass(hint):
            yield from _columns(hint, parameter, place)
            continue
        pg_type = _pg_type(hint)
        if pg_type is None:
            raise TypeError(f"{row.__name__}.{field.name}: no column type for {hint}; annotate it with PgType")
        name = "_".join(place)
        yield _Column(name, f"{parameter}_{name}", pg_type, _reader(".".join(place), pg_type))


def _reader(path: str, pg_type: str) -> Callable[[Sequence[Any]], list[Any]]:
    get = attrgetter(path)
    if not _is_sent_as_text(pg_type):
        return lambda rows: list(map(get, rows))
    write: Callable[[Any], str] = (
        _array_literal if pg_type.endswith("[]") else lambda value: orjson.dumps(value).decode()
    )
    return lambda rows: [None if value is None else write(value) for value in map(get, rows)]


def _array_literal(values: Iterable[str]) -> str:
    """PostgreSQL's text form of an array of texts: arrays of arrays can't hold rows of different lengths."""
    return "{" + ",".join('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' for value in values) + "}"


def _pg_type(hint: Any) -> str | None:
    if typing.get_origin(hint) is typing.Annotated:
        return next((extra.name for extra in hint.__metadata__ if isinstance(extra, PgType)), None) or _pg_type(
            hint.__origin__
        )
    if typing.get_origin(hint) is typing.Literal:
        return "text" if all(isinstance(value, str) for value in typing.get_args(hint)) else None
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        known = {_pg_type(part) for part in typing.get_args(hint) if part is not type(None)}
        return known.pop() if len(known) == 1 else None
    if typing.get_origin(hint) in (list, Sequence) and typing.get_args(hint) == (str,):
        return "text[]"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "text"
    return _PG_TYPES.get(hint) if isinstance(hint, type) else None


Fragment = typing.Union[LiteralString, int, "Sql[Any]", Rows[Any]]
FollowUp = Callable[[Executor, Mapping[str, Any]], None]
"""Registers with the executor what happens after the commit, given the statement's parameters."""


class Sql(Generic[R]):
    """A statement or a part of one. `row` is the dataclass that each row of the result becomes; without it, a `Row`.

    Parameters are given by name. A missing or unknown one is a `TypeError` before anything is sent.
    """

    @overload
    def __init__(self: "Sql[Row]", text: LiteralString, /, **fragments: Fragment) -> None: ...
    @overload
    def __init__(self, text: LiteralString, row: type[R], /, **fragments: Fragment) -> None: ...
    def __init__(self, text: LiteralString, row: type[Any] | None = None, /, **fragments: Fragment) -> None:
        self._row = row
        self.batches: dict[str, Rows[Any]] = {}
        self.parameters: set[str] = set()
        """Those that the text itself names, without the columns of batches."""
        self.follow_ups: list[FollowUp] = []
        self.text = self._expand(text, fragments)
        """With fragments put in, parameters still by name."""
        columns = {column.parameter for batch in self.batches.values() for column in batch.columns}
        if clashing := columns & self.parameters:
            raise TypeError(f"parameters have the names of batch columns: {sorted(clashing)}")
        self._names = self.parameters | set(self.batches)

    def _expand(self, text: str, fragments: dict[str, Fragment]) -> str:
        unused = set(fragments)

        def put_in(match: re.Match[str]) -> str:
            name = match["fragment"]
            if name is None:
                if match["parameter"] is not None:
                    self.parameters.add(match["parameter"])
                return match[0]
            if name not in fragments:
                raise TypeError(f"no fragment is given for {{{name}}}")
            unused.discard(name)
            fragment = fragments[name]
            if isinstance(fragment, int):
                return str(fragment)
            if isinstance(fragment, str):
                return self._expand(fragment, {})
            if isinstance(fragment, Rows):
                self._add_batch(fragment)
            else:
                self.parameters |= fragment.parameters
                self.follow_ups += [each for each in fragment.follow_ups if each not in self.follow_ups]
                for batch in fragment.batches.values():
                    self._add_batch(batch)
            return fragment.text

        expanded = _TOKENS.sub(put_in, text)
        if unused:
            raise TypeError(f"the statement has no place for {', '.join(sorted(unused))}")
        return expanded

    def _add_batch(self, batch: Rows[Any]) -> None:
        if self.batches.setdefault(batch.parameter, batch) is not batch:
            raise TypeError(f"two different batches are called {batch.parameter}")

    def then(self, follow_up: FollowUp) -> typing.Self:
        """Call `follow_up` whenever this statement, or one that contains it, has run."""
        self.follow_ups.append(follow_up)
        return self

    @cached_property
    def query(self) -> str:
        """As the driver takes it: parameters by position."""
        return self._compiled[0]

    @cached_property
    def _positions(self) -> list[str]:
        return self._compiled[1]

    @cached_property
    def _compiled(self) -> tuple[str, list[str]]:
        positions: dict[str, int] = {}

        def number(match: re.Match[str]) -> str:
            name = match["parameter"]
            return match[0] if name is None else f"${positions.setdefault(name, len(positions) + 1)}"

        return _TOKENS.sub(number, self.text), list(positions)

    def pick(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the values that the statement has parameters for."""
        return {name: values[name] for name in self._names}

    def bind(self, parameters: dict[str, Any]) -> list[Any]:
        """The arguments by position."""
        if parameters.keys() != self._names:
            missing, unknown = self._names - parameters.keys(), parameters.keys() - self._names
            raise TypeError(f"parameters missing: {sorted(missing)}, unknown: {sorted(unknown)}")
        if self.batches:
            for name, batch in self.batches.items():
                parameters.update(batch.bind(parameters[name]))
        return [parameters[name] for name in self._positions]

    async def fetch(self, db: Executor, **parameters: Any) -> list[R]:
        """All rows."""
        rows = await db.fetch(self.query, *self.bind(parameters))
        self._follow_up(db, parameters)
        return rows if self._row is None else [self._build(row) for row in rows]  # pyright: ignore[reportReturnType]

    async def fetch_one(self, db: Executor, **parameters: Any) -> R | None:
        """The first row, if there is one."""
        row = await db.fetchrow(self.query, *self.bind(parameters))
        self._follow_up(db, parameters)
        return self._build(row) if row is not None else None

    async def fetch_value(self, db: Executor, **parameters: Any) -> Any:
        """The first column of the first row, or None."""
        value = await db.fetchval(self.query, *self.bind(parameters))
        self._follow_up(db, parameters)
        return value

    async def execute(self, db: Executor, **parameters: Any) -> str:
        """Run it; returns PostgreSQL's command tag, such as `UPDATE 1`."""
        tag = await db.execute(self.query, *self.bind(parameters))
        self._follow_up(db, parameters)
        return tag

    def _follow_up(self, db: Executor, parameters: Mapping[str, Any]) -> None:
        for follow_up in self.follow_ups:
            follow_up(db, parameters)

    def _build(self, row: Row) -> R:
        return row if self._row is None else self._row(**row)  # pyright: ignore[reportReturnType]


def all_of(conditions: Iterable[Fragment]) -> Sql[Row]:
    """All conditions together: true if there are none."""
    return reduce(lambda left, right: Sql("{left} and {right}", left=left, right=right), conditions, Sql("true"))
