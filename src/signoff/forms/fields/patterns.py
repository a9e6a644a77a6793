r"""Regular expressions that an account writes and people's input runs through, in time linear in the input.

Backtracking engines, Python's among them, can be sent into exponential time by a careless or hostile pattern.
This one walks all alternatives at once (Thompson's construction) and remembers each step it has worked out, so
the worst case is input length times pattern size. The syntax is what JavaScript's `u` mode and Python share:

- literals, `.` (any character but a line end), `[a-z]`, `[^…]`, `\d \w \s` and `\D \W \S` (all ASCII but `\s`);
- `\t \n \r`, and a backslash before any of ``^$\.*+?()[]{}|/``, or before `-` inside brackets;
- `(…)`, `(?:…)`, `|`, and `* + ? {n} {n,} {n,m}`, also lazy (which changes nothing).

As with an HTML input, the pattern has to match the whole value; a `^` at the start and a `$` at the end are
allowed and mean nothing. No look-around and no back-references: neither is regular.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_SOURCE: Final = 500
MAX_STATES: Final = 1_000
MAX_INPUT: Final = 2_000
_MAX_GROUPS: Final = 20
_MAX_REMEMBERED: Final = 2_000

_Ranges: TypeAlias = tuple[tuple[int, int], ...]

_DIGIT: Final[_Ranges] = ((48, 57),)
_WORD: Final[_Ranges] = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACE: Final[_Ranges] = (
    *((9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
_LINE_ENDS: Final[_Ranges] = ((10, 10), (13, 13), (0x2028, 0x2029))
_CLASSES: Final = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r"}
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/")


class PatternError(ValueError):
    """The pattern is malformed, or uses what this engine leaves out."""


@dataclass(frozen=True, slots=True)
class _OneOf:
    """A set of characters, as code-point ranges."""

    ranges: _Ranges
    negated: bool = False

    def has(self, character: str) -> bool:
        code = ord(character)
        return any(low <= code <= high for low, high in self.ranges) is not self.negated


@dataclass(frozen=True, slots=True)
class _Sequence:
    parts: "tuple[_Node, ...]"


@dataclass(frozen=True, slots=True)
class _Either:
    branches: "tuple[_Node, ...]"


@dataclass(frozen=True, slots=True)
class _Repeat:
    body: "_Node"
    least: int
    most: int | None


_Node: TypeAlias = "_OneOf | _Sequence | _Either | _Repeat"


class Pattern:
    """A compiled pattern: a nondeterministic automaton, determinised step by step as input asks for it."""

    def __init__(self, edges: "list[tuple[_OneOf, int] | None]", jumps: list[list[int]], start: int) -> None:
        self._edges = edges
        self._jumps = jumps
        self._start = self._closure({start})
        self._steps: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def matches(self, text: str) -> bool:
        """Whether the pattern matches the whole text. The text is at most MAX_INPUT characters long."""
        states = self._start
        for character in text:
            following = self._steps.get((states, character))
            if following is None:
                following = self._step(states, character)
            if not following:
                return False
            states = following
        return 0 in states

    def _step(self, states: frozenset[int], character: str) -> frozenset[int]:
        reached = {edge[1] for edge in map(self._edges.__getitem__, states) if edge and edge[0].has(character)}
        if len(self._steps) >= _MAX_REMEMBERED:
            self._steps.clear()
        following = self._steps[states, character] = self._closure(reached)
        return following

    def _closure(self, states: set[int]) -> frozenset[int]:
        pending, seen = list(states), set(states)
        while pending:
            for target in self._jumps[pending.pop()]:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        # A state that only jumps has done its work here; leaving it out makes fewer distinct sets.
        return frozenset(state for state in seen if state == 0 or self._edges[state])


def compile_pattern(source: str) -> Pattern:
    """Compile, or raise PatternError."""
    if len(source) > MAX_SOURCE:
        raise PatternError(f"is longer than {MAX_SOURCE} characters")
    node = _Parser(source).parse()
    edges: list[tuple[_OneOf, int] | None] = [None]  # State 0 accepts.
    jumps: list[list[int]] = [[]]

    def state(edge: tuple[_OneOf, int] | None, targets: list[int]) -> int:
        if len(edges) >= MAX_STATES:
            raise PatternError("is too complex: its counted repetitions multiply")
        edges.append(edge)
        jumps.append(targets)
        return len(edges) - 1

    return Pattern(edges, jumps, _build(node, 0, state, jumps))


def _build(
    node: _Node, after: int, state: "Callable[[tuple[_OneOf, int] | None, list[int]], int]", jumps: list[list[int]]
) -> int:
    """Lay out the states for `node`, leading on to state `after`; answers the state to enter by."""
    if isinstance(node, _OneOf):
        return state((node, after), [])
    if isinstance(node, _Sequence):
        for part in reversed(node.parts):
            after = _build(part, after, state, jumps)
        return after
    if isinstance(node, _Either):
        return state(None, [_build(branch, after, state, jumps) for branch in node.branches])
    if node.most is None:
        entry = state(None, [after])
        jumps[entry].append(_build(node.body, entry, state, jumps))
    else:
        entry = after
        for _ in range(node.most - node.least):
            entry = state(None, [_build(node.body, entry, state, jumps), after])
    for _ in range(node.least):
        entry = _build(node.body, entry, state, jumps)
    return entry


class _Parser:
    def __init__(self, source: str) -> None:
        body = source.removeprefix("^")
        if body.endswith("$") and (len(body) - len(body[:-1].rstrip("\\"))) % 2 == 1:
            body = body[:-1]
        self._source = body
        self._at = 0
        self._open = 0

    def parse(self) -> _Node:
        node = self._either()
        if self._at < len(self._source):
            raise PatternError("has a closing parenthesis that was never opened")
        return node

    def _peek(self) -> str:
        return self._source[self._at : self._at + 1]

    def _take(self) -> str:
        if self._at >= len(self._source):
            raise PatternError("ends too early")
        self._at += 1
        return self._source[self._at - 1]

    def _either(self) -> _Node:
        branches = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else _Either(tuple(branches))

    def _sequence(self) -> _Node:
        parts: list[_Node] = []
        while (following := self._peek()) and following not in "|)":
            parts.append(self._repeat(self._atom()))
        return _Sequence(tuple(parts))

    def _repeat(self, body: _Node) -> _Node:
        sign = self._peek()
        if sign not in ("*", "+", "?", "{"):
            return body
        self._at += 1
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign) or self._counts()
        if self._peek() == "?":
            self._at += 1
        if self._peek() in ("*", "+", "?", "{"):
            raise PatternError("repeats a repetition; put it into parentheses")
        return _Repeat(body, least, most)

    def _counts(self) -> tuple[int, int | None]:
        end = self._source.find("}", self._at)
        low, comma, high = self._source[self._at : end if end >= 0 else None].partition(",")
        self._at = end + 1
        if end < 0 or not _is_count(low) or (high and not _is_count(high)):
            raise PatternError("has a malformed {n,m}")
        least = int(low)
        most = least if not comma else int(high) if high else None
        if least > MAX_STATES or (most is not None and not least <= most <= MAX_STATES):
            raise PatternError(f"has counts in {{n,m}} that are out of order or above {MAX_STATES}")
        return least, most

    def _atom(self) -> _Node:
        character = self._take()
        if character == "(":
            return self._group()
        if character == "[":
            return self._brackets()
        if character == ".":
            return _OneOf(_LINE_ENDS, negated=True)
        if character == "\\":
            return self._escape(inside_brackets=False)
        if character in "*+?{}])^$":
            raise PatternError(f"has {character!r} where it means nothing; write \\{character} for the character")
        return _OneOf(((ord(character), ord(character)),))

    def _group(self) -> _Node:
        if self._peek() == "?":
            if self._source[self._at : self._at + 2] != "?:":
                raise PatternError("uses look-around or named groups, which are not supported")
            self._at += 2
        self._open += 1
        if self._open > _MAX_GROUPS:
            raise PatternError(f"nests more than {_MAX_GROUPS} groups")
        node = self._either()
        if self._at >= len(self._source):
            raise PatternError("has a parenthesis that is never closed")
        self._at += 1
        self._open -= 1
        return node

    def _escape(self, *, inside_brackets: bool) -> _OneOf:
        character = self._take()
        if character.lower() in _CLASSES:
            return _OneOf(_CLASSES[character.lower()], negated=character.isupper())
        if character in _CONTROLS:
            code = ord(_CONTROLS[character])
        elif character in _SYNTAX or (inside_brackets and character == "-"):
            code = ord(character)
        else:
            raise PatternError(f"uses \\{character}, which is not supported")
        return _OneOf(((code, code),))

    def _brackets(self) -> _OneOf:
        negated = self._peek() == "^"
        if negated:
            self._at += 1
        ranges: list[tuple[int, int]] = []
        while (character := self._take()) != "]":
            low = self._member(character)
            if self._peek() != "-" or self._source[self._at + 1 : self._at + 2] in ("]", ""):
                ranges.extend(low)
                continue
            self._at += 1
            high = self._member(self._take())
            if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or high[0][0] != high[0][1]:
                raise PatternError("has a range between things that are not single characters")
            if low[0][0] > high[0][0]:
                raise PatternError("has a range that runs backwards")
            ranges.append((low[0][0], high[0][0]))
        if not ranges:
            raise PatternError("has empty brackets")
        return _OneOf(tuple(ranges), negated)

    def _member(self, character: str) -> _Ranges:
        if character == "\\":
            escaped = self._escape(inside_brackets=True)
            return _complement(escaped.ranges) if escaped.negated else escaped.ranges
        return ((ord(character), ord(character)),)


def _complement(ranges: _Ranges) -> _Ranges:
    edges = [-1, *(edge for low_high in ranges for edge in low_high), 0x110000]
    return tuple((edges[i] + 1, edges[i + 1] - 1) for i in range(0, len(edges), 2))


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
